#define _POSIX_C_SOURCE 200809L /* for clock_gettime */
#include "search.h"

#include <time.h>

enum { WIN = 100000, INFINITE = 1000000, DEEPEST = 2 * MAX_SQUARES };

static const struct board *board; /* what is searched on */
static double deadline;           /* in milliseconds */
static int (*cancelled)(void);
static int stopped; /* the search is to end now: what it returns is worth nothing */
static unsigned long long nodes;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1000.0 * (double)time.tv_sec + (double)time.tv_nsec / 1e6;
}

/* How good a position is for the mover, without looking ahead: rows of five squares that only one side has rings in
 * count for that side, the more rings the more, and a large group is worth a little too. */
static int evaluate(const struct position *position) {
    static const int worth[] = {0, 1, 4, 12, 30, 0};
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    const char mine = position->mover, theirs = other(mine);
    const int size = board->size;
    int score = 3 * (largest_group(board, position, mine) - largest_group(board, position, theirs));
    for (int d = 0; d < 4; d++) {
        const int right = steps[d][0], up = steps[d][1];
        for (int row = up < 0 ? 4 : 0; row + 4 * up < size && row < size; row++) {
            for (int column = 0; column + 4 * right < size; column++) {
                int me = 0, them = 0;
                for (int i = 0; i < 5; i++) {
                    const char cell = position->cells[(row + i * up) * size + column + i * right];
                    me += cell == mine;
                    them += cell == theirs;
                }
                if (them == 0) score += worth[me];
                if (me == 0) score -= worth[them];
            }
        }
    }
    return score;
}

/* The value of a game whose rings are all placed, for the mover: the larger group wins. */
static int final_value(const struct position *position) {
    const int mine = largest_group(board, position, position->mover);
    const int theirs = largest_group(board, position, other(position->mover));
    return mine > theirs ? WIN - position->ply : mine < theirs ? position->ply - WIN : 0;
}

/* The value of a position for its mover, between alpha and beta (negamax with alpha-beta). A win is worth more the
 * earlier it comes. */
static int search(const struct position *position, int depth, int alpha, int beta) {
    int squares[MAX_SQUARES], count;
    if (++nodes % 256 == 0 && (now() >= deadline || cancelled())) stopped = 1;
    if (stopped) return 0;
    if (is_full(board, position)) return final_value(position);
    if (depth == 0) return evaluate(position);
    count = legal_squares(board, position, squares);
    for (int i = 0; i < count; i++) {
        struct position next = *position;
        const int five = play(board, &next, squares[i]);
        const int value = five ? WIN - next.ply : -search(&next, depth - 1, -beta, -alpha);
        if (stopped) return 0;
        if (value > alpha) alpha = value;
        if (alpha >= beta) break; /* the other side will not let it come to this */
    }
    return alpha;
}

/* Chances in thousandths. */
static int chances(int value) {
    if (value > WIN / 2) return 1000;
    if (value < -WIN / 2) return 0;
    return 500 + (value > 490 ? 490 : value < -490 ? -490 : value);
}

struct choice choose(const struct board *on, const struct position *position, int milliseconds,
                     int (*is_cancelled)(void)) {
    int squares[MAX_SQUARES];
    const int count = legal_squares(on, position, squares);
    struct choice best = {squares[0], 500, 0, 0};
    board = on;
    deadline = now() + milliseconds;
    cancelled = is_cancelled;
    stopped = 0;
    nodes = 0;
    if (count == 1) return best;
    for (int depth = 1; depth <= DEEPEST && !stopped; depth++) {
        int alpha = -INFINITE, leader = 0;
        for (int i = 0; i < count; i++) {
            struct position next = *position;
            const int five = play(board, &next, squares[i]);
            const int value = five ? WIN - next.ply : -search(&next, depth - 1, -INFINITE, -alpha);
            if (stopped) break;
            if (value > alpha) {
                alpha = value;
                leader = i;
            }
        }
        /* What was found before time was up counts, if anything was: the best square so far is looked at first. */
        if (alpha > -INFINITE) {
            const int square = squares[leader];
            for (int i = leader; i > 0; i--) squares[i] = squares[i - 1];
            squares[0] = square;
            best.square = square;
            best.eval = chances(alpha);
            if (!stopped) best.depth = depth;
        }
        if (alpha > WIN / 2 || alpha < -WIN / 2) break; /* the end is known */
        if (position->ply + depth >= 2 * board->rings) break;
    }
    best.nodes = nodes;
    return best;
}
