package donuts.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to dial and what to show there: a token, three keys of CURVE, or, for an open arena, neither. It is a secret.
 *
 * @param endpoint such as tcp://127.0.0.1:7464; JeroMQ speaks no ipc that libzmq understands
 * @param name of the bot; may be null, as all that follow
 * @param token what {@code hello} says as {@code seat}
 * @param serverKey the arena's public key, 40 characters in Z85
 * @param publicKey the bot's own
 * @param secretKey and the secret one
 */
public record Seat(String endpoint, String name, String token, String serverKey, String publicKey, String secretKey) {
    private static final List<String> KEYS =
            List.of("endpoint", "name", "token", "server_key", "public_key", "secret_key");
    private static final Pattern PAIR =
            Pattern.compile("([a-z_]+)[ \t]*=[ \t]*(?:\"((?:[^\"\\\\]|\\\\[\"\\\\])*)\"|'([^']*)')[ \t]*(?:#.*)?");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_.~-]{1,128}");
    private static final Pattern Z85 = Pattern.compile("[0-9a-zA-Z.\\-:+=^!/*?&<>()\\[\\]{}@%$#]{40}");
    private static final Pattern TCP = Pattern.compile("tcp://(\\[[0-9a-fA-F:.]+]|[^:/\\[\\]]+):([0-9]{1,5})");

    /**
     * A seat at an arena that is open to all.
     *
     * @param endpoint such as tcp://127.0.0.1:7464
     */
    public Seat(String endpoint) {
        this(endpoint, null, null, null, null, null);
    }

    /**
     * Reads a join file (DBP-11.13).
     *
     * @param path of the file
     * @return the seat
     * @throws SeatException where there is none, or it is no join file
     */
    public static Seat read(Path path) throws SeatException {
        String text;
        try {
            text = Words.utf8(ByteBuffer.wrap(Files.readAllBytes(path)));
        } catch (NoSuchFileException fault) {
            throw new SeatException(path + ": there is no such file", fault);
        } catch (IOException fault) {
            throw new SeatException(path + " cannot be read: " + fault, fault);
        }
        if (text == null) {
            throw new SeatException(path + " is no join file: it is not UTF-8");
        }
        try {
            return parse(text);
        } catch (SeatException fault) {
            throw new SeatException(path + " is no join file: " + fault.getMessage(), fault);
        }
    }

    /**
     * Reads the text of a join file: lines of {@code key = "value"}, and comments.
     *
     * @param text of the file
     * @return the seat, checked
     * @throws SeatException where it is none
     */
    public static Seat parse(String text) throws SeatException {
        Map<String, String> values = new HashMap<>();
        int number = 0;
        for (String line : text.split("\n")) {
            number++;
            line = line.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            Matcher pair = PAIR.matcher(line);
            if (!pair.matches()) {
                throw new SeatException("line " + number + " is not key = \"value\"");
            }
            String key = pair.group(1);
            if (!KEYS.contains(key)) {
                throw new SeatException("line " + number + ": there is no key " + Words.quoted(key));
            }
            String value = pair.group(2) == null ? pair.group(3) : pair.group(2).replaceAll("\\\\(.)", "$1");
            if (values.put(key, value) != null) {
                throw new SeatException("line " + number + ": " + key + " is given twice");
            }
        }
        return new Seat(values.get("endpoint"), values.get("name"), values.get("token"), values.get("server_key"),
                values.get("public_key"), values.get("secret_key")).checked();
    }

    /**
     * The same seat, with a token.
     *
     * @param secret the token
     * @return a new seat
     */
    public Seat withToken(String secret) {
        return new Seat(endpoint, name, secret, serverKey, publicKey, secretKey);
    }

    /** Whether the connection is to be encrypted and the bot is known by its key. */
    boolean curve() {
        return serverKey != null;
    }

    /** This seat; throws where it cannot be one. */
    Seat checked() throws SeatException {
        if (endpoint == null || endpoint.isEmpty()) {
            throw new SeatException("endpoint is missing, such as endpoint = \"tcp://127.0.0.1:7464\"");
        }
        if (endpoint.startsWith("ipc:")) {
            throw new SeatException(Words.quoted(endpoint) + " cannot be dialled from Java: JeroMQ has no ipc of its own; "
                    + "use a tcp endpoint of the arena, or let `donuts join` carry a bot that speaks on stdin and stdout");
        }
        Matcher tcp = TCP.matcher(endpoint);
        if (!tcp.matches() || Integer.parseInt(tcp.group(2)) > 65535) {
            throw new SeatException(Words.quoted(endpoint) + " cannot be dialled: it must be such as tcp://127.0.0.1:7464");
        }
        if (token != null && !TOKEN.matcher(token).matches()) {
            throw new SeatException("the token must be 1 to 128 letters, digits, _ . ~ or -");
        }
        int keys = key("server_key", serverKey) + key("public_key", publicKey) + key("secret_key", secretKey);
        if (keys != 0 && keys != 3) {
            throw new SeatException("server_key, public_key and secret_key go together, and one is missing");
        }
        if (keys == 0 && !isLocal(tcp.group(1))) {
            throw new SeatException(Words.quoted(endpoint) + " is no loopback address, and without keys everybody could "
                    + "listen: use the join file of a seat with keys");
        }
        return this;
    }

    private static int key(String name, String key) throws SeatException {
        if (key != null && !Z85.matcher(key).matches()) {
            throw new SeatException(name + " must be a key of 40 characters in Z85");
        }
        return key == null ? 0 : 1;
    }

    /** Whether nobody else can listen on the way (DBP-11.4). A name is not looked up. */
    private static boolean isLocal(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        if (!host.startsWith("[") && !host.matches("[0-9.]+")) {
            return false;
        }
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException fault) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "Seat[" + endpoint + "]";
    }
}
