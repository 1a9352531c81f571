#include "rules.h"

#include <string.h>

/* The four directions, as steps in column and row: along a row, a column, and the two diagonals. */
static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

char other(char side) { return side == 'x' ? 'o' : 'x'; }

/* Whether two squares lie on the same line of this letter. */
static int share_line(char letter, int column, int row, int column2, int row2) {
    switch (letter) {
        case 'H': return row == row2;
        case 'V': return column == column2;
        case 'D': return column - row == column2 - row2;
        default: return column + row == column2 + row2; /* A */
    }
}

int read_layout(struct board *board, const char *layout) {
    const int squares = (int)strlen(layout);
    if ((squares != 36 && squares != 81) || strspn(layout, "HVDA") != (size_t)squares) return 0;
    board->squares = squares;
    board->size = squares == 36 ? 6 : 9;
    board->rings = squares == 36 ? 15 : 36;
    for (int from = 0; from < squares; from++) {
        int length = 0;
        for (int to = 0; to < squares; to++) {
            if (share_line(layout[from], from % board->size, from / board->size, to % board->size, to / board->size))
                board->line[from][length++] = to;
        }
        board->line_length[from] = length;
    }
    return 1;
}

struct position start(void) {
    struct position position;
    memset(position.cells, '.', sizeof position.cells);
    position.mover = 'x';
    position.last = NOWHERE;
    position.ply = 0;
    return position;
}

int legal_squares(const struct board *board, const struct position *position, int squares[MAX_SQUARES]) {
    int count = 0;
    if (is_full(board, position)) return 0;
    if (position->last != NOWHERE) { /* an empty square of the line that the last square shows */
        const int *line = board->line[position->last];
        for (int i = 0; i < board->line_length[position->last]; i++) {
            if (position->cells[line[i]] == '.') squares[count++] = line[i];
        }
    }
    if (count == 0) { /* the line is full, or it is the first turn: any empty square */
        for (int square = 0; square < board->squares; square++) {
            if (position->cells[square] == '.') squares[count++] = square;
        }
    }
    return count;
}

/* The first square, from `square` on in this direction, that holds no ring of `side`; NOWHERE at the edge. */
static int walk(const struct board *board, const struct position *position, int square, int right, int up, char side) {
    int column = square % board->size, row = square / board->size;
    do {
        column += right;
        row += up;
        if (column < 0 || column >= board->size || row < 0 || row >= board->size) return NOWHERE;
    } while (position->cells[row * board->size + column] == side);
    return row * board->size + column;
}

/* How many rings of `side` follow this square in this direction. */
static int run(const struct board *board, const struct position *position, int square, int right, int up, char side) {
    int column = square % board->size + right, row = square / board->size + up, length = 0;
    while (column >= 0 && column < board->size && row >= 0 && row < board->size &&
           position->cells[row * board->size + column] == side) {
        column += right;
        row += up;
        length++;
    }
    return length;
}

/* Whether a row of five or more goes through this square. */
static int makes_five(const struct board *board, const struct position *position, int square, char side) {
    for (int d = 0; d < 4; d++) {
        const int right = steps[d][0], up = steps[d][1];
        const int length = 1 + run(board, position, square, right, up, side) +
                           run(board, position, square, -right, -up, side);
        if (length >= 5) return 1;
    }
    return 0;
}

int play(const struct board *board, struct position *position, int square) {
    const char mine = position->mover, theirs = other(mine);
    int changed[1 + 8], count = 0;
    position->cells[square] = mine;
    changed[count++] = square;
    /* In each direction, over my own rings: where the first other square at both ends is theirs, those two turn. All
     * four directions are looked at before anything turns. */
    for (int d = 0; d < 4; d++) {
        const int right = steps[d][0], up = steps[d][1];
        const int one = walk(board, position, square, right, up, mine);
        const int two = walk(board, position, square, -right, -up, mine);
        if (one == NOWHERE || two == NOWHERE) continue;
        if (position->cells[one] != theirs || position->cells[two] != theirs) continue;
        changed[count++] = one;
        changed[count++] = two;
    }
    for (int i = 0; i < count; i++) position->cells[changed[i]] = mine;
    position->last = square;
    position->ply++;
    position->mover = theirs;
    for (int i = 0; i < count; i++) {
        if (makes_five(board, position, changed[i], mine)) return 1;
    }
    return 0;
}

int is_full(const struct board *board, const struct position *position) { return position->ply == 2 * board->rings; }

int largest_group(const struct board *board, const struct position *position, char side) {
    char seen[MAX_SQUARES] = {0};
    int largest = 0;
    for (int first = 0; first < board->squares; first++) {
        int waiting[MAX_SQUARES], count = 0, found = 0;
        if (position->cells[first] != side || seen[first]) continue;
        seen[first] = 1;
        waiting[count++] = first;
        while (found < count) { /* look at the four neighbours of each ring of the group */
            const int square = waiting[found++], column = square % board->size, row = square / board->size;
            const int neighbours[4] = {column > 0 ? square - 1 : NOWHERE,
                                       column < board->size - 1 ? square + 1 : NOWHERE,
                                       row > 0 ? square - board->size : NOWHERE,
                                       row < board->size - 1 ? square + board->size : NOWHERE};
            for (int i = 0; i < 4; i++) {
                const int next = neighbours[i];
                if (next == NOWHERE || seen[next] || position->cells[next] != side) continue;
                seen[next] = 1;
                waiting[count++] = next;
            }
        }
        if (count > largest) largest = count;
    }
    return largest;
}

unsigned long long perft(const struct board *board, const struct position *position, int depth) {
    int squares[MAX_SQUARES];
    const int count = legal_squares(board, position, squares);
    unsigned long long sum = 0;
    if (depth == 0) return 1;
    if (depth == 1) return (unsigned long long)count;
    for (int i = 0; i < count; i++) {
        struct position next = *position;
        if (!play(board, &next, squares[i])) sum += perft(board, &next, depth - 1);
    }
    return sum;
}
