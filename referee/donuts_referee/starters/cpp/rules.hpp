// The board and the rules of DONUTS.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Squares are numbered from a1 = 0 along the rows: b1 = 1, ..., a2 = size.
constexpr int nowhere = -1;

std::string square_name(int square, int size);
int square_number(const std::string& name, int size);

inline char other(char side) { return side == 'x' ? 'o' : 'x'; }

// What never changes during a game.
class Board {
public:
    // Takes 36 or 81 letters of H, V, D and A. Throws std::invalid_argument where they are none.
    explicit Board(const std::string& layout);

    int size;                             // 6 or 9
    int squares;                          // size x size
    int rings;                            // for each side; at first the usual number
    std::vector<std::vector<int>> lines;  // the squares on the line that each square shows
};

// What changes with each turn. Small enough to be copied before a move is tried.
struct Position {
    // The start of a game.
    explicit Position(const Board& board) : cells(static_cast<std::size_t>(board.squares), '.') {}

    char& at(int square) { return cells[static_cast<std::size_t>(square)]; }
    char at(int square) const { return cells[static_cast<std::size_t>(square)]; }

    std::string cells;   // '.', 'x' or 'o' of each square
    char mover = 'x';    // whose turn it is
    int last = nowhere;  // the square that was filled last
    int ply = 0;         // rings on the board
};

// The squares where the mover may place a ring; none when all rings are placed.
std::vector<int> legal_squares(const Board& board, const Position& position);

// Places a ring of the mover and turns what it turns; the other side is then the mover. Returns whether that
// makes five.
bool play(const Board& board, Position& position, int square);

// Whether all rings are placed.
bool is_full(const Board& board, const Position& position);

// How many rings the largest group of a side has.
int largest_group(const Board& board, const Position& position, char side);

// The number of sequences of `depth` legal moves; a game that is over has no more.
std::uint64_t perft(const Board& board, const Position& position, int depth);
