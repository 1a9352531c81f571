// Dials in to an arena and plays there with a bot, over ZeroMQ, until one of them has had enough (DBP-11).
//
//     class First : public donuts::Bot {
//         donuts::Answer move(const donuts::Turn& turn, donuts::Thinking&) override { return turn.legal[0]; }
//     };
//     First bot;
//     donuts::play(bot, donuts::read_invitation("alice.join.toml"), {"alice"});
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "donuts/bot.hpp"
#include "donuts/encoding.hpp"
#include "donuts/invitation.hpp"

namespace donuts {

/// What the bot says of itself in `hello`.
struct Profile {
    std::string name = "bot";  ///< 1 to 40 characters, for display
    std::string version = "";
    std::string author = "";
    std::string time_control = "";  ///< a wish such as 10+0.1 (DBP-11.15); empty: none
    bool info = false;              ///< ask for the right to report while thinking
};

struct Options {
    Encoding encoding = Encoding::msgpack;
    std::optional<unsigned> games;  ///< leave after so many games; nothing: play as many as come
    std::chrono::milliseconds silence{
        15000};  ///< without a word, while no answer is owed: dial again (DBP-11.8)
    std::chrono::milliseconds first_pause{1000},
        longest_pause{30000};                      ///< before dialling again after a `bye`
    std::function<void(const std::string&)> tell;  ///< gets lines for people; nothing: they go to stderr
};

/// The arena sent the bot away for good, or does not let it in.
class Dismissed : public Error {
public:
    Dismissed(std::string why, const std::string& sentence) : Error(sentence), why(std::move(why)) {}

    std::string why;  ///< the word of its `bye`, such as seat, replaced, kicked, benched; or `key`
};

/// Plays at the arena; dials again by itself where the connection is lost, or where the arena bids it to come
/// later. Returns after `bye why=done` and after `options.games` games. Throws Dismissed; InvitationError
/// where the invitation cannot be dialled; InvalidMessage where the profile or an answer of the bot cannot be
/// said; and what the bot throws.
void play(Bot& bot, const Invitation& invitation, const Profile& profile, const Options& options = {});

}  // namespace donuts
