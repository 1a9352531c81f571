package arena

import (
	"fmt"
	"strings"
	"time"

	zmq "github.com/pebbe/zmq4"
)

// news is what becomes of a connection.
type news int

const (
	made    news = iota // the handshake is done: words can be sent
	missed              // nobody is there; libzmq tries again by itself
	botched             // the handshake failed: no arena, or other keys
	refused             // the arena does not let this key in
	lost                // the connection is gone
)

const watched = zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_CONNECT_RETRIED | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL |
	zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL | zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_DISCONNECTED

// refusal is the status of an arena that does not let a key in (ZeroMQ RFC 27).
const refusal = 400

// flush is how long a last word has to leave.
const flush = 500 * time.Millisecond

// dealer is one connection to an arena: a DEALER that connects once, and its monitor (DBP-11.1).
type dealer struct {
	socket, monitor *zmq.Socket
	poller          *zmq.Poller
}

// dial begins to connect; number is another one each time. Nothing but wait waits.
func dial(context *zmq.Context, bell *bell, seat Seat, number int) (*dealer, error) {
	d := &dealer{poller: zmq.NewPoller()}
	var err error
	if d.socket, err = context.NewSocket(zmq.DEALER); err != nil {
		return nil, err
	}
	if d.monitor, err = context.NewSocket(zmq.PAIR); err == nil {
		err = d.connect(seat, fmt.Sprintf("inproc://monitor-%d", number))
	}
	if err != nil {
		d.close(0)
		return nil, fmt.Errorf("%s cannot be dialled: %w", seat.Endpoint, err)
	}
	d.poller.Add(d.socket, zmq.POLLIN)
	d.poller.Add(d.monitor, zmq.POLLIN)
	d.poller.Add(bell.hear, zmq.POLLIN)
	return d, nil
}

func (d *dealer) connect(seat Seat, monitor string) error {
	errs := []error{
		d.socket.SetLinger(0),
		d.socket.SetSndtimeo(0),
		d.socket.SetHeartbeatIvl(time.Second),
		d.socket.SetHeartbeatTimeout(3 * time.Second),
		d.socket.SetHandshakeIvl(5 * time.Second),
		d.socket.SetReconnectIvl(100 * time.Millisecond),
		d.socket.SetReconnectIvlMax(2 * time.Second),
		d.socket.SetMaxmsgsize(65536),
		d.socket.SetIpv6(strings.Contains(seat.Endpoint, "[")),
	}
	if seat.ServerKey != "" {
		errs = append(errs, d.socket.ClientAuthCurve(seat.ServerKey, seat.PublicKey, seat.SecretKey))
	}
	errs = append(errs, d.socket.Monitor(monitor, watched), d.monitor.Connect(monitor))
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return d.socket.Connect(seat.Endpoint)
}

// wait returns when there are frames or news, when the bell rang, or after so long; below 0 is for ever.
func (d *dealer) wait(most time.Duration) error {
	if most > 0 { // the poller counts whole milliseconds
		most = (most + time.Millisecond - 1).Truncate(time.Millisecond)
	}
	_, err := d.poller.Poll(most)
	return err
}

// frame returns the next message that has come in, or false; one of several frames is none (DBP-11.2).
func (d *dealer) frame() ([]byte, bool) {
	for {
		parts, err := d.socket.RecvMessageBytes(zmq.DONTWAIT)
		if err != nil {
			return nil, false
		}
		if len(parts) == 1 && len(parts[0]) > 0 {
			return parts[0], true
		}
	}
}

// news returns what has become of the connection since, or false.
func (d *dealer) news() (news, bool) {
	event, _, value, err := d.monitor.RecvEvent(zmq.DONTWAIT)
	switch {
	case err != nil:
		return 0, false
	case event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
		return made, true
	case event == zmq.EVENT_CONNECT_RETRIED:
		return missed, true
	case event == zmq.EVENT_DISCONNECTED:
		return lost, true
	case event == zmq.EVENT_HANDSHAKE_FAILED_AUTH && value == refusal:
		return refused, true
	}
	return botched, true
}

// send hands a message to libzmq; false where there is no connection, or one that takes no more.
func (d *dealer) send(frame []byte) bool {
	if events, err := d.socket.GetEvents(); err != nil || events&zmq.POLLOUT == 0 {
		return false
	}
	_, err := d.socket.SendBytes(frame, zmq.DONTWAIT)
	return err == nil
}

// close closes the connection; what was sent has so long to leave.
func (d *dealer) close(linger time.Duration) {
	_ = d.socket.SetLinger(linger)
	_ = d.socket.Close()
	if d.monitor != nil {
		_ = d.monitor.SetLinger(0)
		_ = d.monitor.Close()
	}
}
