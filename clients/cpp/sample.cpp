// A bot that dials in to an arena: it places its rings close to its other rings.
//
//     sample (--connect ENDPOINT | --seat-file FILE) [--name NAME] [--games N] [--tc TC]
//
// Exit status: 0 done, 1 a fault of the bot, 2 usage or a seat that cannot be dialled, 3 sent away for good.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>

#include "donuts/client.hpp"

namespace {

constexpr const char* usage =
    "usage: sample (--connect ENDPOINT | --seat-file FILE) [--name NAME] [--games N] [--tc TC]; "
    "such as --connect tcp://127.0.0.1:7464";

class Neighbour : public donuts::Bot {
public:
    void prepare(const donuts::Game& game) override { dice_.seed(game.seed); }

    donuts::Answer move(const donuts::Turn& turn, donuts::Thinking&) override {
        donuts::List squares = turn.legal;
        std::shuffle(squares.begin(), squares.end(), dice_);
        return *std::max_element(squares.begin(), squares.end(),
                                 [&](const std::string& a, const std::string& b) {
                                     return neighbours(turn, a) < neighbours(turn, b);
                                 });
    }

private:
    /// How many of the eight squares around this one hold rings of ours.
    static int neighbours(const donuts::Turn& turn, const std::string& square) {
        const int at = static_cast<int>(turn.index(square)), row = at / turn.size, column = at % turn.size;
        int count = 0;
        for (int r = std::max(0, row - 1); r <= std::min(turn.size - 1, row + 1); r++) {
            for (int c = std::max(0, column - 1); c <= std::min(turn.size - 1, column + 1); c++) {
                count += turn.cells[static_cast<std::size_t>(r * turn.size + c)] == turn.you;
            }
        }
        return count;
    }

    std::mt19937_64 dice_;
};

class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

std::map<std::string, std::string> read_options(int count, char** words) {
    std::map<std::string, std::string> options;
    for (int i = 1; i < count; i++) {
        const std::string word = words[i];
        if (word != "--connect" && word != "--seat-file" && word != "--name" && word != "--games" &&
            word != "--tc") {
            throw UsageError("there is no option " + word);
        }
        if (++i == count) throw UsageError(word + " needs a value");
        options[word] = words[i];
    }
    if (options.count("--connect") == options.count("--seat-file")) throw UsageError("say where to dial");
    return options;
}

unsigned read_games(const std::string& text) {
    if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos) {
        throw UsageError("--games needs a number, not " + text);
    }
    return static_cast<unsigned>(std::stoul(text));
}

void run(const std::map<std::string, std::string>& given) {
    const auto option = [&given](const char* name) {
        return given.count(name) ? given.at(name) : std::string();
    };
    donuts::Invitation invitation;
    if (given.count("--seat-file")) {
        invitation = donuts::read_invitation(option("--seat-file"));
    } else {
        invitation.endpoint = option("--connect");
    }
    const char* token = std::getenv("DONUTS_SEAT");
    if (invitation.token.empty() && token != nullptr) invitation.token = token;
    donuts::Profile profile;
    profile.name = given.count("--name")     ? option("--name")
                   : invitation.name.empty() ? "cpp sample"
                                             : invitation.name;
    profile.version = "1";
    profile.time_control = option("--tc");
    donuts::Options options;
    if (given.count("--games")) options.games = read_games(option("--games"));
    Neighbour bot;
    donuts::play(bot, invitation, profile, options);
}

}  // namespace

int main(int count, char** words) {
    if (count == 2 && std::string(words[1]) == "--help") {
        std::cout << usage << std::endl;
        return 0;
    }
    try {
        run(read_options(count, words));
        return 0;
    } catch (const UsageError& fault) {
        std::cerr << fault.what() << "; " << usage << std::endl;
        return 2;
    } catch (const donuts::InvitationError& fault) {
        std::cerr << fault.what() << std::endl;
        return 2;
    } catch (const donuts::Dismissed& fault) {
        std::cerr << fault.what() << std::endl;
        return 3;
    } catch (const std::exception& fault) {
        std::cerr << fault.what() << std::endl;
        return 1;
    }
}
