import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * This bot plays DONUTS. The referee writes a line to its standard input for everything that happens, and the bot
 * answers with lines on its standard output. Nothing else may go there: print what you want to see to System.err.
 *
 * <p>Bot.java is the conversation with the referee; Board.java and Position.java are the board and the rules; Search.java
 * chooses a square, and is the place to begin when you want the bot to play better; Perft.java counts move sequences, to
 * prove that the rules are right.
 */
final class Bot {
    /** Shown to people. */
    private static final String NAME = "NAME";

    static final String USAGE = """
            usage: java -jar @NAME@.jar                                plays on stdin and stdout (donuts play, donuts check)
                   java -jar @NAME@.jar perft LAYOUT DEPTH [RINGS]     counts move sequences (donuts perft)""";

    /** The search that is at work; null for none. It runs beside this, so that a turn can be cancelled meanwhile. */
    private Search search;
    private Thread thinking;
    /** The board that was played on last, so that its lines are worked out once a game. */
    private Board board;

    public static void main(String[] args) throws IOException {
        if (args.length > 0 && args[0].equals("perft")) {
            System.exit(Perft.main(args));
        }
        if (args.length > 0) {
            boolean asked = args[0].equals("--help");
            (asked ? System.out : System.err).println(USAGE);
            System.exit(asked ? 0 : 2);
        }
        new Bot().talk();
        System.exit(0); // also where a search is at work still
    }

    /** Answers the referee until it says bye or is gone. */
    private void talk() throws IOException {
        say("hello donuts=1-1 name=" + NAME + " ver=0.1"); // say this first, and load what is heavy afterwards
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.split(" ");
            String id = words.length > 1 ? words[1] : ""; // where there is one, it comes first
            switch (words[0]) {
                case "game" -> say("ready " + id);
                case "turn" -> think(id, fields(words));
                case "cancel", "end" -> giveUp();
                case "ping" -> say("pong " + id);
                case "bye" -> {
                    return;
                }
                default -> {} // a bot ignores what it does not know
            }
        }
    }

    /** Writes a line in one piece. What stays in a buffer was never said: flush. */
    private static synchronized void say(String line) {
        System.out.print(line + "\n");
        System.out.flush();
    }

    /** The key=value fields of a line, in whatever order they stand. */
    private static Map<String, String> fields(String[] words) {
        Map<String, String> fields = new HashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                fields.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return fields;
    }

    /** Begins to search for the answer to a turn. All there is to know stands in it; nothing need be remembered. */
    private void think(String id, Map<String, String> fields) {
        giveUp();
        if (board == null || !board.layout.equals(fields.get("layout"))) {
            board = new Board(fields.get("layout"));
        }
        Position position = new Position(board, Integer.parseInt(fields.get("rings")));
        for (int square = 0; square < board.squares; square++) {
            position.cells[square] = switch (fields.get("cells").charAt(square)) {
                case 'x' -> Position.X;
                case 'o' -> Position.O;
                default -> Position.EMPTY;
            };
        }
        position.ply = Integer.parseInt(fields.get("ply"));
        String last = fields.get("last");
        position.last = last.equals("-") ? Position.NONE : board.index(last);
        Search mine = new Search(position, milliseconds(fields, position));
        search = mine;
        thinking = new Thread(() -> {
            Search.Result best = mine.choose();
            if (!mine.givenUp) {
                say("move " + id + " " + position.board.name(best.square()) + " eval=" + best.permille() + " depth="
                        + best.depth() + " nodes=" + mine.nodes);
            }
        });
        thinking.start();
    }

    /** Nobody waits for the answer any longer. */
    private void giveUp() {
        if (search == null) {
            return;
        }
        search.givenUp = true;
        try {
            thinking.join(); // it comes at once
        } catch (InterruptedException fault) {
            Thread.currentThread().interrupt();
        }
        search = null;
    }

    /**
     * How long to think: half of an even share of the clock for each ring that is left, and of the increment. The other
     * half is for a machine that is busy with something else.
     */
    private static long milliseconds(Map<String, String> fields, Position position) {
        long increment = Long.parseLong(fields.get("inc"));
        long clock = Math.max(0, Long.parseLong(fields.get("clock")) - increment); // which holds the increment already
        long rings = (2L * position.rings - position.ply + 1) / 2 + 1;
        long share = Math.min(clock / rings + increment, Long.parseLong(fields.get("limit")));
        return Math.min(share, 5000) / 2; // the clock may be endless
    }
}
