#include "search.hpp"

#include <algorithm>

namespace {

constexpr int win = 100000, infinite = 1000000;

// Chances in thousandths.
int chances(int value) {
    if (value > win / 2) return 1000;
    if (value < -win / 2) return 0;
    return 500 + std::clamp(value, -490, 490);
}

}  // namespace

Search::Search(const Board& board, std::chrono::milliseconds time, const std::atomic<bool>& stop)
    : board_(board), deadline_(std::chrono::steady_clock::now() + time), stop_(stop) {}

// How good a position is for the mover, without looking ahead: rows of five squares that only one side has
// rings in count for that side, the more rings the more, and a large group is worth a little too.
int Search::evaluate(const Position& position) const {
    constexpr int worth[] = {0, 1, 4, 12, 30, 0};
    constexpr int steps[][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};  // in column and row
    const char mine = position.mover, theirs = other(mine);
    const int size = board_.size;
    int score = 3 * (largest_group(board_, position, mine) - largest_group(board_, position, theirs));
    for (const auto& [right, up] : steps) {
        for (int row = up < 0 ? 4 : 0; row < size && row + 4 * up < size; row++) {
            for (int column = 0; column + 4 * right < size; column++) {
                int me = 0, them = 0;
                for (int i = 0; i < 5; i++) {
                    const char cell = position.at((row + i * up) * size + column + i * right);
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

// The value of a game whose rings are all placed, for the mover: the larger group wins.
int Search::final_value(const Position& position) const {
    const int mine = largest_group(board_, position, position.mover);
    const int theirs = largest_group(board_, position, other(position.mover));
    return mine > theirs ? win - position.ply : mine < theirs ? position.ply - win : 0;
}

// The value of a position for its mover, between alpha and beta (negamax with alpha-beta). A win is worth
// more the earlier it comes.
int Search::value(const Position& position, int depth, int alpha, int beta) {
    if (++nodes_ % 256 == 0 && (stop_ || std::chrono::steady_clock::now() >= deadline_)) stopped_ = true;
    if (stopped_) return 0;
    if (is_full(board_, position)) return final_value(position);
    if (depth == 0) return evaluate(position);
    for (const int square : legal_squares(board_, position)) {
        Position after = position;
        const bool five = play(board_, after, square);
        const int found = five ? win - after.ply : -value(after, depth - 1, -beta, -alpha);
        if (stopped_) return 0;
        alpha = std::max(alpha, found);
        if (alpha >= beta) break;  // the other side will not let it come to this
    }
    return alpha;
}

Choice Search::choose(const Position& position) {
    std::vector<int> squares = legal_squares(board_, position);
    Choice best{squares.at(0)};
    if (squares.size() == 1) return best;
    for (int depth = 1; position.ply + depth <= 2 * board_.rings && !stopped_; depth++) {
        int alpha = -infinite;
        auto leader = squares.begin();
        for (auto square = squares.begin(); square != squares.end(); ++square) {
            Position after = position;
            const bool five = play(board_, after, *square);
            const int found = five ? win - after.ply : -value(after, depth - 1, -infinite, -alpha);
            if (stopped_) break;
            if (found > alpha) {
                alpha = found;
                leader = square;
            }
        }
        if (alpha == -infinite) break;  // time was up before anything was found
        std::rotate(squares.begin(), leader,
                    leader + 1);  // the best square so far is looked at first next time
        best.square = squares[0];
        best.eval = chances(alpha);
        if (!stopped_) best.depth = depth;
        if (alpha > win / 2 || alpha < -win / 2) break;  // the end is known
    }
    best.nodes = nodes_;
    return best;
}
