// A bot's session with an arena over one connection after the other, so that a player does not notice
// (DBP-11).
#include "session.hpp"

#include <algorithm>
#include <iostream>
#include <thread>

#include "letters.hpp"

namespace donuts {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds patience{
    3000};  // without `welcome`, after which people are told that the arena is away
constexpr milliseconds farewell_time{500};

/// The words of a `bye` after which a bot may dial in again by itself (DBP-11.14).
bool bids_again(const std::string& why) {
    static const std::set<std::string> words = {"drain",  "busy",  "start",      "timeout",
                                                "unread", "crash", "disconnect", "protocol",
                                                "flood",  "abort", "referee"};
    return words.count(why) != 0;
}

bool is_answer_to_turn(const Message& message) { return message.verb == "move" || message.verb == "resign"; }

bool is_question(const Message& message) {
    return message.verb == "turn" || message.verb == "game" || message.verb == "ping";
}

Message make_hello(const Invitation& invitation, const Profile& profile) {
    Message hello{"hello", {{"donuts", "1-1"}, {"name", profile.name}}};
    const auto add = [&hello](const char* key, const std::string& value) {
        if (!value.empty()) hello.values[key] = value;
    };
    add("ver", profile.version);
    add("author", profile.author);
    add("seat", invitation.token);
    add("tc", profile.time_control);
    if (profile.info) hello.values["caps"] = List{"info"};
    write_text(hello, Sender::bot);  // so that a value out of its bounds is refused now
    return hello;
}

}  // namespace

milliseconds Pauses::next() {
    const milliseconds pause = present;
    present = std::min(2 * present, most);
    return pause;
}

Session::Session(const Invitation& invitation, const Profile& profile, const Options& options)
    : invitation_(invitation),
      options_(options),
      where_(shown(invitation.endpoint, 200)),
      hello_(make_hello(invitation, profile)),
      patient_(Clock::now() + patience),
      after_loss_{milliseconds(100), milliseconds(2000)},
      after_bye_{options.first_pause, options.longest_pause} {
    check_privacy(invitation);
}

std::optional<Message> Session::read() {
    while (inbox_.empty() && !farewell_) step(true);
    return look();
}

std::optional<Message> Session::look() {
    if (inbox_.empty() && !farewell_) step(false);
    if (inbox_.empty()) return {};
    const Message message = inbox_.front();
    inbox_.pop_front();
    return message;
}

void Session::write(const Message& message) {
    const bool info = message.verb == "info";
    if (is_answer_to_turn(message) || info || message.verb == "ready" || message.verb == "pong") {
        const std::uint64_t question = message.integer("id");
        if (open_ != question) {
            if (is_answer_to_turn(message) && suspended_ == question) kept_ = message;
            return;
        }
        if (!info) open_.reset();
        if (is_answer_to_turn(message)) answered_ = message;
    }
    if (greeted_ && !send(message) && !info) cut_ = true;
}

bool Session::awaits(std::uint64_t question) const { return open_ == question || suspended_ == question; }

void Session::leave() {
    if (dealer_ == nullptr) return;
    if (greeted_ && !farewell_) send({"bye", {}});
    dealer_->close(farewell_time);
    dealer_.reset();
}

/// Looks at the connection once; with `wait`, after waiting for it until something is due.
void Session::step(bool wait) {
    if (dealer_ == nullptr) {
        if (Clock::now() < again_ && !wait) return;
        std::this_thread::sleep_until(again_);
        dealer_ = std::make_unique<Dealer>(context_, invitation_);
        connection_++;
    }
    dealer_->wait(wait && !cut_ ? timeout() : milliseconds(0));
    hear();
    for (const unsigned connection = connection_; dealer_ != nullptr && connection == connection_;) {
        const auto news = dealer_->news();
        if (!news) break;
        follow(*news);
    }
    if (dealer_ == nullptr) return;
    const Clock::time_point now = Clock::now();
    if (const auto at = due(); cut_ || (at && now >= *at)) lose();
    if (patient_ && now >= *patient_) {
        patient_.reset();
        if (told_.empty()) tell_once("the arena at " + where_ + " does not answer");
    }
}

/// When this connection has been silent for too long; never while an answer is owed.
std::optional<Clock::time_point> Session::due() const {
    if (!greeted_ || open_) return {};
    return sound_ + options_.silence;
}

milliseconds Session::timeout() const {
    Clock::time_point next = Clock::now() + std::chrono::hours(1);
    if (const auto at = due()) next = std::min(next, *at);
    if (patient_) next = std::min(next, *patient_);
    return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(next - Clock::now()));
}

void Session::follow(News news) {
    switch (news) {
        case News::made: greet(); break;
        case News::missed: tell_once("nobody answers at " + where_); break;
        case News::botched:  // once may be an arena that is just going down
            if (++botched_ < 2) return lose();
            tell_once("what answers at " + where_ +
                      " breaks off the handshake: it is no arena, or wants keys where the "
                      "join file has none, or other keys");
            lose();
            break;
        case News::refused: dismiss("key"); break;
        case News::lost: lose(); break;
    }
}

