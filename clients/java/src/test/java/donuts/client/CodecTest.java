package donuts.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The vectors, against both forms. */
class CodecTest {
    /** What is refused for its id alone, which only a referee can tell. */
    private static final Set<String> ABOUT_IDS = Set.of("info for a closed question", "info for an id never issued");

    static Stream<Vectors> messages() throws IOException {
        return Vectors.of("messages.jsonl").stream();
    }

    static Stream<Vectors> acceptances() throws IOException {
        return Vectors.of("acceptances.jsonl").stream();
    }

    static Stream<Vectors> refusals() throws IOException {
        return Vectors.of("refusals.jsonl").stream().filter(vector -> !ABOUT_IDS.contains(vector.get("name")));
    }

    private static Message read(Vectors vector, byte[] bytes, Encoding encoding) throws InvalidMessageException {
        Message message = Codec.decode(bytes, encoding, vector.sender());
        JsonObject found = Vectors.map(message);
        assertEquals(vector.message(), found);
        return message;
    }

    @ParameterizedTest
    @MethodSource("messages")
    void goldenMessages(Vectors vector) throws InvalidMessageException {
        read(vector, vector.hex("msgpack"), Encoding.MSGPACK);
        Message message = read(vector, vector.get("text").getBytes(StandardCharsets.US_ASCII), Encoding.TEXT);
        if (vector.sender() == Sender.BOT) {
            assertEquals(
                    vector.get("text"), new String(Codec.encode(message, Encoding.TEXT), StandardCharsets.US_ASCII));
            byte[] packed = Codec.encode(message, Encoding.MSGPACK); // the order of keys is free, their bytes are not
            assertEquals(vector.hex("msgpack").length, packed.length, "bytes of msgpack");
            read(vector, packed, Encoding.MSGPACK);
        }
    }

    @ParameterizedTest
    @MethodSource("acceptances")
    void accepted(Vectors vector) throws InvalidMessageException {
        read(vector, vector.hex("hex"), vector.encoding());
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refused(Vectors vector) {
        assertThrows(
                InvalidMessageException.class,
                () -> Codec.decode(vector.hex("hex"), vector.encoding(), vector.sender()));
    }

    @Test
    void whatIsOutOfItsBoundsIsNotWritten() {
        for (Message message : List.of(
                hello("1", "a"),
                hello("1-1", null),
                hello("1-1", ""),
                hello("1-1", "x".repeat(41)),
                hello("1-1", "a\nb"),
                hello("1-1", "\ud800"),
                new Message.Ready(-1),
                new Message.Move("e0"),
                new Message.Move("e4", Report.NONE.withEval(1001)),
                new Message.Move("e4").to(1L << 53))) {
            for (Encoding encoding : Encoding.values()) {
                assertThrows(InvalidMessageException.class, () -> Codec.encode(message, encoding), message::toString);
            }
        }
    }

    @Test
    void namesAreCountedInCharacters() throws InvalidMessageException {
        Message message = hello("1-1", "\ud83c\udf69".repeat(40));
        assertEquals(message, Codec.decode(Codec.encode(message, Encoding.TEXT), Encoding.TEXT, Sender.BOT));
    }

    private static Message hello(String donuts, String name) {
        return new Message.Hello(donuts, name, null, null, null, null, null, null);
    }
}
