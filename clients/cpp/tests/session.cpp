// Lets the client play at a scripted arena: sessions, lost connections, words of farewell, and join files.
#include <cstdlib>
#include <future>
#include <iostream>
#include <zmq.hpp>

#include "donuts/client.hpp"

using donuts::Message;
using donuts::Sender;
using std::chrono::milliseconds;

namespace {

int checks = 0, failures = 0;

void check(bool good, const std::string& what) {
    checks++;
    if (good) return;
    failures++;
    std::cerr << "FAILED: " << what << std::endl;
}

Message line(const std::string& text) { return donuts::read_text(text, Sender::referee); }

const std::string board =
    "layout=AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH cells=.................................... last=-";

Message turn(const std::string& id, const std::string& more = "") {
    return line("turn " + id + " game=7 ply=0 you=x size=6 rings=15 " + board +
                " legal=a1,b1,c1 clock=1000 oclock=1000 "
                "inc=0 limit=1000 margin=50 spent=0" +
                more);
}

const Message welcome = line("welcome donuts=1-1 session=abc caps= maxline=4096 ref=test/1");
const Message game = line("game 7 you=x size=6 rings=15 main=1000 inc=0 margin=50 prep=1000 seed=1");

/// The arena's end: says and hears messages in msgpack.
class Arena {
public:
    explicit Arena(const std::string& endpoint = "tcp://127.0.0.1:*")
        : router_(context_, zmq::socket_type::router) {
        router_.set(zmq::sockopt::rcvtimeo, 20000);
        router_.set(zmq::sockopt::linger, 500);
        router_.bind(endpoint);
    }

    std::string endpoint() { return router_.get(zmq::sockopt::last_endpoint); }

    /// The next message, from whoever; later ones are said to the same peer.
    Message hear() {
        zmq::message_t address, payload;
        if (!router_.recv(address) || !router_.recv(payload)) throw std::runtime_error("the bot is silent");
        peer_ = address.to_string();
        return donuts::read_msgpack(payload.to_string_view(), Sender::bot);
    }

    void say(const Message& message) { say(donuts::write_msgpack(message, Sender::referee)); }

    void say(const std::string& payload) {
        router_.send(zmq::buffer(peer_), zmq::send_flags::sndmore);
        router_.send(zmq::buffer(payload));
    }

    /// Hears `hello`, with this session, and welcomes the bot.
    void let_in(const std::string& session) {
        const Message hello = hear();
        check(hello.verb == "hello" && hello.find_text("session").value_or("") == session,
              "hello with session " + session);
        say(welcome);
    }

    void expect(const Message& message) {
        const Message heard = hear();
        check(heard == message, donuts::write_text(message, Sender::bot) + " expected, and " +
                                    donuts::write_text(heard, Sender::bot) + " heard");
    }

private:
    zmq::context_t context_;
    zmq::socket_t router_;
    std::string peer_;
};

class Second : public donuts::Bot {
public:
    donuts::Answer move(const donuts::Turn& turn, donuts::Thinking& thinking) override {
        turns++;
        while (waits && !thinking.cancelled()) {
        }
        if (fails) throw std::runtime_error("no idea");
        return turn.legal.at(1);
    }

    int turns = 0;
    bool waits = false, fails = false;
};

/// A bot at an arena, in a thread of its own.
struct Guest {
    explicit Guest(Arena& arena) : Guest(arena.endpoint()) {}

    explicit Guest(const std::string& endpoint, std::optional<unsigned> games = {}, int silence = 60000) {
        donuts::Invitation invitation;
        invitation.endpoint = endpoint;
        invitation.token = "s3cret";
        donuts::Options options;
        options.games = games;
        options.silence = milliseconds(silence);
        options.first_pause = options.longest_pause = milliseconds(20);
        options.tell = [](const std::string&) {};
        done = std::async(std::launch::async,
                          [this, invitation, options] { donuts::play(bot, invitation, {"guest"}, options); });
    }

