package donuts.client;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** What strings of the protocol may hold, and how those of strangers are shown to people. */
final class Words {
    private Words() {}

    /** Whether there are no control characters, bidirectional controls or lone surrogates (DBP-3.10). */
    static boolean clean(String text) {
        return text.codePoints().noneMatch(Words::forbidden);
    }

    private static boolean forbidden(int point) {
        return point < 0x20
                || point >= 0x7f && point <= 0x9f
                || point >= 0xd800 && point <= 0xdfff
                || point == 0x61c
                || point == 0x200e
                || point == 0x200f
                || point >= 0x202a && point <= 0x202e
                || point >= 0x2066 && point <= 0x2069;
    }

    /** The text in quotation marks, at most 200 characters of it, and "?" for what a terminal could take for a command. */
    static String quoted(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.codePoints().limit(200).map(point -> forbidden(point) ? '?' : point).forEach(shown::appendCodePoint);
        return shown.append('"').toString();
    }

    /** The text in these bytes; null where they are not UTF-8. */
    static String utf8(ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException fault) {
            return null;
        }
    }
}
