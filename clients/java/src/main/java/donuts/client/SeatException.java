package donuts.client;

/** There is no dialling with this seat; the text says what would be right, and quotes no secret. */
public final class SeatException extends Exception {
    private static final long serialVersionUID = 1L;

    SeatException(String text) {
        super(text);
    }

    SeatException(String text, Throwable cause) {
        super(text, cause);
    }
}
