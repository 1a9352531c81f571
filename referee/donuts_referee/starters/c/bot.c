/* This bot plays DONUTS. The referee writes a line to its standard input for everything that happens, and the bot
 * answers with lines on its standard output. Nothing else may go there: print what you want to see to stderr.
 *
 *     bot.c      the conversation with the referee (this file)
 *     rules.c    the board and the rules
 *     search.c   how it chooses a square: the place to begin when you want it to play better
 *     lines.c    reads lines
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "rules.h"
#include "search.h"

/* Shown to people. */
static const char name[] = "NAME";

/* The first word after the verb is the id of the question; the fields, key=value, stand in any order after it. */
struct message {
    const char *verb, *id;
    char *words[64];
    int count;
};

static struct message split(char *line) {
    struct message message = {"", "", {NULL}, 0};
    for (char *word = strtok(line, " "); word && message.count < 64; word = strtok(NULL, " ")) {
        message.words[message.count++] = word;
    }
    if (message.count > 0) message.verb = message.words[0];
    if (message.count > 1) message.id = message.words[1];
    return message;
}

/* The value of a field; "" where it is not there. */
static const char *field(const struct message *message, const char *key) {
    const size_t length = strlen(key);
    for (int i = 1; i < message->count; i++) {
        const char *word = message->words[i];
        if (strncmp(word, key, length) == 0 && word[length] == '=') return word + length + 1;
    }
    return "";
}

static long number(const struct message *message, const char *key) {
    return strtol(field(message, key), NULL, 10);
}

/* The first thing that is said. A name may hold any character, if it is written as %XX. */
static void say_hello(void) {
    printf("hello donuts=1-1 name=");
    for (const char *letter = name; *letter; letter++) {
        const int plain = *letter > ' ' && *letter < 127 && !strchr("%,=", *letter);
        printf(plain ? "%c" : "%%%02X", (unsigned char)*letter);
    }
    printf("\n");
    fflush(stdout); /* without it the line would stay in a buffer, and the referee would wait in vain */
}

/* Whether nobody waits for the answer any more: the search asks this now and then. */
static int is_cancelled(void) {
    const char *line = peek_line();
    return !line || strncmp(line, "cancel ", 7) == 0 || strncmp(line, "end ", 4) == 0 || strncmp(line, "bye", 3) == 0;
}

/* How long to think, in milliseconds: a part of what is left, and never so long that the limit comes near. */
static int thinking_time(const struct message *turn) {
    const long clock = number(turn, "clock"), increment = number(turn, "inc"), limit = number(turn, "limit");
    long time = clock / 25 + increment / 4 * 3;
    if (time > limit / 2) time = limit / 2;
    if (time > 2000) time = 2000; /* where there is no clock, all of these are about 2^31 */
    return (int)time;
}

/* All there is to know stands in the turn: nothing need be remembered from one to the next. */
static void answer(const struct message *turn) {
    struct board board;
    struct position position = start();
    struct choice choice;
    const char *cells = field(turn, "cells"), *last = field(turn, "last");
    char id[20]; /* of its own, since the line is gone when the search has looked for another one */
    sprintf(id, "%.16s", turn->id);
    if (!read_layout(&board, field(turn, "layout")) || strlen(cells) != (size_t)board.squares) return;
    board.rings = (int)number(turn, "rings");
    memcpy(position.cells, cells, (size_t)board.squares);
    position.mover = field(turn, "you")[0];
    position.ply = (int)number(turn, "ply");
    if (strlen(last) == 2) position.last = (last[1] - '1') * board.size + last[0] - 'a'; /* else -, for none */
    choice = choose(&board, &position, thinking_time(turn), is_cancelled);
    if (is_cancelled()) return;
    printf("move %s %c%d eval=%d depth=%d nodes=%llu\n", id, 'a' + choice.square % board.size,
           choice.square / board.size + 1, choice.eval, choice.depth, choice.nodes);
    fflush(stdout);
}

/* Answers the referee until it says bye or is gone. What the bot does not know, it ignores. */
static void talk(void) {
    char *line;
    say_hello();
    while ((line = next_line()) != NULL) {
        const struct message message = split(line);
        if (strcmp(message.verb, "turn") == 0) answer(&message);
        if (strcmp(message.verb, "game") == 0) printf("ready %s\n", message.id);
        if (strcmp(message.verb, "ping") == 0) printf("pong %s\n", message.id);
        if (strcmp(message.verb, "bye") == 0) return;
        fflush(stdout);
    }
}

static const char usage[] =
    "usage: @NAME@                                plays on stdin and stdout (donuts play, donuts check)\n"
    "       @NAME@ perft LAYOUT DEPTH [RINGS]     counts move sequences (donuts perft)\n";

/* perft LAYOUT DEPTH [RINGS]: counts move sequences, to prove that rules.c is right (see `donuts perft`). */
static int count_moves(int count, char **words) {
    struct board board;
    const struct position position = start();
    const int depth = count > 1 ? atoi(words[1]) : 0, rings = count > 2 ? atoi(words[2]) : 1;
    if (count < 2 || !read_layout(&board, words[0]) || depth < 1 || rings < 1 || rings > board.squares / 2) {
        fprintf(stderr, "%sa layout has 36 or 81 letters of H, V, D and A\n", usage);
        return 2;
    }
    if (count > 2) board.rings = rings;
    printf("%llu\n", perft(&board, &position, depth));
    return 0;
}

int main(int count, char **words) {
    if (count > 1 && strcmp(words[1], "perft") == 0) return count_moves(count - 2, words + 2);
    if (count > 1) {
        const int asked = strcmp(words[1], "--help") == 0;
        fputs(usage, asked ? stdout : stderr);
        return asked ? 0 : 2;
    }
    talk();
    return 0;
}
