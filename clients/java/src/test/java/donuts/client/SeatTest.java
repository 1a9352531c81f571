package donuts.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Join files, good and bad. */
class SeatTest {
    private static final String ENDPOINT = "endpoint = \"tcp://127.0.0.1:7464\"\n";
    private static final String KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";

    @Test
    void readsTokensAndKeys() throws SeatException {
        assertEquals(
                new Seat("tcp://127.0.0.1:7464", "a \"b\" \\", "s3cret", null, null, null),
                Seat.parse("# a seat\n\n" + ENDPOINT + "name = \"a \\\"b\\\" \\\\\" # hers\r\ntoken='s3cret'"));
        Seat keys = Seat.parse("endpoint = \"tcp://arena.example:1\"\nserver_key = \"" + KEY + "\"\npublic_key = \"" + KEY
                + "\"\nsecret_key = \"" + KEY + "\"");
        assertTrue(keys.curve());
        assertFalse(keys.toString().contains(KEY), "it is a secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "name = \"a\"", ENDPOINT + ENDPOINT, ENDPOINT + "name = a", ENDPOINT + "colour = \"red\"", ENDPOINT + "token = \"a b\"",
        ENDPOINT + "server_key = \"short\"", ENDPOINT + "server_key = \"" + KEY + "\"", "endpoint = \"tcp://arena.example:1\"",
        "endpoint = \"tcp://192.0.2.1:1\"", "endpoint = \"tcp://127.0.0.1\"", "endpoint = \"tcp://127.0.0.1:99999\"",
        "endpoint = \"ipc:///run/arena.sock\"", "endpoint = \"127.0.0.1:7464\""
    })
    void refusesTheRest(String text) {
        SeatException fault = assertThrows(SeatException.class, () -> Seat.parse(text));
        assertFalse(fault.getMessage().contains(KEY), "it is a secret");
    }

    @Test
    void aFileThatIsNotThere() {
        assertEquals(
                "nowhere: there is no such file",
                assertThrows(SeatException.class, () -> Seat.read(Path.of("nowhere"))).getMessage());
    }
}
