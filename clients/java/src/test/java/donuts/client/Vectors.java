package donuts.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Reads protocol/vectors, whose README.md explains them; the rules as a service are another profile and left out. */
record Vectors(JsonObject json) {
    static List<Vectors> of(String file) throws IOException {
        List<Vectors> found = Files.readAllLines(Path.of("..", "..", "protocol", "vectors", file)).stream()
                .map(line -> new Vectors(JsonParser.parseString(line).getAsJsonObject()))
                .filter(vector -> List.of("bot", "referee").contains(vector.get("from")))
                .toList();
        if (found.isEmpty()) {
            throw new IOException(file + " holds no message of a bot or a referee");
        }
        return found;
    }

    String get(String key) {
        return json.get(key).getAsString();
    }

    /** What tests are called by. */
    String title() {
        return json.has("clause") ? get("clause") + " " + get("name") : get("name");
    }

    byte[] hex(String key) {
        return HexFormat.of().parseHex(get(key));
    }

    Sender sender() {
        return Sender.valueOf(get("from").toUpperCase());
    }

    Encoding encoding() {
        return Encoding.valueOf(get("encoding").toUpperCase());
    }

    /** The map that a reader must get; a flag that says no is the same as none. */
    JsonObject message() {
        JsonObject message = json.getAsJsonObject("message").deepCopy();
        if (message.has("resend") && message.get("resend").getAsInt() == 0) {
            message.remove("resend");
        }
        return message;
    }

    /** A message as the vectors write one. */
    static JsonObject map(Message message) throws InvalidMessageException {
        JsonObject map = new JsonObject();
        map.addProperty("t", Shape.of(message).verb());
        for (Map.Entry<String, Object> entry : Shape.of(message).values(message).entrySet()) {
            map.add(entry.getKey(), json(entry.getValue()));
        }
        return map;
    }

    private static JsonElement json(Object value) {
        if (value instanceof Long number) {
            return new JsonPrimitive(number);
        }
        if (value instanceof String text) {
            return new JsonPrimitive(text);
        }
        JsonArray array = new JsonArray();
        Key.items(value).forEach(array::add);
        return array;
    }

    @Override
    public String toString() {
        return title();
    }
}
