// What a bot is: it gets a position and gives a square. `donuts::play` in client.hpp does everything else.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "donuts/message.hpp"

namespace donuts {

/// A game that is about to begin (DBP-6.5). Times are milliseconds.
struct Game {
    explicit Game(const Message& message);

    std::uint64_t id;
    char you;   ///< 'x' moves first, or 'o'
    int size;   ///< 6 or 9
    int rings;  ///< for each side
    std::uint64_t main, increment, margin, preparation;
    std::optional<std::uint64_t> move_limit;
    std::string opponent;  ///< empty where its name is hidden
    std::uint64_t seed;    ///< for the bot's own dice
};

/// A position and its clocks: all there is to know (DBP-6.7). Times are milliseconds.
struct Turn {
    explicit Turn(const Message& message);

    std::uint64_t id, game;
    int ply;  ///< placements made so far
    char you;
    int size, rings;
    std::string layout;  ///< H, V, D or A of each square, a1 b1 ... in index order
    std::string cells;   ///< '.', 'x' or 'o' of each square
    std::string last;    ///< the square that was filled last; empty at the start of a game
    List legal;          ///< in index order, never empty
    std::uint64_t clock, opponent_clock, increment, limit, margin, spent;
    bool resent;

    /// The index of a square such as "e4" in `layout` and `cells`.
    std::size_t index(const std::string& square) const;
};

/// How a game went (DBP-6.14).
struct End {
    explicit End(const Message& message);

    std::uint64_t game;
    std::string result;  ///< win, loss, draw or void, for this bot
    std::string why, text;
    std::string cells;
    List moves;
    bool more;  ///< another game of the match follows
};

/// What a bot may say besides the square; none of it is judged.
struct Report {
    std::optional<std::uint64_t> eval;  ///< its chances in permille
    std::string proof;                  ///< win, draw, loss, or empty
    std::optional<std::uint64_t> nodes, depth;
    List variation;
    std::string text;  ///< at most 200 characters
};

/// The answer to a turn: a square, or `Answer::resign()`.
struct Answer {
    Answer(std::string square) : square(std::move(square)) {}
    Answer(const char* square) : square(square) {}
    static Answer resign() { return Answer(""); }

    std::string square;
    Report report;
};

/// What a bot can ask and say while it thinks.
class Thinking {
public:
    virtual ~Thinking() = default;

    /// Whether nobody waits for the answer any more; looks at what has come in, so ask it not more than every
    /// few ms.
    virtual bool cancelled() = 0;

    /// Tells onlookers about the search, where `Profile::info` was wished and granted, at most 20 times a
    /// second.
    virtual void report(const Report& report) = 0;
};

/// A program that plays DONUTS. An exception that leaves one of its methods ends `play`; the referee is told.
class Bot {
public:
    virtual ~Bot() = default;

    /// Before a game; the referee waits `game.preparation` ms at most.
    virtual void prepare(const Game&) {}

    /// One of `turn.legal`, within `turn.limit` ms.
    virtual Answer move(const Turn& turn, Thinking& thinking) = 0;

    /// After a game.
    virtual void finish(const End&) {}
};

}  // namespace donuts