    /// Why `play` ended: nothing, or the text of the exception.
    std::string outcome() {
        try {
            done.get();
            return "";
        } catch (const donuts::Dismissed& fault) {
            return "dismissed: " + fault.why;
        } catch (const std::exception& fault) {
            return fault.what();
        }
    }

    Second bot;
    std::future<void> done;
};

const Message over = line(
    "end 7 result=win winner=x why=resign ply=1 cells=.x.................................. moves=b1 more=0");
const Message ready{"ready", {{"id", std::uint64_t{7}}}},
    move{"move", {{"id", std::uint64_t{8}}, {"sq", "b1"}}};

void plays_a_game() {
    Arena arena;
    Guest guest(arena);
    const Message hello = arena.hear();
    check(hello.text("name") == "guest" && hello.text("seat") == "s3cret" && !hello.has("session"),
          "the first hello");
    arena.say(welcome);
    arena.say(line("ping 6"));
    arena.expect({"pong", {{"id", std::uint64_t{6}}}});
    arena.say(game);
    arena.expect(ready);
    arena.say(turn("8"));
    arena.expect(move);
    arena.say(over);
    arena.say(line("bye why=done"));
    check(guest.outcome().empty(), "done");
}

void leaves_after_its_games() {
    Arena arena;
    Guest guest(arena.endpoint(), 1);
    arena.let_in("");
    arena.say(game);
    arena.expect(ready);
    arena.say(over);
    arena.expect({"bye", {}});
    check(guest.outcome().empty(), "left");
}

void says_hello_where_it_is_not_known() {
    Arena arena;
    Guest guest(arena);
    arena.let_in("");
    arena.say(line("error - code=hello"));
    arena.let_in("abc");
    arena.say(line("bye why=done"));
    check(guest.outcome().empty(), "done");
}

void gives_a_resent_turn_the_same_answer() {
    Arena arena;
    Guest guest(arena);
    arena.let_in("");
    arena.say(turn("8"));
    arena.expect(move);
    arena.say(line("error - code=hello"));
    arena.let_in("abc");
    arena.say(turn("8", " resend=1"));
    arena.expect(move);
    arena.say(line("bye why=done"));
    check(guest.outcome().empty() && guest.bot.turns == 1, "thought once");
}

void answers_a_turn_that_was_cut_off() {
    auto arena = std::make_unique<Arena>();
    const std::string endpoint = arena->endpoint();
    Guest guest(*arena);
    arena->let_in("");
    arena->say(game);
    arena->expect(ready);
    arena.reset();  // killed, and started again at the same address
    arena = std::make_unique<Arena>(endpoint);
    arena->let_in("abc");
    arena->say(turn("8", " resend=1"));
    arena->expect(move);
    arena->say(line("bye why=done"));
    check(guest.outcome().empty() && guest.bot.turns == 1, "answered");
}

void dials_again_after_silence() {
    Arena arena;
    Guest guest(arena.endpoint(), {}, 4000);  // nothing holds the arena up as long as that
    arena.let_in("");
    arena.let_in("abc");
    arena.say(line("bye why=done"));
    check(guest.outcome().empty(), "done");
}

void comes_back_after_drain_alone() {
    Arena arena;
    Guest guest(arena);
    arena.let_in("");
    for (const char* why : {"drain", "busy", "timeout", "disconnect"}) {
        arena.say(line(std::string("bye why=") + why));
        arena.let_in("abc");
    }
    arena.say(line("bye why=kicked"));
    check(guest.outcome() == "dismissed: kicked", "kicked");
}

void stays_away_for_good() {
    for (const std::string why : {"seat", "replaced", "benched", "version"}) {
        Arena arena;
        Guest guest(arena);
        arena.let_in("");
        arena.say(line("bye why=" + why));
        check(guest.outcome() == "dismissed: " + why, why);
    }
}

void drops_what_was_cancelled() {
    Arena arena;
    Guest guest(arena);
    guest.bot.waits = true;
    arena.let_in("");
    arena.say(turn("8"));
    arena.say(line("cancel 8 why=timeout"));
    arena.say(line("ping 9"));
    arena.expect({"pong", {{"id", std::uint64_t{9}}}});
    arena.say(line("bye why=done"));
    check(guest.outcome().empty(), "done");
}

void tells_why_the_bot_failed() {
    Arena arena;
    Guest guest(arena);
    guest.bot.fails = true;
    arena.let_in("");
    arena.say(turn("8"));
    arena.expect({"error", {{"id", std::uint64_t{8}}, {"code", "exception"}, {"text", "no idea"}}});
    arena.expect({"bye", {}});
    check(guest.outcome() == "no idea", "the exception leaves play");
}

void goes_on_after_what_it_cannot_use() {
    Arena arena;
    Guest guest(arena);
    arena.let_in("");
    arena.say("\x82\xa1t\xa6ponder\xa2id\x05");  // of a later edition: ignored
    arena.say("\x82\xa1t\xa4ping\xa2id\xff");    // a ping with an id below 0
    const Message error = arena.hear();
    check(error.verb == "error" && !error.has("id") && error.text("code") == "invalid", "error");
    arena.say(line("ping 9"));
    arena.expect({"pong", {{"id", std::uint64_t{9}}}});
    arena.say(line("bye why=done"));
    check(guest.outcome().empty(), "done");
}

void check_refused(const std::string& text, const std::string& reason) {
    try {
        donuts::parse_invitation(text);
        check(false, "a join file is read that should be refused: " + reason);
    } catch (const donuts::InvitationError& fault) {
        check(std::string(fault.what()).find(reason) != std::string::npos,
              reason + " expected, not " + fault.what());
    }
}

void reads_join_files() {
    const std::string key(40, 'k');
    const donuts::Invitation seat = donuts::parse_invitation(
        "# a seat\r\nname = \"a\\\"b\\\\c\" # name\nendpoint='tcp://h:1'\n\nserver_key = \"" + key +
        "\"\npublic_key = \"" + key + "\"\nsecret_key = \"" + key + "\"\ntoken = \"t_.~-\"\n");
    check(seat.name == "a\"b\\c" && seat.endpoint == "tcp://h:1" && seat.has_keys() && seat.token == "t_.~-",
          "a join file");
    check_refused("name = \"a\"", "endpoint is missing");
    check_refused("endpoint", "line 1 is not");
    check_refused("endpoint = 5", "quotation marks");
    check_refused("endpoint = \"a", "one text");
    check_refused("endpoint = \"a\" b", "one text");
    check_refused("endpoint = \"a\\n\"", "backslash");
    check_refused("\nport = \"1\"", "line 2: there is no key 'port'");
    check_refused("endpoint = \"a\"\ntoken = \"a b\"", "token must be");
    check_refused("endpoint = \"a\"\nserver_key = \"k\"", "40 characters");
    check_refused("endpoint = \"a\"\nserver_key = \"" + key + "\"", "one is missing");
    check(Guest("tcp://10.0.0.1:7464").outcome().find("no loopback address") != std::string::npos, "privacy");
    check(Guest("nonsense").outcome().find("cannot be dialled") != std::string::npos, "no endpoint");
}

}  // namespace

int main() {
    try {
        plays_a_game();
        leaves_after_its_games();
        says_hello_where_it_is_not_known();
        gives_a_resent_turn_the_same_answer();
        answers_a_turn_that_was_cut_off();
        dials_again_after_silence();
        comes_back_after_drain_alone();
        stays_away_for_good();
        drops_what_was_cancelled();
        tells_why_the_bot_failed();
        goes_on_after_what_it_cannot_use();
        reads_join_files();
    } catch (const std::exception& fault) {
        std::cerr << fault.what() << std::endl;
        std::quick_exit(1);  // bots may still be waiting in their threads
    }
    std::cerr << checks << " checks, " << failures << " failed" << std::endl;
    return failures != 0;
}
