package donuts.client;

/** Some bytes, or some values, are no message; the text says why. */
public final class InvalidMessageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean unknownVerb;

    InvalidMessageException(String reason) {
        this("", false, reason);
    }

    InvalidMessageException(String verb, boolean unknownVerb, String reason) {
        super((verb.isEmpty() ? "no message: " : "no valid " + Words.quoted(verb) + ": ") + reason);
        this.unknownVerb = unknownVerb;
    }

    /**
     * Whether only the verb is unknown. It may be one of a later edition, and a bot ignores it (DBP-12.4).
     *
     * @return true where nothing else is wrong that could be seen
     */
    public boolean unknownVerb() {
        return unknownVerb;
    }
}
