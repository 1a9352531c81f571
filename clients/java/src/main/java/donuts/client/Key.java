package donuts.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The type of a key, which is the same in every message (DBP-6.2). Values are Long, String or a list of String. */
record Key(Form form, long low, long high, Pattern fits, String must) {
    enum Form {
        INTEGER,
        /** A string that never needs an escape. */
        WORD,
        /** A string of people, escaped in text. */
        PHRASE,
        LIST
    }

    /** The largest integer on the wire. */
    static final long MOST = (1L << 53) - 1;

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");
    private static final Map<String, Key> KEYS = new HashMap<>();

    static {
        integers(0, MOST, "id nodes depth main inc margin prep movemax seed game clock oclock limit spent min max");
        integers(1, MOST, "maxline");
        integers(0, 1000, "eval");
        integers(1, 40, "rings");
        integers(0, 80, "ply");
        integers(0, 1, "resend more");
        KEYS.put("size", new Key(Form.INTEGER, 6, 9, Pattern.compile("[69]"), "6 or 9"));
        phrases(1, 40, "name opp");
        phrases(0, 40, "ver author");
        phrases(1, 128, "seat");
        phrases(1, 64, "session");
        phrases(0, 200, "text");
        phrases(1, 80, "ref");
        words("(0|[1-9][0-9]{0,5})-(0|[1-9][0-9]{0,5})", "a range of versions such as 1-1", "donuts");
        words("[0-9.]{1,12}(\\+[0-9.]{1,12})?|inf", "a time control such as 10+0.1", "tc");
        words("[a-z][a-z0-9_]{0,31}", "a word of lower-case letters, digits and _", "code why");
        words("[a-i][1-9]", "a square such as e4", "sq last");
        words("[HVDA]{36}|[HVDA]{81}", "36 or 81 letters out of H, V, D and A", "layout");
        words("[.xo]{36}|[.xo]{81}", "36 or 81 characters out of . x and o", "cells");
        words("x|o", "x or o", "you winner");
        words("win|draw|loss", "win, draw or loss", "proof");
        words("win|draw|loss|void", "win, draw, loss or void", "result");
        lists(0, 32, "[a-z][a-z0-9_]{0,31}", "words", "caps");
        lists(0, 81, "[a-i][1-9]", "squares such as e4", "pv five moves");
        lists(1, 81, "[a-i][1-9]", "squares such as e4", "legal");
    }

    static Key of(String name) {
        return KEYS.get(name);
    }

    /** Whether this could be the name of a key, known or not (DBP-3.4). */
    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Whether a value is one of this kind; an array of strings of a message is a list. */
    boolean holds(Object value) {
        return switch (form) {
            case INTEGER -> value instanceof Long number && low <= number && number <= high && matches(number.toString());
            case WORD -> value instanceof String word && matches(word);
            case PHRASE -> value instanceof String text && Words.clean(text) && within(text.codePointCount(0, text.length()));
            case LIST -> value instanceof List<?> items
                    && within(items.size())
                    && items.stream().allMatch(item -> item instanceof String word && matches(word));
        };
    }

    private boolean within(int length) {
        return low <= length && length <= high;
    }

    private boolean matches(String word) {
        return fits == null || fits.matcher(word).matches();
    }

    /** The items of a list as strings. */
    static List<String> items(Object list) {
        List<String> items = new ArrayList<>();
        for (Object item : (List<?>) list) {
            items.add((String) item);
        }
        return List.copyOf(items);
    }

    private static void integers(long low, long high, String names) {
        add(new Key(Form.INTEGER, low, high, null, "an integer from " + low + " to " + high), names);
    }

    private static void phrases(int low, int high, String names) {
        add(new Key(Form.PHRASE, low, high, null, low + " to " + high + " characters, none of them a control"), names);
    }

    private static void words(String pattern, String must, String names) {
        add(new Key(Form.WORD, 0, 0, Pattern.compile(pattern), must), names);
    }

    private static void lists(int low, int high, String pattern, String what, String names) {
        add(new Key(Form.LIST, low, high, Pattern.compile(pattern), low + " to " + high + " " + what), names);
    }

    private static void add(Key key, String names) {
        for (String name : names.split(" ")) {
            KEYS.put(name, key);
        }
    }
}
