import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Random;

/** A whole bot for DONUTS, without dependencies: it plays a random legal square. Runs as {@code java Minimal.java}. */
class Minimal {
    static void say(String line) {
        System.out.print(line + "\n");
        System.out.flush(); // a line that stays in a buffer was never said
    }

    public static void main(String[] args) throws IOException {
        var dice = new Random();
        var in = new BufferedReader(new InputStreamReader(System.in));
        say("hello donuts=1-1 name=java-random");
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ");
            if (words[0].equals("bye")) break;
            if (words.length < 2) continue; // without an id it is no question
            String[] legal = {};
            for (String field : words) if (field.startsWith("legal=")) legal = field.substring(6).split(",");
            switch (words[0]) {
                case "turn" -> { if (legal.length > 0) say("move " + words[1] + " " + legal[dice.nextInt(legal.length)]); }
                case "game" -> say("ready " + words[1]);
                case "ping" -> say("pong " + words[1]);
                default -> { } // there may be more verbs one day: a bot ignores what it does not know
            }
        }
    }
}
