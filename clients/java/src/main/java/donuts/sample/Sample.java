package donuts.sample;

import donuts.client.Bot;
import donuts.client.BotFailedException;
import donuts.client.Client;
import donuts.client.Message;
import donuts.client.Seat;
import donuts.client.SeatException;
import donuts.client.SentAwayException;
import donuts.client.Thinking;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Plays random legal squares at an arena, over ZeroMQ and msgpack.
 *
 * <p>It exits with 0 when the arena is done with it or its games are over, 2 where it cannot be started so, 3 where the
 * arena sent it away, 1 for any other fault. A first SIGINT or SIGTERM makes it say bye.
 */
public final class Sample implements Bot {
    private static final String USAGE =
            "usage: sample (--connect ENDPOINT | --seat-file FILE) [--name NAME] [--games N] [--tc TC]";
    private static final List<String> OPTIONS = List.of("--connect", "--seat-file", "--name", "--games", "--tc");

    private Random dice = new Random();

    private Sample() {}

    @Override
    public void prepare(Message.Game game) {
        dice = new Random(game.seed()); // so that it plays the same again when the game is played again
    }

    @Override
    public Message.Answer move(Message.Turn turn, Thinking thinking) {
        return new Message.Move(turn.legal().get(dice.nextInt(turn.legal().size())));
    }

    /**
     * Plays.
     *
     * @param args as USAGE says; a token may stand in the environment variable DONUTS_SEAT
     */
    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--help")) {
            System.out.println(USAGE);
            return;
        }
        Client client;
        try {
            client = configured(args);
        } catch (IllegalArgumentException | SeatException fault) {
            System.err.println(fault.getMessage());
            System.exit(2);
            return;
        }
        CountDownLatch left = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            client.stop();
            try {
                left.await(2, TimeUnit.SECONDS);
            } catch (InterruptedException fault) {
                Thread.currentThread().interrupt();
            }
        }));
        int status = played(client);
        left.countDown();
        System.exit(status);
    }

    private static int played(Client client) {
        try {
            client.play(new Sample());
            return 0;
        } catch (SeatException fault) {
            System.err.println(fault.getMessage());
            return 2;
        } catch (SentAwayException fault) {
            System.err.println(fault.getMessage());
            return 3;
        } catch (BotFailedException fault) {
            fault.printStackTrace();
            return 1;
        }
    }

    private static Client configured(String[] args) throws SeatException {
        Map<String, String> options = new HashMap<>();
        for (int at = 0; at < args.length; at += 2) {
            if (!OPTIONS.contains(args[at]) || at + 1 == args.length || options.put(args[at], args[at + 1]) != null) {
                throw new IllegalArgumentException(USAGE);
            }
        }
        if (options.containsKey("--connect") == options.containsKey("--seat-file")) {
            throw new IllegalArgumentException(USAGE);
        }
        Seat seat = options.containsKey("--connect")
                ? new Seat(options.get("--connect"))
                : Seat.read(Path.of(options.get("--seat-file")));
        String token = System.getenv("DONUTS_SEAT");
        if (seat.token() == null && token != null && !token.isEmpty()) {
            seat = seat.withToken(token);
        }
        Client client = new Client(seat).version("1.0").log(System.err::println);
        if (options.containsKey("--name") || seat.name() == null) {
            client.name(options.getOrDefault("--name", "java-sample"));
        }
        String games = options.getOrDefault("--games", "0");
        if (!games.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("--games must be a whole number, such as 10");
        }
        return client.games(Integer.parseInt(games)).timeControl(options.get("--tc"));
    }
}
