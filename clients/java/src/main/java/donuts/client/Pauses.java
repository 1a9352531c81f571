package donuts.client;

/** How long to wait before dialling again, in ms: first, then twice as long each time, up to most. */
final class Pauses {
    private final long first;
    private final long most;
    private long pause;

    Pauses(long first, long most) {
        this.first = first;
        this.most = most;
        this.pause = first;
    }

    long next() {
        long due = pause;
        pause = Math.min(2 * pause, most);
        return due;
    }

    void reset() {
        pause = first;
    }
}
