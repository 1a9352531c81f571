package donuts.client;

/** Chooses squares. Its methods are called in one thread of their own, one after the other. */
@FunctionalInterface
public interface Bot {
    /**
     * Answers a turn.
     *
     * @param turn the whole position and the clocks
     * @param thinking tells whether anybody still waits for the answer, and sends reports
     * @return a {@link Message.Move} to one of {@link Message.Turn#legal()}, or a {@link Message.Resign}
     * @throws Exception ends {@link Client#play}
     */
    Message.Answer move(Message.Turn turn, Thinking thinking) throws Exception;

    /**
     * Gets ready for a game, within {@link Message.Game#prep()} ms. It may be called again for the same game.
     *
     * @param game that is announced
     * @throws Exception ends {@link Client#play}
     */
    default void prepare(Message.Game game) throws Exception {}

    /**
     * Hears how a game went.
     *
     * @param end of the game
     */
    default void finish(Message.End end) {}
}
