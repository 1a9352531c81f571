package donuts.client;

import java.util.List;
import java.util.function.Consumer;
import org.zeromq.ZMQ;

/**
 * Plays a bot at an arena, over one connection after the other: one that is lost, or silent for too long, is replaced
 * without the bot noticing.
 *
 * <pre>{@code
 * new Client(new Seat("tcp://127.0.0.1:7464")).name("first").log(System.err::println)
 *         .play((turn, thinking) -> new Message.Move(turn.legal().get(0)));
 * }</pre>
 */
public final class Client {
    private final Seat seat;
    private String name;
    private String version;
    private String author;
    private String timeControl;
    private boolean reports;
    private volatile Calls calls;
    private volatile boolean stopped;

    int games;
    long silence = 15_000;
    Encoding encoding = Encoding.MSGPACK;
    Consumer<String> log = line -> {};

    /**
     * A client that dials there.
     *
     * @param seat where to dial and what to show there
     */
    public Client(Seat seat) {
        this.seat = seat;
        this.name = seat.name();
    }

    /**
     * Sets the bot's name, which is for display only.
     *
     * @param text 1 to 40 characters; without, that of the seat
     * @return this
     */
    public Client name(String text) {
        name = text;
        return this;
    }

    /**
     * Sets the bot's own version.
     *
     * @param text at most 40 characters
     * @return this
     */
    public Client version(String text) {
        version = text;
        return this;
    }

    /**
     * Says who wrote the bot.
     *
     * @param text at most 40 characters
     * @return this
     */
    public Client author(String text) {
        author = text;
        return this;
    }

    /**
     * Wishes for a time control (DBP-11.15).
     *
     * @param text such as 10+0.1
     * @return this
     */
    public Client timeControl(String text) {
        timeControl = text;
        return this;
    }

    /**
     * Leaves after so many games.
     *
     * @param number 1 or more; 0 for as many as come
     * @return this
     */
    public Client games(int number) {
        games = number;
        return this;
    }

    /**
     * Asks for the capability that {@link Thinking#report} needs.
     *
     * @param wanted true to ask
     * @return this
     */
    public Client reports(boolean wanted) {
        reports = wanted;
        return this;
    }

    /**
     * Sets the form of the messages; msgpack without.
     *
     * @param form text or msgpack
     * @return this
     */
    public Client encoding(Encoding form) {
        encoding = form;
        return this;
    }

    /**
     * Sets after what silence the bot dials again while it owes no answer.
     *
     * @param ms 15,000 without, as DBP-11.8 says
     * @return this
     */
    public Client silence(long ms) {
        silence = ms;
        return this;
    }

    /**
     * Tells people what becomes of the connection.
     *
     * @param listener is given a line each time
     * @return this
     */
    public Client log(Consumer<String> listener) {
        log = listener;
        return this;
    }

    /**
     * Plays until the arena is done with the bot, its games are over or {@link #stop} is called.
     *
     * @param bot that chooses the squares
     * @throws SeatException where there is no dialling with this seat, or no hello with this name
     * @throws SentAwayException where the arena sent the bot away for good
     * @throws BotFailedException where the bot has failed
     */
    public void play(Bot bot) throws SeatException, SentAwayException {
        seat.checked();
        Message.Hello hello = new Message.Hello(
                "1-1", shortened(name), version, author, reports ? List.of("info") : null, seat.token(), null, timeControl);
        try {
            Codec.encode(hello, encoding);
        } catch (InvalidMessageException fault) {
            throw new SeatException(fault.getMessage(), fault);
        }
        ZMQ.Context context = ZMQ.context(1);
        try (Bell bell = new Bell();
                Worker worker = new Worker(bell)) {
            calls = new Calls(this, seat, hello, bot, bell, worker, () -> new Dealer(context, bell, seat));
            if (stopped) {
                calls.stop();
            }
            calls.play();
        } finally {
            context.term();
        }
    }

    private static String shortened(String name) {
        return name != null && name.codePointCount(0, name.length()) > 40
                ? name.substring(0, name.offsetByCodePoints(0, 40))
                : name;
    }

    /** Says bye and ends {@link #play}, from any thread; a game that is running is resigned by it (DBP-5.9). */
    public void stop() {
        stopped = true;
        Calls current = calls;
        if (current != null) {
            current.stop();
        }
    }
}
