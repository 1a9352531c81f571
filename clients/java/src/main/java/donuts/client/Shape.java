package donuts.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a verb may hold, and how its record is taken apart and put together. */
record Shape(String verb, List<Field> fields, Class<? extends Message> type) {
    /** A field: an argument stands without its key, an optional one may be left out, "none" is "-" in text. */
    record Field(String name, boolean argument, boolean optional, boolean none, Key key) {
        boolean required() {
            return !optional && !none;
        }
    }

    private static final Map<Class<?>, Shape> BY_TYPE = new HashMap<>();
    private static final Map<Sender, Map<String, Shape>> BY_VERB =
            Map.of(Sender.BOT, new HashMap<>(), Sender.REFEREE, new HashMap<>());
    private static final String REPORT = "eval? proof? nodes? depth? pv? text?";

    static { // ":" an argument, "?" optional, "-" may be none
        add(Sender.BOT, Message.Hello.class, "hello donuts name ver? author? caps? seat? session? tc?");
        add(Sender.BOT, Message.Ready.class, "ready :id");
        add(Sender.BOT, Message.Move.class, "move :id :sq " + REPORT);
        add(Sender.BOT, Message.Resign.class, "resign :id");
        add(Sender.BOT, Message.Info.class, "info :id " + REPORT);
        add(Sender.BOT, Message.Pong.class, "pong :id");
        add(Sender.BOT, Message.Error.class, "error :id- code? text?");
        add(Sender.BOT, Message.Leave.class, "bye text?");
        add(Sender.REFEREE, Message.Welcome.class, "welcome donuts session caps maxline ref name?");
        add(Sender.REFEREE, Message.Game.class, "game :id you size rings main inc margin prep movemax? opp? seed");
        add(Sender.REFEREE, Message.Turn.class, "turn :id game ply you size rings layout cells last- legal clock oclock"
                + " inc limit margin spent resend?");
        add(Sender.REFEREE, Message.Cancel.class, "cancel :id why?");
        add(Sender.REFEREE, Message.Ping.class, "ping :id");
        add(Sender.REFEREE, Message.Error.class, "error :id- code? text?");
        add(Sender.REFEREE, Message.End.class, "end :id result winner- why text? ply cells five? moves more");
        add(Sender.REFEREE, Message.Bye.class, "bye why? min? max?");
    }

    private static void add(Sender sender, Class<? extends Message> type, String text) {
        String[] words = text.split(" ");
        List<Field> fields = new ArrayList<>();
        for (int at = 1; at < words.length; at++) {
            String name = words[at].replaceAll("[:?-]", "");
            String word = words[at];
            fields.add(new Field(name, word.startsWith(":"), word.endsWith("?"), word.endsWith("-"), Key.of(name)));
        }
        Shape shape = new Shape(words[0], List.copyOf(fields), type);
        BY_TYPE.put(type, shape);
        BY_VERB.get(sender).put(shape.verb, shape);
    }

    static Shape of(Message message) {
        return BY_TYPE.get(message.getClass());
    }

    /** The shape of a verb; throws where this sender has none such. */
    static Shape of(String verb, Sender sender) throws InvalidMessageException {
        Shape shape = BY_VERB.get(sender).get(verb);
        if (shape == null) {
            throw new InvalidMessageException(verb, !verb.isEmpty(), "there is no such verb");
        }
        return shape;
    }

    /** The field with this name, or null. */
    Field field(String name) {
        for (Field field : fields) {
            if (field.name.equals(name)) {
                return field;
            }
        }
        return null;
    }

    InvalidMessageException refused(String reason) {
        return new InvalidMessageException(verb, false, reason);
    }

    InvalidMessageException refused(Field field) {
        return refused(field.name + " must be " + field.key.must());
    }

    /** Takes a message apart: what it holds, under its keys. */
    Map<String, Object> values(Message message) throws InvalidMessageException {
        Map<String, Object> parts = new HashMap<>();
        takeApart((Record) message, parts);
        Map<String, Object> values = new LinkedHashMap<>();
        for (Field field : fields) {
            Object value = parts.get(field.name);
            if (value == null && !field.required() || field.optional && Boolean.FALSE.equals(value)) {
                continue;
            }
            if (value instanceof Integer number) {
                value = number.longValue();
            } else if (value instanceof Boolean flag) {
                value = flag ? 1L : 0L;
            }
            if (!field.key.holds(value)) {
                throw refused(field);
            }
            values.put(field.name, value);
        }
        return values;
    }

    private static void takeApart(Record record, Map<String, Object> parts) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            try {
                Object value = component.getAccessor().invoke(record);
                if (value instanceof Report report) {
                    takeApart(report, parts);
                } else {
                    parts.put(component.getName(), value);
                }
            } catch (IllegalAccessException | InvocationTargetException fault) {
                throw new AssertionError(component.getName() + " has a public accessor that only returns it", fault);
            }
        }
    }

    /** Puts a message together; the values fit their keys. */
    Message message(Map<String, Object> values) throws InvalidMessageException {
        for (Field field : fields) {
            if (field.required() && !values.containsKey(field.name)) {
                throw refused(field.name + " is missing");
            }
        }
        return type.cast(putTogether(type, values));
    }

    private static Object putTogether(Class<?> type, Map<String, Object> values) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] parts = new Object[components.length];
        for (int at = 0; at < components.length; at++) {
            types[at] = components[at].getType();
            Object value = values.get(components[at].getName());
            if (types[at] == Report.class) {
                value = putTogether(Report.class, values);
            } else if (types[at] == boolean.class) {
                value = Long.valueOf(1).equals(value);
            } else if (value instanceof Long number && (types[at] == int.class || types[at] == Integer.class)) {
                value = (int) Math.min(number, Integer.MAX_VALUE);
            }
            parts[at] = value;
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(parts);
        } catch (ReflectiveOperationException fault) {
            throw new AssertionError("a record has a constructor for its components: " + type, fault);
        }
    }
}
