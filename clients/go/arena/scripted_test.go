package arena

import (
	"context"
	"testing"
	"time"

	zmq "github.com/pebbe/zmq4"

	"donuts.example/client/dbp"
)

// tooLong is when a test gives up waiting for something that never comes.
const tooLong = 60 * time.Second

// quiet is what a bot takes for silence; no test is held up as long as that on a busy machine.
const quiet = 4 * time.Second

// scripted is an arena that says what a test tells it to say.
type scripted struct {
	*testing.T
	context  *zmq.Context
	router   *zmq.Socket
	endpoint string
	encoding dbp.Encoding
	peer     string // who spoke last
}

func newScripted(t *testing.T) *scripted {
	t.Helper()
	context, err := zmq.NewContext()
	if err != nil {
		t.Fatal(err)
	}
	s := &scripted{T: t, context: context, endpoint: "tcp://127.0.0.1:*", encoding: dbp.Msgpack}
	s.open()
	t.Cleanup(func() {
		s.close()
		_ = context.Term()
	})
	return s
}

// open listens, after close at the same endpoint as before.
func (s *scripted) open() {
	s.Helper()
	var err error
	if s.router, err = s.context.NewSocket(zmq.ROUTER); err != nil {
		s.Fatal(err)
	}
	_ = s.router.SetRcvtimeo(tooLong)
	_ = s.router.SetLinger(0)
	_ = s.router.SetRouterMandatory(1)
	for began := time.Now(); ; time.Sleep(time.Millisecond) { // libzmq closes a socket when it gets round to it
		if err = s.router.Bind(s.endpoint); err == nil || time.Since(began) > tooLong {
			break
		}
	}
	if err == nil {
		s.endpoint, err = s.router.GetLastEndpoint()
	}
	if err != nil {
		s.Fatal(err)
	}
}

func (s *scripted) close() { _ = s.router.Close() }

// hear returns the next message of the bot.
func (s *scripted) hear() dbp.Message {
	s.Helper()
	parts, err := s.router.RecvMessage(0)
	if err != nil || len(parts) != 2 {
		s.Fatalf("heard %q: %v", parts, err)
	}
	s.peer = parts[0]
	message, err := dbp.Decode([]byte(parts[1]), s.encoding, dbp.Bot)
	if err != nil {
		s.Fatalf("%q: %v", parts[1], err)
	}
	return message
}

// raw sends bytes to whoever spoke last.
func (s *scripted) raw(data []byte) {
	s.Helper()
	if _, err := s.router.SendMessage(s.peer, data); err != nil {
		s.Fatal(err)
	}
}

func (s *scripted) say(message dbp.Message) {
	s.Helper()
	data, err := dbp.Encode(message, s.encoding)
	if err != nil {
		s.Fatal(err)
	}
	s.raw(data)
}

// greet hears a hello and answers it with this session; it returns the session that the bot showed.
func (s *scripted) greet(session string) string {
	s.Helper()
	message := s.hear()
	if _, early := message.(*dbp.Move); early { // before the bot saw its loss: ZeroMQ connected again by itself
		message = s.hear()
	}
	hello, is := message.(*dbp.Hello)
	if !is {
		s.Fatal("that was no hello")
	}
	s.say(dbp.Welcome{Donuts: "1-1", Session: session, Caps: hello.Caps, MaxLine: 4096, Ref: "scripted"})
	return hello.Session
}

// begin gets game 1 ready.
func (s *scripted) begin() {
	s.Helper()
	s.say(dbp.Game{ID: 1, You: "x", Size: 6, Rings: 15, Prep: 10000})
	if ready, is := s.hear().(*dbp.Ready); !is || ready.ID != 1 {
		s.Fatal("the bot is not ready")
	}
}

// turn is the first of game 1.
func turn(id int64, resend bool) dbp.Turn {
	lines := "HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH"
	rings := "...................................."
	return dbp.Turn{ID: id, Game: 1, You: "x", Size: 6, Rings: 15, Layout: lines, Cells: rings,
		Legal: []string{"a1", "b1"}, Clock: 1000, OClock: 1000, Limit: 1000, Resend: resend}
}

func (s *scripted) wantMove(id int64, square string) {
	s.Helper()
	if move, is := s.hear().(*dbp.Move); !is || move.ID != id || move.Sq != square {
		s.Fatalf("heard %+v, not move %d %s", move, id, square)
	}
}

func (s *scripted) wantLeave() {
	s.Helper()
	if message := s.hear(); message.Verb() != "bye" {
		s.Fatalf("heard %+v, not bye", message)
	}
}

// bot is a Bot of functions, each of them voluntary.
type bot struct {
	move    func(context.Context, *dbp.Turn) (dbp.Move, error)
	prepare func(*dbp.Game)
	finish  func(*dbp.End)
}

func (b bot) Move(ctx context.Context, turn *dbp.Turn) (dbp.Move, error) {
	if b.move == nil {
		return dbp.Move{Sq: turn.Legal[0]}, nil
	}
	return b.move(ctx, turn)
}

func (b bot) Prepare(_ context.Context, game *dbp.Game) error {
	if b.prepare != nil {
		b.prepare(game)
	}
	return nil
}

func (b bot) Finish(end *dbp.End) {
	if b.finish != nil {
		b.finish(end)
	}
}

// playing is a bot at play in its own goroutine.
type playing struct {
	*testing.T
	cancel context.CancelFunc
	end    chan error
}

// start lets a bot play here.
func (s *scripted) start(config Config, b bot) *playing {
	ctx, cancel := context.WithCancel(context.Background())
	p := &playing{T: s.T, cancel: cancel, end: make(chan error, 1)}
	config.Seat.Endpoint, config.Name, config.Encoding = s.endpoint, "tested", s.encoding
	go func() { p.end <- Play(ctx, config, b) }()
	s.Cleanup(cancel)
	return p
}

// ended returns what Play returns.
func (p *playing) ended() error {
	p.Helper()
	select {
	case err := <-p.end:
		return err
	case <-time.After(tooLong):
		p.Fatal("the bot plays on")
		return nil
	}
}
