package donuts.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** Wakes the thread that waits for a connection, from any other thread. */
final class Bell implements AutoCloseable {
    private final Pipe pipe;

    Bell() {
        try {
            pipe = Pipe.open();
            pipe.source().configureBlocking(false);
            pipe.sink().configureBlocking(false); // where it is full, it has been rung often enough
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    SelectableChannel channel() {
        return pipe.source();
    }

    void ring() {
        boolean interrupted = Thread.interrupted(); // with which a write would close the pipe
        try {
            pipe.sink().write(ByteBuffer.allocate(1));
        } catch (ClosedChannelException fault) {
            return; // nobody listens any longer
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns when it has been rung, or after so many ms; -1 is for ever. For when there is no connection to wait for. */
    void await(long timeout) {
        if (timeout == 0) {
            return;
        }
        try (Selector selector = Selector.open()) {
            pipe.source().register(selector, SelectionKey.OP_READ);
            selector.select(Math.max(timeout, 0)); // 0 is for ever here
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    void quiet() {
        try {
            ByteBuffer rings = ByteBuffer.allocate(256);
            while (pipe.source().read(rings) == rings.capacity()) {
                rings.clear();
            }
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    @Override
    public void close() {
        try {
            pipe.sink().close();
            pipe.source().close();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
