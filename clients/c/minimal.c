/* A whole bot for DONUTS in standard C: it plays a random legal square. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[4096 + 2], *end, *verb, *id, *field; /* the longest line (DBP-2.4), its LF, and a NUL */
    puts("hello donuts=1-1 name=c-random");
    fflush(stdout); /* a line that stays in a buffer was never said */
    while (fgets(line, sizeof line, stdin)) {
        if (!(end = strchr(line, '\n'))) { /* too long for a message, or cut off: skip the rest of it */
            for (int c = 0; c != '\n' && c != EOF;) c = getchar();
            continue;
        }
        *end = '\0';
        if ((verb = strtok(line, " ")) && strcmp(verb, "bye") == 0) break;
        if (!verb || !(id = strtok(NULL, " "))) continue;
        const char *legal = "";
        while ((field = strtok(NULL, " "))) {
            if (strncmp(field, "legal=", 6) == 0) legal = field + 6;
            if (strncmp(field, "seed=", 5) == 0) srand((unsigned)strtoul(field + 5, NULL, 10));
        }
        int squares = (int)(strlen(legal) + 1) / 3; /* a1,b1,c1: three */
        if (strcmp(verb, "turn") == 0 && squares) printf("move %s %.2s\n", id, legal + 3 * (rand() % squares));
        if (strcmp(verb, "game") == 0) printf("ready %s\n", id);
        if (strcmp(verb, "ping") == 0) printf("pong %s\n", id);
        fflush(stdout);
    }
}
