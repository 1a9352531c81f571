/* How the bot chooses a square. This is the place to begin when you want it to play better. */
#ifndef SEARCH_H
#define SEARCH_H

#include "rules.h"

struct choice {
    int square;
    int eval;  /* the bot's chances: 0 is a sure loss, 1000 a sure win */
    int depth; /* plies that were searched */
    unsigned long long nodes;
};

/* Searches deeper and deeper for at most so many milliseconds, or until `is_cancelled` (asked now and then) says so. */
struct choice choose(const struct board *board, const struct position *position, int milliseconds,
                     int (*is_cancelled)(void));

#endif
