package donuts.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Messages as lines of printable ASCII, without the LF (DBP-3). */
final class TextForm {
    private static final Pattern INTEGER = Pattern.compile("0|[1-9][0-9]{0,15}");
    private static final String HEX = "0123456789ABCDEF";

    private TextForm() {}

    static byte[] write(Shape shape, Map<String, Object> values) {
        StringBuilder line = new StringBuilder(shape.verb());
        for (Shape.Field field : shape.fields()) {
            Object value = values.get(field.name());
            if (value == null && !field.none()) {
                continue;
            }
            line.append(' ');
            if (!field.argument()) {
                line.append(field.name()).append('=');
            }
            if (value == null) {
                line.append('-');
            } else {
                switch (field.key().form()) {
                    case LIST -> line.append(String.join(",", Key.items(value)));
                    case PHRASE -> escape((String) value, line);
                    default -> line.append(value);
                }
            }
        }
        return line.toString().getBytes(StandardCharsets.US_ASCII);
    }

    static Message read(byte[] bytes, Sender sender) throws InvalidMessageException {
        for (byte octet : bytes) {
            if (octet < 0x20 || octet > 0x7e) {
                throw new InvalidMessageException(String.format("byte 0x%02x is not printable ASCII", octet));
            }
        }
        String[] words = new String(bytes, StandardCharsets.US_ASCII).split(" ", -1);
        Shape shape = Shape.of(words[0], sender);
        Map<String, Object> values = new HashMap<>();
        Set<String> seen = new HashSet<>();
        int at = 1;
        for (Shape.Field field : shape.fields()) {
            if (!field.argument()) {
                break;
            }
            if (at == words.length) {
                throw shape.refused(field.name() + " is missing");
            }
            take(shape, field, words[at++], values);
            seen.add(field.name());
        }
        for (; at < words.length; at++) {
            int equals = words[at].indexOf('=');
            String name = equals < 0 ? "" : words[at].substring(0, equals);
            if (!Key.isName(name)) {
                throw shape.refused(Words.quoted(words[at]) + " is not key=value");
            }
            if (!seen.add(name)) {
                throw shape.refused(name + " is given twice");
            }
            String raw = words[at].substring(equals + 1);
            Shape.Field field = shape.field(name);
            if (field == null) { // of a later edition; its escapes are looked at all the same (DBP-3.11)
                unescape(shape, name, raw);
            } else {
                take(shape, field, raw, values);
            }
        }
        for (Shape.Field field : shape.fields()) {
            if (!field.optional() && !seen.contains(field.name())) {
                throw shape.refused(field.name() + " is missing");
            }
        }
        return shape.message(values);
    }

    private static void take(Shape shape, Shape.Field field, String raw, Map<String, Object> values)
            throws InvalidMessageException {
        if (field.none() && raw.equals("-")) {
            return;
        }
        Object value = switch (field.key().form()) {
            case INTEGER -> INTEGER.matcher(raw).matches() ? (Object) Long.valueOf(raw) : raw;
            case WORD -> raw;
            case PHRASE -> unescape(shape, field.name(), raw);
            case LIST -> raw.isEmpty() ? List.of() : List.of(raw.split(",", -1));
        };
        if (!field.key().holds(value)) {
            throw shape.refused(field);
        }
        values.put(field.name(), value);
    }

    private static void escape(String text, StringBuilder line) {
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet < 0x21 || octet > 0x7e || "%,=".indexOf(octet) >= 0) {
                line.append('%').append(HEX.charAt(octet >> 4 & 15)).append(HEX.charAt(octet & 15));
            } else {
                line.append((char) octet);
            }
        }
    }

    private static String unescape(Shape shape, String name, String raw) throws InvalidMessageException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 0; at < raw.length(); at++) {
            if (raw.charAt(at) != '%') {
                bytes.write(raw.charAt(at));
                continue;
            }
            int high = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 1), 16) : -1;
            int low = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 2), 16) : -1;
            if (high < 0 || low < 0) {
                throw shape.refused(name + ": a % without two hexadecimal digits");
            }
            bytes.write(high << 4 | low);
            at += 2;
        }
        String text = Words.utf8(ByteBuffer.wrap(bytes.toByteArray()));
        if (text == null || !Words.clean(text)) {
            throw shape.refused(name + ": its escapes are no UTF-8, or hide a control character");
        }
        return text;
    }
}
