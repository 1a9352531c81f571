package donuts.client;

import java.util.HashSet;
import java.util.Set;

/** One call to an arena after the other; all of it belongs to the thread of {@link Client#play} but {@link #stop}. */
final class Calls {
    /** ms without a welcome after which people are told. */
    private static final long PATIENCE = 3000;
    /** ms that a bot has to finish when all is over. */
    private static final long LAST = 10_000;
    private static final long NEVER = Long.MAX_VALUE;

    /** Opens a connection. */
    interface Dial {
        Dealer dial() throws SeatException;
    }

    private final Client client;
    private final Seat seat;
    private final Message.Hello hello;
    private final Bell bell;
    private final Worker worker;
    private final Dial dial;
    private final Conversation conversation;
    private volatile boolean stopped;

    // one connection
    private Dealer dealer;
    private boolean heard;
    private boolean alive;
    private boolean cut;
    private long sound;

    // all of them
    private long again;
    private long patient = now() + PATIENCE;
    private final Set<String> told = new HashSet<>();
    private boolean met;
    private int botched;
    private final Pauses afterLoss = new Pauses(100, 2000);
    private final Pauses afterBye = new Pauses(1000, 30_000);
    private boolean over;

    Calls(Client client, Seat seat, Message.Hello hello, Bot bot, Bell bell, Worker worker, Dial dial) {
        this.client = client;
        this.seat = seat;
        this.hello = hello;
        this.bell = bell;
        this.worker = worker;
        this.dial = dial;
        this.conversation = new Conversation(this, bot, worker, client.games);
        this.again = now();
    }

    private static long now() {
        return System.nanoTime() / 1_000_000;
    }

    /** Ends play from any thread. */
    void stop() {
        stopped = true;
        bell.ring();
    }

    void play() throws SeatException, SentAwayException {
        try {
            while (!over) {
                step();
            }
            if (!stopped) {
                worker.finish(LAST);
                for (Worker.Result result; (result = worker.next()) != null; ) {
                    conversation.take(result);
                }
            }
        } finally {
            conversation.giveUp();
            if (dealer != null) {
                dealer.close();
                dealer = null;
            }
        }
    }

    /** Waits for what comes next, and takes it. */
    private void step() throws SeatException, SentAwayException {
        if (dealer == null && now() >= again) {
            dialNow();
        }
        await();
        bell.quiet();
        if (stopped) {
            leave();
            return;
        }
        for (Worker.Result result; !over && (result = worker.next()) != null; ) {
            conversation.take(result);
        }
        Dealer current = dealer;
        hear();
        for (Dealer.News news; !over && current != null && current == dealer && (news = current.news()) != null; ) {
            follow(news);
        }
        if (!over && dealer != null && (cut || now() >= due())) {
            lose();
        }
        if (now() >= patient) {
            patient = NEVER;
            if (told.isEmpty()) {
                tell("the arena at " + seat.endpoint() + " does not answer, or wants keys, or other keys");
            }
        }
    }

    private void dialNow() throws SeatException {
        dealer = dial.dial();
        heard = alive = cut = false;
        say(hello.withSession(conversation.session()));
    }

    private void await() {
        long until = Math.min(patient, dealer == null ? again : due());
        long timeout = cut ? 0 : until == NEVER ? -1 : Math.max(0, until - now());
        if (dealer != null) {
            dealer.await(timeout);
        } else {
            bell.await(timeout);
        }
    }

    /** When this connection has been silent for too long; never while an answer is owed (DBP-11.8). */
    private long due() {
        return conversation.owesAnswer() ? NEVER : sound + client.silence;
    }

    private void follow(Dealer.News news) throws SentAwayException {
        switch (news) {
            case REACHED -> sound = now();
            case MISSED -> tell("nobody answers at " + seat.endpoint());
            case REFUSED -> throw new SentAwayException("key", null);
            case LOST -> {
                if (!heard && ++botched > 1) { // one may come to a stand by itself
                    tell("the handshake fails at " + seat.endpoint() + ": it is no arena, or wants keys where the join "
                            + "file has none, or other keys");
                }
                lose();
            }
        }
    }

    /** Gives up a connection that is of no use any more; what came over it still counts. */
    private void lose() throws SentAwayException {
        Dealer current = dealer;
        hear();
        if (dealer == current && !over) {
            redial();
        }
    }

    /** Dials at once, or after a pause where this connection was of no use from its beginning. */
    void redial() {
        hangUp(alive ? 0 : afterLoss.next());
    }

    /** Dials again after a bye that allows it. */
    void redialAfterBye(String why) {
        tell("the arena at " + seat.endpoint() + " says bye: " + why);
        hangUp(afterBye.next());
    }

    private void hangUp(long pause) {
        dealer.close();
        dealer = null;
        cut = false;
        conversation.cutOff();
        again = now() + pause;
        if (patient == NEVER) {
            patient = again + PATIENCE;
        }
    }

    /** Takes all that has come in over this connection. */
    private void hear() throws SentAwayException {
        Dealer current = dealer;
        byte[] frame;
        while (!over && current != null && current == dealer && (frame = current.frame()) != null) {
            heard = true;
            sound = now();
            Message message;
            try {
                message = Codec.decode(frame, client.encoding, Sender.REFEREE);
            } catch (InvalidMessageException fault) {
                if (!fault.unknownVerb()) { // which would be of a later edition (DBP-12.4)
                    client.log.accept("a message of the arena cannot be used: " + fault.getMessage());
                    say(new Message.Error(null, "protocol", "a message of yours could not be used"));
                }
                continue;
            }
            conversation.judge(message);
        }
    }

    // --- what the conversation asks for ----------------------------------------------------------------------------

    /** Sends a message; a connection that does not take it is given up in the next step. */
    void say(Message message) {
        byte[] frame;
        try {
            frame = Codec.encode(message, client.encoding);
        } catch (InvalidMessageException fault) {
            throw new BotFailedException("what the bot says cannot be sent: " + fault.getMessage(), fault);
        }
        sound = now();
        cut = cut || !dealer.send(frame);
    }

    /** The arena deals with this bot, so that dialling anew at once cannot go round in circles. */
    void alive() {
        alive = true;
        afterLoss.reset();
    }

    /** A game was played to its end. */
    void played() {
        afterBye.reset();
    }

    void welcomed(Message.Welcome welcome) {
        if (!met || !told.isEmpty()) {
            String name = welcome.name() == null ? "" : " as " + Words.quoted(welcome.name());
            client.log.accept("welcome at " + seat.endpoint() + name + ", says " + Words.quoted(welcome.ref()));
        }
        met = true;
        botched = 0;
        told.clear();
        patient = NEVER;
    }

    void complaint(Message.Error error) {
        String what = error.text() == null ? "" : ": " + Words.quoted(error.text());
        client.log.accept("the arena says error " + error.code() + what);
    }

    /** Nothing is left to be done. */
    void end() {
        over = true;
    }

    /** Says bye where somebody listens, and ends. */
    void leave() {
        end();
        if (dealer != null) {
            say(new Message.Leave(null));
            dealer.closeAfterLastWord();
            dealer = null;
        }
    }

    boolean connected() {
        return dealer != null;
    }

    /** Tells people, once until the next welcome, why it takes longer. */
    private void tell(String line) {
        patient = NEVER;
        if (told.add(line)) {
            client.log.accept(line + "; dialling again");
        }
    }
}
