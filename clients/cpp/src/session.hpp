// A bot's session with an arena over one connection after the other, so that a player does not notice
// (DBP-11).
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <zmq.hpp>

#include "dealer.hpp"
#include "donuts/client.hpp"

namespace donuts {

using Clock = std::chrono::steady_clock;

/// How long to wait before dialling again: `first`, then twice as long each time, up to `most`.
struct Pauses {
    std::chrono::milliseconds first, most, present = first;

    std::chrono::milliseconds next();
    void reset() { present = first; }
};

/// Reads and writes messages. A connection that is lost, that the arena does not know, or that is silent for
/// too long is replaced, and `hello` shows the session. Until the arena says what it still waits for, an open
/// question stays open: its answer is kept, and given when the turn is sent again. After a `bye` that bids so
/// the bot dials again later.
class Session {
public:
    Session(const Invitation& invitation, const Profile& profile, const Options& options);

    /// The next message that is the player's business; nothing when there will be none.
    std::optional<Message> read();

    /// The same without waiting: nothing where there is none yet. A lost connection is noticed and replaced
    /// here too.
    std::optional<Message> look();

    /// Sends a message; what nobody waits for is dropped, and the answer to a turn is kept where that was cut
    /// off.
    void write(const Message& message);

    /// Whether this question is open, or was when the connection was lost.
    bool awaits(std::uint64_t question) const;

    bool may_report() const { return reports_; }

    /// Says `bye` where somebody listens, and closes.
    void leave();

    /// Tells people something.
    void tell(const std::string& line) const;

    /// Why the arena sent the bot away for good, once it has; `key` where it refused the key.
    const std::optional<std::string>& farewell() const { return farewell_; }

    /// Text of the last `error` of the arena, if nothing was asked since.
    const std::string& complaint() const { return complaint_; }

private:
    void step(bool wait);
    std::optional<Clock::time_point> due() const;
    std::chrono::milliseconds timeout() const;
    void follow(News news);
    void hear();
    void take(const std::string& frame);
    void judge(const Message& message);
    void welcome(const Message& message);
    bool resume(const Message& turn);
    void dismiss(const std::string& why);
    void greet();
    bool send(const Message& message);
    void lose();
    void hang_up(std::chrono::milliseconds pause);
    void tell_once(const std::string& line);

    const Invitation invitation_;
    const Options options_;
    const std::string where_;
    Message hello_;
    zmq::context_t context_;
    std::unique_ptr<Dealer> dealer_;
    unsigned connection_ = 0;  ///< counts connections
    std::deque<Message> inbox_;

    bool greeted_ = false;  ///< `hello` was said on this connection
    bool alive_ = false;  ///< something was asked on it, so that dialling at once cannot go round in circles
    bool cut_ = false;    ///< something could not be sent on it
    bool reports_ = false;                      ///< `info` is granted
    int botched_ = 0;                           ///< handshakes running that failed
    bool met_ = false;                          ///< the arena has said `welcome` once
    Clock::time_point again_ = Clock::now();    ///< when to dial
    Clock::time_point sound_ = Clock::now();    ///< when something was heard or said last
    std::optional<Clock::time_point> patient_;  ///< when people are to be told that nobody answers
    std::optional<std::uint64_t> open_;         ///< the open question of this connection
    std::optional<std::uint64_t> suspended_;    ///< the one that was open when the connection was lost
    std::optional<Message> kept_;               ///< its answer
    std::optional<Message> answered_;           ///< the last answer to a turn that was given
    Pauses after_loss_, after_bye_;
    std::set<std::string> told_;
    std::optional<std::string> farewell_;
    std::string complaint_;
};

}  // namespace donuts
