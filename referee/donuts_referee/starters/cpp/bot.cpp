// This bot plays DONUTS. The referee writes a line to its standard input for everything that happens, and the
// bot answers with lines on its standard output. Nothing else may go there: print what you want to see to
// std::cerr.
//
//     bot.cpp      the conversation with the referee (this file)
//     rules.cpp    the board and the rules
//     search.cpp   how it chooses a square: the place to begin when you want it to play better
#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "rules.hpp"
#include "search.hpp"

namespace {

// Shown to people.
const std::string name = "NAME";

// Without the flush a line would stay in a buffer, and the referee would wait in vain.
void say(const std::string& line) { std::cout << line + "\n" << std::flush; }

// A name may hold any character, if it is written as %XX.
std::string escaped(const std::string& text) {
    constexpr char digits[] = "0123456789ABCDEF";
    std::string written;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        const bool plain = byte > ' ' && byte < 127 && letter != '%' && letter != ',' && letter != '=';
        written += plain ? std::string(1, letter) : std::string("%") + digits[byte / 16] + digits[byte % 16];
    }
    return written;
}

// A line of the referee: its verb, the id of the question if it has one, and key=value in any order.
struct Message {
    explicit Message(const std::string& line) {
        std::istringstream words(line);
        words >> verb;
        for (std::string word; words >> word;) {
            const std::size_t equals = word.find('=');
            if (equals == std::string::npos) {
                id = word;
            } else {
                fields[word.substr(0, equals)] = word.substr(equals + 1);
            }
        }
    }

    long long number(const std::string& key) const { return std::stoll(fields.at(key)); }

    std::string verb, id;
    std::map<std::string, std::string> fields;
};

// How long to think, in milliseconds: a part of what is left, and never so long that the limit comes near.
std::chrono::milliseconds thinking_time(const Message& turn) {
    const long long time = turn.number("clock") / 25 + turn.number("inc") * 3 / 4;
    return std::chrono::milliseconds(std::min({time, turn.number("limit") / 2, 2000LL}));
}

// All there is to know stands in the turn: nothing need be remembered from one to the next.
void answer(const Message& turn, const std::atomic<bool>& stop) {
    Board board(turn.fields.at("layout"));
    board.rings = static_cast<int>(turn.number("rings"));
    Position position(board);
    position.cells = turn.fields.at("cells");
    position.mover = turn.fields.at("you").at(0);
    position.last = square_number(turn.fields.at("last"), board.size);
    position.ply = static_cast<int>(turn.number("ply"));
    const Choice choice = Search(board, thinking_time(turn), stop).choose(position);
    if (stop) return;  // nobody waits for it any more
    say("move " + turn.id + " " + square_name(choice.square, board.size) +
        " eval=" + std::to_string(choice.eval) + " depth=" + std::to_string(choice.depth) +
        " nodes=" + std::to_string(choice.nodes));
}

// The search runs in a thread of its own, so that a turn can be cancelled while the bot thinks about it.
class Thinker {
public:
    ~Thinker() { give_up(); }

    void begin(const Message& turn) {
        give_up();
        stop_ = false;
        thread_ = std::thread([this, turn] {
            try {
                answer(turn, stop_);
            } catch (const std::exception& fault) {
                std::cerr << "this turn cannot be answered: " << fault.what() << std::endl;
            }
        });
    }

    void give_up() {
        stop_ = true;
        if (thread_.joinable()) thread_.join();
    }

private:
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

// Answers the referee until it says bye or is gone. What the bot does not know, it ignores.
void talk() {
    say("hello donuts=1-1 name=" + escaped(name));  // say this first, and load what is heavy afterwards
    Thinker thinker;
    for (std::string line; std::getline(std::cin, line) && !std::cin.eof();) {
        const Message message(line);
        if (message.verb == "turn") thinker.begin(message);
        if (message.verb == "cancel" || message.verb == "end") thinker.give_up();
        if (message.verb == "game") say("ready " + message.id);
        if (message.verb == "ping") say("pong " + message.id);
        if (message.verb == "bye") return;
    }
}

const std::string usage =
    "usage: @NAME@                                plays on stdin and stdout (donuts play, donuts check)\n"
    "       @NAME@ perft LAYOUT DEPTH [RINGS]     counts move sequences (donuts perft)\n";

// perft LAYOUT DEPTH [RINGS]: counts move sequences, to prove that rules.cpp is right (see `donuts perft`).
int count_moves(int count, char** words) {
    try {
        if (count < 2) throw std::invalid_argument("a layout and a depth are needed");
        Board board(words[0]);
        const int depth = std::stoi(words[1]);
        if (count > 2) board.rings = std::stoi(words[2]);
        if (depth < 1 || board.rings < 1 || board.rings > board.squares / 2)
            throw std::invalid_argument("out of range");
        std::cout << perft(board, Position(board), depth) << std::endl;
        return 0;
    } catch (const std::exception& fault) {
        std::cerr << fault.what() << "\n" << usage << std::flush;
        return 2;
    }
}

}  // namespace

int main(int count, char** words) {
    if (count > 1 && std::string(words[1]) == "perft") return count_moves(count - 2, words + 2);
    if (count > 1) {
        const bool asked = std::string(words[1]) == "--help";
        (asked ? std::cout : std::cerr) << usage << std::flush;
        return asked ? 0 : 2;
    }
    talk();
    return 0;
}
