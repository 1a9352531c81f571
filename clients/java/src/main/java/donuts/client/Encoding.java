package donuts.client;

/** The two forms of a message; the first byte that a bot sends chooses one for both directions (DBP-2.2). */
public enum Encoding {
    /** Lines of printable ASCII. */
    TEXT,
    /** Maps of msgpack. */
    MSGPACK
}
