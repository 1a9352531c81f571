/* Runs the golden messages of protocol/vectors against a bot on pipes: vectors BOT FOLDER.
 *
 * The bot is given every message that a referee sends, and must answer as the clauses say; what cannot be read it
 * must survive. Standard C: the bot reads a file and writes a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 20000 };
static const char *const INPUT = "build/vectors.in", *const OUTPUT = "build/vectors.out";

static const char *bot;
static int checks, failures;

static void check(int good, const char *what, const char *line) {
    checks++;
    if (good) return;
    failures++;
    fprintf(stderr, "FAILED: %s: '%.200s'\n", what, line);
}

static FILE *opened(const char *path, const char *mode) {
    FILE *file = fopen(path, mode);
    if (file) return file;
    perror(path);
    exit(2);
}

/* The golden form of a message from a referee, without what stands around it in its line of JSON; NULL: none. */
static const char *golden(char *json) {
    char *start, *end;
    if (!strstr(json, "\"from\": \"referee\"")) return NULL;
    start = strstr(json, "}, \"text\": \"");
    end = start ? strstr(start, "\", \"msgpack\": \"") : NULL;
    if (!end) return NULL;
    *end = '\0';
    return start + strlen("}, \"text\": \"");
}

/* The line whose bytes are given in hexadecimal, from a referee and in text; 0: none. */
static int decoded(const char *json, char *line) {
    const char *hex = strstr(json, "\"hex\": \"");
    int byte, length = 0;
    if (!hex || !strstr(json, "\"encoding\": \"text\"") || !strstr(json, "\"from\": \"referee\"")) return 0;
    for (hex += strlen("\"hex\": \""); sscanf(hex, "%2x", (unsigned *)&byte) == 1; hex += 2) line[length++] = (char)byte;
    line[length] = '\0';
    return length;
}

/* Whether `answer` is what the bot had to say to `line`; the answer to `turn` may be any square of `legal`. */
static int answers(const char *line, const char *answer) {
    char expected[64], id[32] = "", square[3] = "";
    const char *legal = strstr(line, " legal=");
    sscanf(line, "%*s %31s", id);
    if (strncmp(line, "game ", 5) == 0) sprintf(expected, "ready %s\n", id);
    else if (strncmp(line, "ping ", 5) == 0) sprintf(expected, "pong %s\n", id);
    else {
        sprintf(expected, "move %s ", id);
        if (!legal || strncmp(answer, expected, strlen(expected)) != 0) return 0;
        memcpy(square, answer + strlen(expected), 2);
        legal += strlen(" legal=");
        return strcspn(answer, "\n") == strlen(expected) + 2 && strstr(legal, square) != NULL &&
               strstr(legal, square) < legal + strcspn(legal, " ");
    }
    return strcmp(answer, expected) == 0;
}

static int is_question(const char *line) {
    return strncmp(line, "game ", 5) == 0 || strncmp(line, "ping ", 5) == 0 || strncmp(line, "turn ", 5) == 0;
}

/* Starts the bot on what stands in INPUT; its answers can be read from the file that is returned. */
static FILE *run(const char *what) {
    static char command[1000], hello[LONGEST];
    FILE *output;
    sprintf(command, "%.900s <%s >%s", bot, INPUT, OUTPUT);
    check(system(command) == 0, "the bot exits with status 0", what);
    output = opened(OUTPUT, "r");
    if (!fgets(hello, sizeof hello, output)) hello[0] = '\0';
    check(strncmp(hello, "hello donuts=1-1 name=", 22) == 0, "hello comes first", hello);
    return output;
}

/* Gives a line to the bot, with a ping behind it: the answers to both must come, and nothing else. */
static void ask(const char *line, int readable) {
    char answer[LONGEST] = "";
    FILE *file = opened(INPUT, "w");
    fprintf(file, "%s\nping 900719925474099\n", line);
    fclose(file);
    file = run(line);
    if (readable && is_question(line)) {
        check(fgets(answer, sizeof answer, file) && answers(line, answer), "the answer to", line);
    } else if (!readable) { /* what a bot says to what it cannot read is its own affair, but it goes on */
        while (fgets(answer, sizeof answer, file) && strcmp(answer, "pong 900719925474099\n") != 0) continue;
        check(strcmp(answer, "pong 900719925474099\n") == 0, "the bot goes on after", line);
    }
    if (readable && strncmp(line, "bye", 3) != 0)
        check(fgets(answer, sizeof answer, file) && strcmp(answer, "pong 900719925474099\n") == 0, "a ping after", line);
    check(!fgets(answer, sizeof answer, file), "nothing else is said to", line);
    fclose(file);
}

static void ask_all(const char *folder, const char *name, int readable) {
    static char path[1000], json[LONGEST], line[LONGEST];
    const int before = checks;
    const char *message;
    FILE *file;
    sprintf(path, "%.900s/%s", folder, name);
    file = opened(path, "r");
    while (fgets(json, sizeof json, file)) {
        if ((message = golden(json)) != NULL) ask(message, readable);
        else if (decoded(json, line) && strncmp(line, "bye", 3) != 0) ask(line, readable);
    }
    fclose(file);
    check(checks > before, "there are vectors in", path);
}

/* A line of so many bytes, and what becomes of it. */
static void measure(int length, int readable) {
    static char line[LONGEST];
    sprintf(line, "ping 5 x_a=%0*d", length - (int)strlen("ping 5 x_a="), 0);
    ask(line, readable);
}

int main(int count, char **words) {
    FILE *file;
    char rest[LONGEST];
    if (count != 3) return fprintf(stderr, "usage: vectors BOT FOLDER\n"), 2;
    bot = words[1];
    ask_all(words[2], "messages.jsonl", 1);
    ask_all(words[2], "acceptances.jsonl", 1);
    ask_all(words[2], "refusals.jsonl", 0);
    measure(4096, 1);
    measure(4097, 0);
    measure(4098, 0);
    measure(10000, 0);
    ask("", 0);
    ask("tern 5 x=1", 0);
    file = opened(INPUT, "w"); /* the stream ends in the middle of a line: it is no message, and the bot leaves */
    fputs("ping 5\nping 6", file);
    fclose(file);
    file = run("ping 5, half a line, the end");
    check(fgets(rest, sizeof rest, file) && strcmp(rest, "pong 5\n") == 0, "pong", rest);
    check(!fgets(rest, sizeof rest, file), "half a line is not answered", rest);
    fclose(file);
    fprintf(stderr, "%d checks, %d failed\n", checks, failures);
    return failures != 0;
}
