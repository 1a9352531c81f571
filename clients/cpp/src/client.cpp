// Plays at an arena with a bot: reads, answers, and shields the bot's code from the protocol and the other
// way round.
#include "donuts/client.hpp"

#include <exception>

#include "letters.hpp"
#include "session.hpp"

namespace donuts {

namespace {

constexpr std::chrono::milliseconds report_gap{50};  // 20 a second are allowed (DBP-6.10)

std::string sentence(const std::string& why, const std::string& complaint) {
    std::string line = why == "key" ? "the arena refuses this bot" : "the arena says bye: " + why;
    if (!complaint.empty()) line += " (" + shown(complaint, 200) + ")";
    if (why == "seat")
        return line + "; there is no such seat, or it is revoked: ask the operator for a new join file";
    if (why == "key")
        return line + "; it does not know this key, or has revoked it: ask the operator for a new join file";
    if (why == "replaced") return line + "; another connection holds this seat now: stop the other one";
    if (why == "kicked")
        return line + "; the operator has removed this bot: ask there before you dial in again";
    if (why == "benched")
        return line + "; too many games in a row were lost by the bot's own faults: mend it first";
    if (why == "version") return line + "; the two speak no version of the protocol in common";
    return line;
}

void add(Message& message, const Report& report) {
    if (report.eval) message.values["eval"] = *report.eval;
    if (!report.proof.empty()) message.values["proof"] = report.proof;
    if (report.nodes) message.values["nodes"] = *report.nodes;
    if (report.depth) message.values["depth"] = *report.depth;
    if (!report.variation.empty()) message.values["pv"] = report.variation;
    if (!report.text.empty()) message.values["text"] = report.text;
}

class Player : public Thinking {
public:
    Player(Bot& bot, Session& session, const Options& options)
        : bot_(bot), session_(session), games_(options.games) {}

    void play() {
        while (games_ != 0U) {
            const auto message = next();
            if (!message) return;
            try {
                answer(*message);
            } catch (const std::exception& fault) {
                complain(*message, fault.what());
                throw;
            }
        }
    }

    bool cancelled() override {
        look();
        return session_.farewell() || !session_.awaits(thinking_);
    }

    void report(const Report& report) override {
        const Clock::time_point now = Clock::now();
        if (!session_.may_report() || now - reported_ < report_gap) return;
        reported_ = now;
        Message info{"info", {{"id", thinking_}}};
        add(info, report);
        session_.write(info);
    }

private:
    std::optional<Message> next() {
        if (waiting_.empty()) return session_.read();
        const Message message = waiting_.front();
        waiting_.pop_front();
        return message;
    }

    void look() {
        while (const auto message = session_.look()) waiting_.push_back(*message);
    }

    void answer(const Message& message) {
        if (message.verb == "ping") {
            session_.write({"pong", {{"id", message.integer("id")}}});
        } else if (message.verb == "welcome") {
            const std::string& token = message.text("session");
            if (token != token_ && game_) over();  // a new session: nobody will tell how that game ended
            token_ = token;
        } else if (message.verb == "error") {
            session_.tell("the arena says: " + shown(message.find_text("code").value_or("error")) + ": " +
                          shown(message.find_text("text").value_or(""), 200));
        } else if (message.verb == "game") {
            const std::uint64_t id = message.integer("id");
            if (game_ != id) bot_.prepare(Game(message));  // else it is sent again
            game_ = id;
            session_.write({"ready", {{"id", id}}});
        } else if (message.verb == "turn") {
            think(message);
        } else if (message.verb == "end") {
            bot_.finish(End(message));
            over();
        }
    }

    void over() {
        game_.reset();
        if (games_) --*games_;
    }

    void think(const Message& message) {
        const Turn turn(message);
        thinking_ = turn.id;
        if (!session_.awaits(turn.id)) return;  // it was closed before it could be answered
        const Answer answer = bot_.move(turn, *this);
        Message move{answer.square.empty() ? "resign" : "move", {{"id", turn.id}}};
        if (!answer.square.empty()) {
            move.values["sq"] = answer.square;
            add(move, answer.report);
        }
        write_text(move, Sender::bot);  // so that a value out of its bounds is refused whoever waits for it
        look();
        session_.write(move);
    }

    /// Tells the referee that the bot is at its end, and why.
    void complain(const Message& message, const std::string& reason) {
        Message error{"error", {{"code", "exception"}, {"text", first_characters(shown(reason, 190), 200)}}};
        if (const auto id = message.find_integer("id")) error.values["id"] = *id;
        session_.write(error);
    }

    Bot& bot_;
    Session& session_;
    std::optional<unsigned> games_;  ///< until the bot leaves
    std::optional<std::uint64_t> game_;
    std::string token_;
    std::deque<Message> waiting_;  ///< what came in while the bot thought
    std::uint64_t thinking_ = 0;
    Clock::time_point reported_;
};

}  // namespace

void play(Bot& bot, const Invitation& invitation, const Profile& profile, const Options& options) {
    Session session(invitation, profile, options);
    try {
        Player(bot, session, options).play();
    } catch (...) {
        session.leave();
        throw;
    }
    session.leave();
    const auto& why = session.farewell();
    if (why && !why->empty() && *why != "done") throw Dismissed(*why, sentence(*why, session.complaint()));
}

}  // namespace donuts
