// How the bot chooses a square. This is the place to begin when you want it to play better.
#pragma once

#include <atomic>
#include <chrono>

#include "rules.hpp"

struct Choice {
    int square;
    int eval = 500;  // the bot's chances: 0 is a sure loss, 1000 a sure win
    int depth = 0;   // plies that were searched
    std::uint64_t nodes = 0;
};

// Looks deeper and deeper until time is up, or until `stop` is set from outside.
class Search {
public:
    Search(const Board& board, std::chrono::milliseconds time, const std::atomic<bool>& stop);

    // The best square that was found.
    Choice choose(const Position& position);

private:
    int value(const Position& position, int depth, int alpha, int beta);
    int evaluate(const Position& position) const;
    int final_value(const Position& position) const;

    const Board& board_;
    const std::chrono::steady_clock::time_point deadline_;
    const std::atomic<bool>& stop_;
    bool stopped_ = false;  // time is up: what the search returns is worth nothing
    std::uint64_t nodes_ = 0;
};
