/* A quick bot whose answer is a function of the position and of its salt: salted SALT [CRASHES]
 *
 * In CRASHES of 1000 positions, which are a function of the position too, it ends instead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long hash(unsigned long h, const char *text) {
    for (; *text; text++) h = (h ^ (unsigned char)*text) * 1099511628211UL;
    return h;
}

int main(int argc, char **argv) {
    static char line[1 << 16];
    const char *salt = argc > 1 ? argv[1] : "";
    int crashes = argc > 2 ? atoi(argv[2]) : 0;
    printf("hello donuts=1-1 name=salted-%s\n", salt);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        char *verb = strtok(line, " \n"), *id, *field;
        if (verb && !strcmp(verb, "bye")) break;
        if (!verb || !(id = strtok(NULL, " \n"))) continue;
        const char *legal = "";
        unsigned long h = hash(14695981039346656037UL, salt);
        while ((field = strtok(NULL, " \n"))) {
            if (!strncmp(field, "legal=", 6)) legal = field + 6;
            if (!strncmp(field, "layout=", 7) || !strncmp(field, "cells=", 6)) h = hash(h, field);
        }
        h ^= h >> 29;
        int squares = (int)(strlen(legal) + 1) / 3;
        if (!strcmp(verb, "turn") && squares) {
            if ((int)(h / 1000 % 1000) < crashes) return 3;
            printf("move %s %.2s\n", id, legal + 3 * (h % (unsigned long)squares));
        }
        if (!strcmp(verb, "game")) printf("ready %s\n", id);
        if (!strcmp(verb, "ping")) printf("pong %s\n", id);
        fflush(stdout);
    }
    return 0;
}
