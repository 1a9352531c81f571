#include "rules.hpp"

#include <algorithm>
#include <stdexcept>

namespace {

struct Step {
    int right, up;

    Step operator-() const { return {-right, -up}; }
};

// The four directions: along a row, a column, and the two diagonals.
constexpr Step directions[] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

// The next square in a direction; `nowhere` at the edge.
int next(const Board& board, int square, Step step) {
    const int column = square % board.size + step.right, row = square / board.size + step.up;
    if (column < 0 || column >= board.size || row < 0 || row >= board.size) return nowhere;
    return row * board.size + column;
}

// The first square in a direction that holds no ring of `side`; `nowhere` at the edge.
int walk(const Board& board, const Position& position, int square, Step step, char side) {
    do {
        square = next(board, square, step);
    } while (square != nowhere && position.at(square) == side);
    return square;
}

// How many rings of `side` follow this square in a direction.
int run(const Board& board, const Position& position, int square, Step step, char side) {
    int length = 0;
    while ((square = next(board, square, step)) != nowhere && position.at(square) == side) length++;
    return length;
}

// Whether a row of five or more goes through this square.
bool makes_five(const Board& board, const Position& position, int square, char side) {
    return std::any_of(std::begin(directions), std::end(directions), [&](Step step) {
        return 1 + run(board, position, square, step, side) + run(board, position, square, -step, side) >= 5;
    });
}

// Whether two squares lie on the same line of this letter.
bool share_line(char letter, int column, int row, int column2, int row2) {
    switch (letter) {
        case 'H': return row == row2;
        case 'V': return column == column2;
        case 'D': return column - row == column2 - row2;
        default: return column + row == column2 + row2;  // A
    }
}

}  // namespace

std::string square_name(int square, int size) {
    return {static_cast<char>('a' + square % size), static_cast<char>('1' + square / size)};
}

int square_number(const std::string& name, int size) {
    return name.size() == 2 ? (name[1] - '1') * size + name[0] - 'a' : nowhere;
}

Board::Board(const std::string& layout)
    : size(layout.size() == 36 ? 6 : 9), squares(size * size), rings(size == 6 ? 15 : 36) {
    if ((layout.size() != 36 && layout.size() != 81) ||
        layout.find_first_not_of("HVDA") != std::string::npos) {
        throw std::invalid_argument("a layout has 36 or 81 letters of H, V, D and A");
    }
    for (int from = 0; from < squares; from++) {
        std::vector<int> line;
        for (int to = 0; to < squares; to++) {
            const char letter = layout[static_cast<std::size_t>(from)];
            if (share_line(letter, from % size, from / size, to % size, to / size)) line.push_back(to);
        }
        lines.push_back(line);
    }
}

std::vector<int> legal_squares(const Board& board, const Position& position) {
    std::vector<int> squares;
    if (is_full(board, position)) return squares;
    if (position.last != nowhere) {  // an empty square of the line that the last square shows
        for (const int square : board.lines[static_cast<std::size_t>(position.last)]) {
            if (position.at(square) == '.') squares.push_back(square);
        }
    }
    if (squares.empty()) {  // the line is full, or it is the first turn: any empty square
        for (int square = 0; square < board.squares; square++) {
            if (position.at(square) == '.') squares.push_back(square);
        }
    }
    return squares;
}

bool play(const Board& board, Position& position, int square) {
    const char mine = position.mover, theirs = other(mine);
    int changed[1 + 8] = {square}, count = 1;
    position.at(square) = mine;
    // In each direction, over my own rings: where the first other square at both ends is theirs, those two
    // turn. All four directions are looked at before anything turns.
    for (const Step step : directions) {
        const int one = walk(board, position, square, step, mine),
                  two = walk(board, position, square, -step, mine);
        if (one == nowhere || two == nowhere) continue;
        if (position.at(one) != theirs || position.at(two) != theirs) continue;
        changed[count++] = one;
        changed[count++] = two;
    }
    for (int i = 0; i < count; i++) position.at(changed[i]) = mine;
    position.last = square;
    position.ply++;
    position.mover = theirs;
    return std::any_of(changed, changed + count,
                       [&](int at) { return makes_five(board, position, at, mine); });
}

bool is_full(const Board& board, const Position& position) { return position.ply == 2 * board.rings; }

int largest_group(const Board& board, const Position& position, char side) {
    constexpr Step neighbours[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    std::vector<bool> seen(position.cells.size());
    std::size_t largest = 0;
    const auto is_new = [&](int square) {
        return square != nowhere && position.at(square) == side && !seen[static_cast<std::size_t>(square)];
    };
    for (int first = 0; first < board.squares; first++) {
        std::vector<int> group;
        const auto add = [&](int square) {
            if (!is_new(square)) return;
            seen[static_cast<std::size_t>(square)] = true;
            group.push_back(square);
        };
        add(first);
        for (std::size_t i = 0; i < group.size(); i++) {  // the group grows while we go through it
            for (const Step step : neighbours) add(next(board, group[i], step));
        }
        largest = std::max(largest, group.size());
    }
    return static_cast<int>(largest);
}

std::uint64_t perft(const Board& board, const Position& position, int depth) {
    const std::vector<int> squares = legal_squares(board, position);
    if (depth == 1) return squares.size();
    std::uint64_t sum = 0;
    for (const int square : squares) {
        Position after = position;
        if (!play(board, after, square)) sum += perft(board, after, depth - 1);
    }
    return sum;
}
