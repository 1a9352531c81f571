package donuts.client;

/** What a bot can ask and tell while it thinks about a turn. */
public interface Thinking {
    /**
     * Whether nobody waits for the answer any longer; a bot should look often, and return anything then.
     *
     * @return true for good, once it is
     */
    boolean givenUp();

    /**
     * Reports on the search, where {@link Client#reports} asked for it and the arena grants it.
     *
     * @param report what there is to tell
     * @return false where it was dropped: not granted, or sooner than 50 ms after the last one (DBP-6.10)
     */
    boolean report(Report report);
}
