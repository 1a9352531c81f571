package donuts.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/** Sessions over connections that break, against an arena of a few lines on loopback. */
@Timeout(60)
class ArenaTest {
    private static final String SESSION = "9f0c2b6e5d1a48739f0c2b6e5d1a4873";
    private static final String LAYOUT = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH";

    private final ZMQ.Context context = ZMQ.context(1);
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final AtomicInteger asked = new AtomicInteger();
    private ZMQ.Socket router;
    private byte[] peer;
    private Client client;

    @BeforeEach
    void open() {
        router = opened("tcp://127.0.0.1:*");
        client = new Client(new Seat(router.getLastEndpoint())).name("a");
    }

    @AfterEach
    void close() {
        client.stop();
        thread.shutdownNow();
        router.close();
        context.term();
    }

    private ZMQ.Socket opened(String endpoint) {
        ZMQ.Socket socket = context.socket(SocketType.ROUTER);
        socket.setLinger(0);
        socket.setReceiveTimeOut(20_000);
        socket.setHandshakeIvl(2000);
        while (true) {
            try {
                socket.bind(endpoint);
                return socket;
            } catch (ZMQException fault) { // a socket that was closed lets go of its port a little later
                assertEquals(ZMQ.Error.EADDRINUSE.getCode(), fault.getErrorCode());
                Thread.yield();
            }
        }
    }

    private Future<Void> play(Bot bot) {
        Callable<Void> run = () -> {
            client.play(bot);
            return null;
        };
        return thread.submit(run);
    }

    private Message.Answer first(Message.Turn turn, Thinking thinking) {
        asked.incrementAndGet();
        return new Message.Move(turn.legal().get(0), Report.NONE.withEval(asked.get()));
    }

    private void say(Message message) throws InvalidMessageException {
        router.sendMore(peer);
        router.send(Codec.encode(message, Encoding.MSGPACK));
    }

    private Message heard() throws InvalidMessageException {
        peer = router.recv();
        return Codec.decode(router.recv(), Encoding.MSGPACK, Sender.BOT);
    }

    private Message.Hello greeted() throws InvalidMessageException {
        Message first = heard();
        if (first instanceof Message.Move) { // before the bot saw its loss: ZeroMQ connected again by itself
            first = heard();
        }
        Message.Hello hello = assertInstanceOf(Message.Hello.class, first);
        say(new Message.Welcome("1-1", SESSION, List.of(), 4096, "test/1", "a"));
        return hello;
    }

    private static Message.Turn turn(long id, boolean resend) {
        return new Message.Turn(id, 7, 0, "x", 6, 15, LAYOUT, ".".repeat(36), null, List.of("a1", "b1"), 60_000, 60_000, 0,
                60_000, 50, 0, resend);
    }

    private static Message.Game game() {
        return new Message.Game(7, "x", 6, 15, 60_000, 0, 50, 10_000, null, null, 1);
    }

    private static Message.End end() {
        return new Message.End(7, "win", "x", "five", null, 9, ".".repeat(36), null, List.of(), false);
    }

    @Test
    void playsAGameAndLeaves() throws Exception {
        client.games(1);
        Future<Void> played = play(this::first);
        assertNull(greeted().session());
        say(new Message.Ping(5));
        assertEquals(new Message.Pong(5), heard());
        say(game());
        assertEquals(new Message.Ready(7), heard());
        say(turn(8, false));
        assertEquals(new Message.Move(8, "a1", Report.NONE.withEval(1)), heard());
        say(end());
        assertEquals(new Message.Leave(null), heard());
        played.get();
    }

    @Test
    void greetsAnewWhereTheArenaDoesNotKnowIt() throws Exception {
        Future<Void> played = play(this::first);
        greeted();
        byte[] old = peer;
        say(new Message.Error(null, "hello", null));
        assertEquals(SESSION, greeted().session());
        assertFalse(Arrays.equals(old, peer), "it is a fresh connection");
        say(new Message.Bye("done", null, null));
        played.get();
    }

    @Test
    void greetsAnewAfterSilence() throws Exception {
        client.silence(4000); // nothing holds the arena up as long as that
        Future<Void> played = play(this::first);
        greeted();
        assertEquals(SESSION, greeted().session());
        say(new Message.Bye("done", null, null));
        played.get();
    }

    @Test
    void theAnswerIsKeptWhileTheArenaIsAway() throws Exception {
        CountDownLatch thinking = new CountDownLatch(1);
        CountDownLatch away = new CountDownLatch(1);
        Future<Void> played = play((turn, given) -> {
            thinking.countDown();
            away.await();
            return first(turn, given);
        });
        greeted();
        say(turn(8, false));
        thinking.await();
        String endpoint = router.getLastEndpoint();
        router.close();
        away.countDown();
        router = opened(endpoint);
        assertEquals(SESSION, greeted().session());
        say(turn(8, true));
        assertEquals(new Message.Move(8, "a1", Report.NONE.withEval(1)), heard());
        say(turn(8, true)); // the answer was lost on the way
        assertEquals(new Message.Move(8, "a1", Report.NONE.withEval(1)), heard(), "it is not thought over again");
        say(turn(9, false));
        assertEquals(new Message.Move(9, "a1", Report.NONE.withEval(2)), heard());
        say(new Message.Bye("done", null, null));
        played.get();
    }

    @Test
    void aCancelledTurnIsGivenUp() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Future<Void> played = play((turn, thinking) -> {
            begun.countDown();
            while (turn.id() == 8 && !thinking.givenUp()) {
                Thread.onSpinWait();
            }
            return first(turn, thinking);
        });
        greeted();
        say(turn(8, false));
        begun.await();
        say(new Message.Cancel(8, "timeout"));
        say(turn(9, false));
        assertEquals(new Message.Move(9, "a1", Report.NONE.withEval(2)), heard());
        say(new Message.Bye("done", null, null));
        played.get();
    }

    @Test
    void comesBackAfterDrain() throws Exception {
        Future<Void> played = play(this::first);
        greeted();
        say(new Message.Bye("drain", null, null));
        greeted();
        say(new Message.Bye("kicked", null, null));
        ExecutionException fault = assertThrows(ExecutionException.class, played::get);
        assertEquals("kicked", assertInstanceOf(SentAwayException.class, fault.getCause()).why());
    }

    @Test
    void ignoresWhatItDoesNotKnow() throws Exception {
        Future<Void> played = play(this::first);
        greeted();
        for (byte[] frame : List.of(new byte[] {(byte) 0x81, (byte) 0xa1, 't', (byte) 0xa3, 'n', 'e', 'w'}, new byte[0])) {
            router.sendMore(peer);
            router.send(frame);
        }
        say(new Message.Ping(5));
        assertEquals(new Message.Pong(5), heard());
        router.sendMore(peer);
        router.send("x".getBytes(StandardCharsets.US_ASCII));
        assertEquals("protocol", assertInstanceOf(Message.Error.class, heard()).code());
        say(new Message.Bye("done", null, null));
        played.get();
    }

    @Test
    void aBotThatFailsLeaves() throws Exception {
        Future<Void> played = play((turn, thinking) -> new Message.Move("c3"));
        greeted();
        say(turn(8, false));
        assertEquals("exception", assertInstanceOf(Message.Error.class, heard()).code());
        assertEquals(new Message.Leave(null), heard());
        ExecutionException fault = assertThrows(ExecutionException.class, played::get);
        assertTrue(assertInstanceOf(BotFailedException.class, fault.getCause()).getMessage().contains("it chose c3"));
    }
}
