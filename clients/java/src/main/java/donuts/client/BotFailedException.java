package donuts.client;

/** The bot's own code has thrown something, or chose what is no legal answer; the arena was told, and the bot left. */
public final class BotFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BotFailedException(String text, Throwable cause) {
        super(text, cause);
    }
}
