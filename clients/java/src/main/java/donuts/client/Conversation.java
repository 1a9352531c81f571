package donuts.client;

import java.util.Set;

/** What is said with an arena and what the bot has to do for it, whatever connection it is said over. */
final class Conversation {
    /** Words of a bye after which a bot dials in again by itself (DBP-11.14). */
    private static final Set<String> AGAIN = Set.of(
            "drain", "busy", "start", "timeout", "unread", "crash", "disconnect", "protocol", "flood", "illegal",
            "malformed", "resign", "abort", "referee");
    private static final long NONE = -1;

    private final Calls calls;
    private final Bot bot;
    private final Worker worker;
    private final int games;

    private String session;
    private boolean reports;
    /** The question that is open on this connection. */
    private long open = NONE;
    /** What the bot is at work on. */
    private Worker.Job job;
    /** The question that was answered last, and its answer: it may be asked again (DBP-11.11). */
    private long answered = NONE;
    private Message answer;
    private long game = NONE;
    private int played;
    private String complaint;

    Conversation(Calls calls, Bot bot, Worker worker, int games) {
        this.calls = calls;
        this.bot = bot;
        this.worker = worker;
        this.games = games;
    }

    /** The token of the session; null where there is none to be taken up again. */
    String session() {
        return session;
    }

    boolean owesAnswer() {
        return open != NONE;
    }

    /** The connection is gone; the bot stays at work on what was open, since it will be asked again. */
    void cutOff() {
        open = NONE;
    }

    /** Tells the bot that nobody waits for what it is at work on. */
    void giveUp() {
        if (job != null) {
            job.giveUp();
            job = null;
        }
    }

    // --- the arena -------------------------------------------------------------------------------------------------

    void judge(Message message) throws SentAwayException {
        if (message instanceof Message.Welcome welcome) {
            arrive(welcome);
        } else if (message instanceof Message.Error error) {
            heed(error);
        } else if (message instanceof Message.Bye bye) {
            part(bye);
        } else if (message instanceof Message.Ping ping) {
            asked();
            giveUp();
            calls.say(new Message.Pong(ping.id()));
        } else if (message instanceof Message.Game announced) {
            asked();
            game = announced.id();
            question(game, thinking -> {
                bot.prepare(announced);
                return new Message.Ready(announced.id());
            });
        } else if (message instanceof Message.Turn turn) {
            asked();
            game = turn.game();
            question(turn.id(), thinking -> answerTo(turn, thinking));
        } else if (message instanceof Message.Cancel cancel) {
            cancelled(cancel.id());
        } else if (message instanceof Message.End end) {
            asked();
            giveUp();
            calls.played();
            if (end.id() == game) {
                finish(end);
            }
        }
    }

    /** The arena deals with this bot, and no question is open but the one that it may put now. */
    private void asked() {
        calls.alive();
        open = NONE;
        complaint = null;
    }

    /** Puts a question to the bot, unless it is at work on it already, or has answered it. */
    private void question(long id, Worker.Run run) {
        if (answered == id) {
            calls.say(answer);
            return;
        }
        if (job == null || job.id != id) {
            giveUp();
            job = worker.start(id, reports, run);
        }
        open = id;
    }

    /** Runs in the thread of the bot. */
    private Message answerTo(Message.Turn turn, Thinking thinking) throws Exception {
        Message.Answer found = bot.move(turn, thinking);
        if (thinking.givenUp()) {
            return null;
        }
        if (found instanceof Message.Move move && !turn.legal().contains(move.sq())) {
            throw new IllegalArgumentException("it chose " + move.sq() + ", and the legal squares are " + turn.legal());
        }
        Message answer = found.to(turn.id());
        Codec.encode(answer, Encoding.TEXT); // so that a value out of its bounds is refused now
        return answer;
    }

    private void cancelled(long id) {
        calls.alive();
        if (job != null && job.id == id) {
            giveUp();
        }
        if (open == id) {
            open = NONE;
        }
    }

    private void finish(Message.End end) {
        game = NONE;
        played++;
        worker.start(NONE, false, thinking -> {
            bot.finish(end);
            return null;
        });
        if (games > 0 && played >= games) {
            calls.leave();
        }
    }

    /** A welcome with another session says that what was before is gone. */
    private void arrive(Message.Welcome welcome) {
        if (!welcome.session().equals(session)) {
            session = welcome.session();
            giveUp();
            answered = NONE;
            answer = null;
            game = NONE;
        }
        reports = welcome.caps().contains("info");
        calls.welcomed(welcome);
    }

    private void heed(Message.Error error) {
        if ("hello".equals(error.code())) { // it does not know this connection (DBP-11.9)
            calls.redial();
            return;
        }
        complaint = error.text() == null ? error.code() : error.text();
        calls.complaint(error);
    }

    private void part(Message.Bye bye) throws SentAwayException {
        giveUp();
        String why = bye.why() == null ? "done" : bye.why();
        if (AGAIN.contains(why)) {
            calls.redialAfterBye(why);
        } else if (why.equals("done")) {
            calls.end();
        } else {
            throw new SentAwayException(why, complaint);
        }
    }

    // --- the bot ---------------------------------------------------------------------------------------------------

    /** Takes what the bot has done. */
    void take(Worker.Result result) {
        if (result.fault() != null) {
            fail(result);
        } else if (result.job() == job && result.message() instanceof Message.Info info) {
            if (open == info.id()) {
                calls.say(info);
            }
        } else if (result.job() == job && result.message() != null) {
            job = null;
            answered = result.job().id;
            answer = result.message();
            if (open == answered) { // else it is given when the question is put again
                open = NONE;
                calls.say(answer);
            }
        }
    }

    private void fail(Worker.Result result) {
        long id = result.job().id;
        if (calls.connected()) {
            calls.say(new Message.Error(id == NONE ? null : id, "exception", "the bot has failed"));
        }
        calls.leave();
        throw new BotFailedException("the bot has failed: " + result.fault(), result.fault());
    }
}
