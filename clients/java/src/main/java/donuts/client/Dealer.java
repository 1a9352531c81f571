package donuts.client;

import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.zeromq.SocketType;
import org.zeromq.ZEvent;
import org.zeromq.ZMQ;

/** One connection to an arena: a DEALER that connects once (DBP-11.1). All but the events of JeroMQ is in one thread. */
final class Dealer {
    /** What becomes of a connection. */
    enum News {
        /** Somebody listens there; the handshake begins, and JeroMQ does not tell when it is done. */
        REACHED,
        /** Nobody is there; it is tried again without our doing. */
        MISSED,
        /** The arena does not let this key in. */
        REFUSED,
        /** The connection is gone, or the handshake failed. */
        LOST
    }

    /** Status of an arena that does not let a key in (ZeroMQ RFC 27). */
    private static final Integer REFUSAL = 400;
    /** The most that a last word may take to leave, in ms. */
    private static final int FLUSH = 500;

    /** ms for a handshake. About one in some hundred of JeroMQ 0.6.0 comes to a stand in its greeting: a fresh one mends it. */
    private static final int HANDSHAKE = 2000;

    private static final int WATCHED = ZMQ.EVENT_CONNECTED | ZMQ.EVENT_CONNECT_RETRIED | ZMQ.HANDSHAKE_FAILED_NO_DETAIL
            | ZMQ.HANDSHAKE_FAILED_PROTOCOL | ZMQ.HANDSHAKE_FAILED_AUTH | ZMQ.EVENT_DISCONNECTED;

    private final ZMQ.Socket socket;
    private final ZMQ.Poller poller;
    private final Queue<News> news = new ConcurrentLinkedQueue<>();

    /** Begins to connect; what is sent leaves as soon as the handshake is done. */
    Dealer(ZMQ.Context context, Bell bell, Seat seat) throws SeatException {
        socket = context.socket(SocketType.DEALER);
        poller = context.poller(2);
        String fault;
        try {
            prepare(bell, seat);
            fault = socket.connect(seat.endpoint()) ? null : ZMQ.Error.findByCode(socket.errno()).getMessage();
        } catch (RuntimeException thrown) { // of several kinds
            fault = thrown.getMessage();
        }
        if (fault != null) {
            close();
            throw new SeatException(Words.quoted(seat.endpoint()) + " cannot be dialled: " + fault);
        }
    }

    private void prepare(Bell bell, Seat seat) {
        socket.setLinger(0);
        socket.setSendTimeOut(0);
        socket.setHeartbeatIvl(1000);
        socket.setHeartbeatTimeout(3000);
        socket.setHandshakeIvl(HANDSHAKE);
        socket.setReconnectIVL(100);
        socket.setReconnectIVLMax(2000);
        socket.setMaxMsgSize(65536);
        socket.setIPv6(seat.endpoint().contains("["));
        if (seat.curve()) {
            socket.setCurveServerKey(seat.serverKey().getBytes(StandardCharsets.US_ASCII));
            socket.setCurvePublicKey(seat.publicKey().getBytes(StandardCharsets.US_ASCII));
            socket.setCurveSecretKey(seat.secretKey().getBytes(StandardCharsets.US_ASCII));
        }
        ZEvent.ZEventConsummer hook = event -> {
            news.add(newsOf(event));
            bell.ring();
        };
        socket.setEventHook(hook, WATCHED);
        poller.register(socket, ZMQ.Poller.POLLIN);
        poller.register(bell.channel(), ZMQ.Poller.POLLIN);
    }

    private static News newsOf(ZEvent event) {
        return switch (event.getEvent()) {
            case CONNECTED -> News.REACHED;
            case CONNECT_RETRIED -> News.MISSED;
            case HANDSHAKE_FAILED_AUTH -> event.<Object>getValue().equals(REFUSAL) ? News.REFUSED : News.LOST;
            default -> News.LOST;
        };
    }

    /** Returns when there are frames or news, when the bell rang, or after so many ms; -1 is for ever. */
    void await(long timeout) {
        poller.poll(timeout);
    }

    /** The next message that has come in, or null; one of several frames is none (DBP-11.2). */
    byte[] frame() {
        byte[] frame;
        while ((frame = socket.recv(ZMQ.DONTWAIT)) != null) {
            boolean alone = !socket.hasReceiveMore();
            while (socket.hasReceiveMore()) {
                socket.recv(ZMQ.DONTWAIT);
            }
            if (alone && frame.length > 0) {
                return frame;
            }
        }
        return null;
    }

    /** What has become of the connection since; null for nothing more. */
    News news() {
        return news.poll();
    }

    /** Hands a message to JeroMQ; false where it takes no more. */
    boolean send(byte[] frame) {
        return socket.send(frame, ZMQ.DONTWAIT);
    }

    /** Closes the connection; what was not sent is thrown away. */
    void close() {
        socket.setEventHook(null, 0);
        poller.close();
        socket.close();
    }

    /** Closes the connection; what was sent last has a moment to leave. */
    void closeAfterLastWord() {
        socket.setLinger(FLUSH);
        close();
    }
}