void Session::greet() {
    greeted_ = true;
    botched_ = 0;
    if (!send(hello_)) lose();
}

bool Session::send(const Message& message) {
    sound_ = Clock::now();
    const std::string frame = options_.encoding == Encoding::text ? write_text(message, Sender::bot)
                                                                  : write_msgpack(message, Sender::bot);
    return dealer_ != nullptr && dealer_->send(frame);
}

/// Takes all that has come in on this connection.
void Session::hear() {
    const unsigned connection = connection_;
    while (dealer_ != nullptr && connection == connection_) {
        const auto frame = dealer_->receive();
        if (!frame) return;
        sound_ = Clock::now();
        if (!frame->empty()) take(*frame);
    }
}

void Session::take(const std::string& frame) {
    try {
        judge(options_.encoding == Encoding::text ? read_text(frame, Sender::referee)
                                                  : read_msgpack(frame, Sender::referee));
    } catch (const InvalidMessage& fault) {
        if (!fault.known_verb) return;  // of a later edition (DBP-12.4)
        tell(std::string("a message of the arena cannot be used: ") + fault.what());
        Message error{"error", {{"code", "invalid"}, {"text", first_characters(fault.what(), 200)}}};
        if (fault.id) error.values["id"] = *fault.id;
        if (greeted_) send(error);
    }
}

/// Keeps what is the player's business; the rest is dealt with here.
void Session::judge(const Message& message) {
    if (message.verb == "welcome") {
        welcome(message);
    } else if (message.verb == "error") {
        if (message.find_text("code") == "hello") {  // it does not know this connection (DBP-11.9)
            hang_up(alive_ ? milliseconds(0) : after_loss_.next());
            return;
        }
        complaint_ = message.find_text("text").value_or(message.find_text("code").value_or(""));
    } else if (message.verb == "bye") {
        const std::string why = message.find_text("why").value_or("");
        if (!bids_again(why)) {
            dismiss(why);
            return;
        }
        tell_once("the arena at " + where_ + " says bye: " + why);
        hang_up(after_bye_.next());
        return;
    } else if (message.verb == "turn" && resume(message)) {
        return;
    } else {
        if (is_question(message)) open_ = message.integer("id");
        if (message.verb == "end" || (message.verb == "cancel" && open_ == message.integer("id")))
            open_.reset();
        alive_ = true;
        suspended_.reset();
        kept_.reset();
        complaint_.clear();
        after_loss_.reset();
        if (message.verb == "end") after_bye_.reset();
    }
    inbox_.push_back(message);
}

void Session::welcome(const Message& message) {
    const std::string& token = message.text("session");
    if (hello_.find_text("session") != token) {  // what was open in another session is gone
        suspended_.reset();
        kept_.reset();
        answered_.reset();
    }
    hello_.values["session"] = token;
    const List& granted = message.list("caps");
    reports_ = std::find(granted.begin(), granted.end(), "info") != granted.end();
    if (!told_.empty() || !met_) tell("welcome at " + where_ + ", says " + message.text("ref"));
    met_ = true;
    told_.clear();
    patient_.reset();
}

/// Whether this turn is sent again and was answered or thought over already; it gets that answer (DBP-11.11).
bool Session::resume(const Message& turn) {
    const std::uint64_t id = turn.integer("id");
    if (answered_ && answered_->integer("id") == id) kept_ = answered_;
    if (!kept_ || kept_->integer("id") != id) return false;
    answered_ = kept_;
    suspended_.reset();
    open_.reset();
    kept_.reset();
    alive_ = true;
    if (!send(*answered_)) cut_ = true;
    return true;
}

void Session::dismiss(const std::string& why) {
    farewell_ = why;
    open_.reset();
    suspended_.reset();
}

/// This connection is of no use any more; what came over it still counts.
void Session::lose() {
    const unsigned connection = connection_;
    hear();
    if (dealer_ != nullptr && connection == connection_ && !farewell_) {
        hang_up(alive_ ? milliseconds(0) : after_loss_.next());
    }
}

void Session::hang_up(milliseconds pause) {
    if (open_) suspended_ = open_;
    open_.reset();
    dealer_.reset();
    greeted_ = alive_ = cut_ = false;
    again_ = Clock::now() + pause;
    if (!patient_) patient_ = again_ + patience;
}

void Session::tell(const std::string& line) const {
    if (options_.tell) {
        options_.tell(line);
    } else {
        std::cerr << line << std::endl;
    }
}

/// Tells people, once until the next `welcome`, why it takes longer.
void Session::tell_once(const std::string& line) {
    patient_.reset();
    if (told_.insert(line).second) tell(line + "; dialling again, Ctrl-C ends it");
}

}  // namespace donuts
