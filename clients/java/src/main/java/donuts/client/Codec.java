package donuts.client;

/** Writes and reads messages: a line without its LF in text, a payload without its length in msgpack. */
public final class Codec {
    /** Length of the longest line or payload, in bytes (DBP-2.4, DBP-2.5). */
    public static final int MOST_BYTES = 4096;

    private Codec() {}

    /**
     * Writes a message.
     *
     * @param message to be written
     * @param encoding its form
     * @return 1 to {@link #MOST_BYTES} bytes
     * @throws InvalidMessageException where a value is out of its bounds
     */
    public static byte[] encode(Message message, Encoding encoding) throws InvalidMessageException {
        Shape shape = Shape.of(message);
        var values = shape.values(message);
        byte[] bytes = encoding == Encoding.TEXT ? TextForm.write(shape, values) : PackedForm.write(shape, values);
        if (bytes.length > MOST_BYTES) {
            throw shape.refused(bytes.length + " bytes, and " + MOST_BYTES + " are the most");
        }
        return bytes;
    }

    /**
     * Reads a message.
     *
     * @param bytes of one line or payload
     * @param encoding their form
     * @param sender who sent them
     * @return the message
     * @throws InvalidMessageException where they are none that the sender could send
     */
    public static Message decode(byte[] bytes, Encoding encoding, Sender sender) throws InvalidMessageException {
        if (bytes.length > MOST_BYTES) {
            throw new InvalidMessageException(bytes.length + " bytes, and " + MOST_BYTES + " are the most");
        }
        return encoding == Encoding.TEXT ? TextForm.read(bytes, sender) : PackedForm.read(bytes, sender);
    }
}
