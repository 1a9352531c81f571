package donuts.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;

/** Messages as maps of msgpack (DBP-4). */
final class PackedForm {
    /** How deep a payload may nest; the map itself is 1 (DBP-4.5). */
    private static final int DEEPEST = 3;

    private PackedForm() {}

    static byte[] write(Shape shape, Map<String, Object> values) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(values.size() + 1);
            packer.packString("t").packString(shape.verb());
            for (Map.Entry<String, Object> entry : values.entrySet()) {
                packer.packString(entry.getKey());
                if (entry.getValue() instanceof Long number) {
                    packer.packLong(number);
                } else if (entry.getValue() instanceof String text) {
                    packer.packString(text);
                } else {
                    List<String> items = Key.items(entry.getValue());
                    packer.packArrayHeader(items.size());
                    for (String item : items) {
                        packer.packString(item);
                    }
                }
            }
            return packer.toByteArray();
        } catch (IOException fault) {
            throw new AssertionError("nothing fails in memory", fault);
        }
    }

    static Message read(byte[] payload, Sender sender) throws InvalidMessageException {
        Map<?, ?> map = unpack(payload);
        Shape shape = Shape.of(map.get("t") instanceof String verb ? verb : "", sender);
        Map<String, Object> values = new HashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String name = (String) entry.getKey();
            if (!Key.isName(name)) {
                throw shape.refused(Words.quoted(name) + " is no key");
            }
            Shape.Field field = shape.field(name);
            if (field == null) {
                continue;
            }
            if (!field.key().holds(entry.getValue())) {
                throw shape.refused(field);
            }
            values.put(name, entry.getValue() instanceof List<?> items ? Key.items(items) : entry.getValue());
        }
        return shape.message(values);
    }

    private static Map<?, ?> unpack(byte[] payload) throws InvalidMessageException {
        try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(payload)) {
            if (!(value(unpacker, payload.length, 1) instanceof Map<?, ?> map)) {
                throw new InvalidMessageException("the payload is not a map");
            }
            if (unpacker.hasNext()) {
                throw new InvalidMessageException("there are bytes after the map");
            }
            return map;
        } catch (MessagePackException fault) {
            throw new InvalidMessageException("the payload is no msgpack: " + fault.getMessage());
        } catch (IOException fault) {
            throw new AssertionError("nothing fails in memory", fault);
        }
    }

    /** Reads what is in the protocol: integers, strings, arrays and maps, as Long, String, List and Map. */
    private static Object value(MessageUnpacker unpacker, int length, int level) throws IOException, InvalidMessageException {
        switch (unpacker.getNextFormat().getValueType()) {
            case INTEGER:
                return unpacker.unpackLong();
            case STRING:
                return text(unpacker, length);
            case ARRAY:
                deep(level);
                List<Object> items = new ArrayList<>();
                for (int left = unpacker.unpackArrayHeader(); left > 0; left--) {
                    items.add(value(unpacker, length, level + 1));
                }
                return items;
            case MAP:
                deep(level);
                Map<String, Object> map = new HashMap<>();
                for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
                    if (!unpacker.getNextFormat().getValueType().isStringType()) {
                        throw new InvalidMessageException("a key is not a str");
                    }
                    String name = text(unpacker, length);
                    if (map.put(name, value(unpacker, length, level + 1)) != null) {
                        throw new InvalidMessageException(Words.quoted(name) + " is given twice");
                    }
                }
                return map;
            default:
                throw new InvalidMessageException("it holds a type that is not in the protocol");
        }
    }

    private static void deep(int level) throws InvalidMessageException {
        if (level > DEEPEST) {
            throw new InvalidMessageException("it nests deeper than " + DEEPEST);
        }
    }

    private static String text(MessageUnpacker unpacker, int most) throws IOException, InvalidMessageException {
        int length = unpacker.unpackRawStringHeader();
        if (length > most) { // before that much memory is taken
            throw new InvalidMessageException("a string ends after the payload");
        }
        String text = Words.utf8(ByteBuffer.wrap(unpacker.readPayload(length)));
        if (text == null || !Words.clean(text)) {
            throw new InvalidMessageException("a string is no UTF-8, or holds a control character");
        }
        return text;
    }
}
