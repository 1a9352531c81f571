package donuts.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The minimal bot, as a process of its own, hears all that the vectors have from a referee. */
@Timeout(60)
class MinimalTest {
    private static final String PING = "9007199254740991";

    private Process bot;
    private OutputStream to;
    private BufferedReader from;

    @BeforeEach
    void start() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        bot = new ProcessBuilder(java, "Minimal.java").redirectError(ProcessBuilder.Redirect.INHERIT).start();
        to = bot.getOutputStream();
        from = bot.inputReader(StandardCharsets.US_ASCII);
        assertTrue(from.readLine().startsWith("hello donuts=1-1 name="));
    }

    @AfterEach
    void kill() {
        bot.destroyForcibly();
    }

    private void say(byte[] line) throws IOException {
        to.write(line);
        to.write('\n');
        to.flush();
    }

    private void say(String line) throws IOException {
        say(line.getBytes(StandardCharsets.US_ASCII));
    }

    private void leaves() throws IOException, InterruptedException {
        assertNull(from.readLine());
        assertTrue(bot.waitFor(10, TimeUnit.SECONDS));
        assertEquals(0, bot.exitValue());
    }

    private void answers(JsonObject message, String name) throws IOException {
        JsonElement id = message.get("id");
        switch (message.get("t").getAsString()) {
            case "game" -> assertEquals("ready " + id, from.readLine(), name);
            case "ping" -> assertEquals("pong " + id, from.readLine(), name);
            case "turn" -> {
                String answer = from.readLine();
                String start = "move " + id + " ";
                assertTrue(answer.startsWith(start), name + ": " + answer);
                JsonPrimitive square = new JsonPrimitive(answer.substring(start.length()));
                assertTrue(message.getAsJsonArray("legal").contains(square), name + ": " + answer);
            }
            default -> {}
        }
        say("ping " + PING);
        assertEquals("pong " + PING, from.readLine(), "nothing else is said to " + name);
    }

    @Test
    void answersEveryQuestion() throws IOException, InterruptedException {
        for (Vectors vector : Vectors.of("messages.jsonl")) {
            if (vector.sender() == Sender.REFEREE && !vector.get("text").startsWith("bye")) {
                say(vector.get("text"));
                answers(vector.message(), vector.title());
            }
        }
        for (Vectors vector : Vectors.of("acceptances.jsonl")) {
            if (vector.sender() == Sender.REFEREE && vector.encoding() == Encoding.TEXT) {
                say(vector.hex("hex"));
                answers(vector.message(), vector.title());
            }
        }
        say("bye why=done");
        leaves();
    }

    @Test
    void goesOnAfterWhatItCannotRead() throws IOException, InterruptedException {
        for (Vectors vector : Vectors.of("refusals.jsonl")) {
            if (vector.sender() == Sender.REFEREE && vector.encoding() == Encoding.TEXT) {
                byte[] line = vector.hex("hex");
                if (!new String(line, StandardCharsets.ISO_8859_1).startsWith("bye")) {
                    say(line);
                }
            }
        }
        say("");
        say("tern 5 x=1");
        say("ping " + PING);
        String answer;
        do {
            answer = from.readLine();
        } while (!answer.equals("pong " + PING));
        to.close();
        leaves();
    }
}
