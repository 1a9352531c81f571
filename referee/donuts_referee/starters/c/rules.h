/* The board and the rules of DONUTS. */
#ifndef RULES_H
#define RULES_H

enum { MAX_SQUARES = 81, NOWHERE = -1 };

/* A board never changes during a game. Squares are numbered from a1 = 0 along the rows: b1 = 1, ..., a2 = size. */
struct board {
    int size;    /* 6 or 9 */
    int squares; /* size x size */
    int rings;   /* for each side */
    int line[MAX_SQUARES][9]; /* the squares on the line that each square shows */
    int line_length[MAX_SQUARES];
};

/* What changes with each turn. It is small enough to be copied before a move is tried. */
struct position {
    char cells[MAX_SQUARES]; /* '.', 'x' or 'o' */
    char mover;              /* 'x' or 'o' */
    int last;                /* the square that was filled last, or NOWHERE */
    int ply;                 /* rings on the board */
};

/* Reads 36 or 81 letters of H, V, D and A; returns 0 where they are none. Sets the usual number of rings. */
int read_layout(struct board *board, const char *layout);

/* The position at the start of a game. */
struct position start(void);

/* Fills `squares` with the squares where the mover may place a ring, and returns how many there are. */
int legal_squares(const struct board *board, const struct position *position, int squares[MAX_SQUARES]);

/* Places a ring of the mover and turns what it turns; the other side is then the mover. Returns 1 if that makes five. */
int play(const struct board *board, struct position *position, int square);

/* Whether all rings are placed. */
int is_full(const struct board *board, const struct position *position);

/* How many rings the largest group of a side has. */
int largest_group(const struct board *board, const struct position *position, char side);

/* The number of sequences of `depth` legal moves; a game that is over has no more. */
unsigned long long perft(const struct board *board, const struct position *position, int depth);

char other(char side);

#endif
