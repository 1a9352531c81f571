package donuts.client;

/** The end of a connection that a message comes from; {@code error} and {@code bye} may come from either. */
public enum Sender {
    /** The program that plays. */
    BOT,
    /** The referee, or an arena. */
    REFEREE
}
