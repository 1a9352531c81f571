package arena

import (
	"context"
	"errors"
	"testing"
	"time"

	"donuts.example/client/dbp"
)

const session = "0123456789abcdef0123456789abcdef"

func end(id int64) dbp.End {
	return dbp.End{ID: id, Result: "win", Winner: "x", Why: "five", Ply: 9, Cells: turn(0, false).Cells, Moves: []string{}}
}

func TestAGameInBothEncodings(t *testing.T) {
	for _, encoding := range []dbp.Encoding{dbp.Text, dbp.Msgpack} {
		s := newScripted(t)
		s.encoding = encoding
		var finished *dbp.End
		sent := make(chan int, 1)
		p := s.start(Config{Games: 1, Seat: Seat{Token: "secret"}, TC: "10+0.1", Version: "2", Info: true}, bot{
			move: func(ctx context.Context, turn *dbp.Turn) (dbp.Move, error) {
				reports := 0
				for reports < 1000 && Report(ctx, dbp.Info{Depth: dbp.Some[int64](3)}) {
					reports++ // the next one comes too soon, where the machine does not stand still
				}
				sent <- reports
				return dbp.Move{Sq: "b1", Eval: dbp.Some[int64](700)}, nil
			},
			finish: func(end *dbp.End) { finished = end },
		})
		hello, is := s.hear().(*dbp.Hello)
		if !is || hello.Name != "tested" || hello.Seat != "secret" || hello.TC != "10+0.1" || *hello.Ver != "2" {
			t.Fatalf("heard %+v", hello)
		}
		s.say(dbp.Welcome{Donuts: "1-1", Session: session, Caps: []string{"info"}, MaxLine: 4096, Ref: "scripted"})
		s.say(dbp.Ping{ID: 7})
		if pong, is := s.hear().(*dbp.Pong); !is || pong.ID != 7 {
			t.Fatalf("heard %+v", pong)
		}
		s.begin()
		s.say(turn(2, false))
		reports := 0
		heard := s.hear()
		for info, is := heard.(*dbp.Info); is; info, is = heard.(*dbp.Info) {
			if info.ID != 2 || *info.Depth != 3 {
				t.Fatalf("heard %+v", info)
			}
			reports++
			heard = s.hear()
		}
		if move, is := heard.(*dbp.Move); !is || move.ID != 2 || move.Sq != "b1" {
			t.Fatalf("heard %+v, not move 2 b1", heard)
		}
		if told := <-sent; told != reports || reports == 0 || reports == 1000 {
			t.Fatalf("%d reports were sent, %d heard", told, reports)
		}
		s.say(end(1))
		s.wantLeave()
		if err := p.ended(); err != nil || finished == nil || finished.Result != "win" {
			t.Fatalf("%v after %+v", err, finished)
		}
	}
}

func TestSilenceMakesItDialAgain(t *testing.T) {
	s := newScripted(t)
	s.start(Config{Silence: quiet}, bot{})
	s.greet(session)
	s.begin()
	first := s.peer
	if shown := s.greet(session); shown != session || s.peer == first {
		t.Fatalf("a fresh connection shows the session, not %q", shown)
	}
}

func TestSilenceIsNoneWhileAnAnswerIsOwed(t *testing.T) {
	s := newScripted(t)
	s.start(Config{Silence: quiet}, bot{
		move: func(ctx context.Context, turn *dbp.Turn) (dbp.Move, error) {
			select { // longer than a silence
			case <-ctx.Done():
			case <-time.After(quiet + quiet/2):
			}
			return dbp.Move{Sq: "a1"}, ctx.Err()
		},
	})
	s.greet(session)
	s.begin()
	s.say(turn(2, false))
	s.wantMove(2, "a1")
}

func TestAnAnswerThatWasGivenIsGivenAgain(t *testing.T) {
	s := newScripted(t)
	thought := make(chan int64, 9)
	s.start(Config{}, bot{move: func(_ context.Context, turn *dbp.Turn) (dbp.Move, error) {
		thought <- turn.ID
		return dbp.Move{Sq: turn.Legal[len(thought)%2]}, nil
	}})
	s.greet(session)
	s.begin()
	s.say(turn(2, false))
	s.wantMove(2, "b1")
	s.say(dbp.Error{Code: "hello"})
	if shown := s.greet(session); shown != session {
		t.Fatalf("the bot shows %q", shown)
	}
	s.say(turn(2, true))
	s.wantMove(2, "b1")
	s.say(turn(3, false))
	s.wantMove(3, "a1")
	if len(thought) != 2 {
		t.Fatalf("the bot thought %d times", len(thought))
	}
}

func TestAnAnswerFoundWhileTheArenaWasAwayIsKept(t *testing.T) {
	s := newScripted(t)
	asked, answer := make(chan bool), make(chan bool)
	s.start(Config{}, bot{move: func(context.Context, *dbp.Turn) (dbp.Move, error) {
		asked <- true
		<-answer
		return dbp.Move{Sq: "b1"}, nil
	}})
	s.greet(session)
	s.begin()
	s.say(turn(2, false))
	<-asked
	s.close()
	answer <- true
	s.open()
	if shown := s.greet(session); shown != session {
		t.Fatalf("the bot shows %q", shown)
	}
	s.say(turn(2, true))
	s.wantMove(2, "b1")
}

func TestANewSessionEndsWhatWasBefore(t *testing.T) {
	s := newScripted(t)
	asked, gone := make(chan bool), make(chan bool)
	s.start(Config{}, bot{move: func(ctx context.Context, turn *dbp.Turn) (dbp.Move, error) {
		if turn.Ply == 0 {
			asked <- true
			<-ctx.Done()
			close(gone)
			return dbp.Move{}, ctx.Err()
		}
		return dbp.Move{Sq: "b1"}, nil
	}})
	s.greet(session)
	s.begin()
	s.say(turn(2, false))
	<-asked
	s.say(dbp.Error{Code: "hello"})
	s.greet("another")
	<-gone
	s.begin()
	next := turn(2, false) // ids of another session may be the same
	next.Ply = 1
	s.say(next)
	s.wantMove(2, "b1")
}

func TestCancelAndEndReachTheBot(t *testing.T) {
	s := newScripted(t)
	asked := make(chan bool)
	s.start(Config{}, bot{move: func(ctx context.Context, turn *dbp.Turn) (dbp.Move, error) {
		if turn.ID == 4 {
			return dbp.Move{Sq: "a1"}, nil
		}
		asked <- true
		<-ctx.Done()
		return dbp.Move{Sq: "b1"}, nil
	}})
	s.greet(session)
	s.begin()
	s.say(turn(2, false))
	<-asked
	s.say(dbp.Cancel{ID: 2, Why: "timeout"})
	s.say(turn(3, false))
	<-asked
	s.say(end(1))
	s.begin()
	s.say(turn(4, false))
	s.wantMove(4, "a1")
}

func TestWhatCannotBeUsedIsSaidAndIgnored(t *testing.T) {
	s := newScripted(t)
	s.encoding = dbp.Text
	s.start(Config{}, bot{})
	s.greet(session)
	s.raw([]byte("applause 3"))
	s.raw([]byte("ping"))
	if fault, is := s.hear().(*dbp.Error); !is || fault.Code != "protocol" {
		t.Fatalf("heard %+v", fault)
	}
	s.begin()
}

func TestByeThatBidsToComeBack(t *testing.T) {
	s := newScripted(t)
	p := s.start(Config{}, bot{})
	s.greet(session)
	first := s.peer
	s.say(dbp.Bye{Why: "busy"})
	if shown := s.greet(session); shown != session || s.peer == first {
		t.Fatalf("a fresh connection shows the session, not %q", shown)
	}
	s.say(dbp.Bye{Why: "done"})
	if err := p.ended(); err != nil {
		t.Fatal(err)
	}
}

func TestByeForGood(t *testing.T) {
	for _, why := range []string{"seat", "replaced", "kicked", "benched", "version"} {
		s := newScripted(t)
		p := s.start(Config{}, bot{})
		s.greet(session)
		s.say(dbp.Error{Code: "seat", Text: dbp.Some("it is")})
		s.say(dbp.Bye{Why: why})
		var away *SentAway
		if err := p.ended(); !errors.As(err, &away) || away.Why != why || away.Text != "it is" {
			t.Fatalf("%s: %v", why, err)
		}
	}
}

func TestFaultsOfTheBotEndIt(t *testing.T) {
	broken := errors.New("broken")
	for _, b := range []bot{
		{move: func(context.Context, *dbp.Turn) (dbp.Move, error) { return dbp.Move{}, broken }},
		{move: func(context.Context, *dbp.Turn) (dbp.Move, error) { return dbp.Move{Sq: "c1"}, nil }},
		{move: func(context.Context, *dbp.Turn) (dbp.Move, error) { return dbp.Move{Sq: "a1", Proof: "no"}, nil }},
	} {
		s := newScripted(t)
		p := s.start(Config{}, b)
		s.greet(session)
		s.begin()
		s.say(turn(2, false))
		if fault, is := s.hear().(*dbp.Error); !is || fault.Code != "exception" || *fault.ID != 2 {
			t.Fatalf("heard %+v", fault)
		}
		s.wantLeave()
		if err := p.ended(); err == nil {
			t.Fatal("it ended well")
		}
	}
}

func TestResigning(t *testing.T) {
	s := newScripted(t)
	s.start(Config{}, bot{move: func(context.Context, *dbp.Turn) (dbp.Move, error) { return dbp.Move{}, ErrResign }})
	s.greet(session)
	s.begin()
	s.say(turn(2, false))
	if resign, is := s.hear().(*dbp.Resign); !is || resign.ID != 2 {
		t.Fatalf("heard %+v", resign)
	}
}

func TestTheContextEndsIt(t *testing.T) {
	s := newScripted(t)
	p := s.start(Config{}, bot{})
	s.greet(session)
	s.begin()
	p.cancel()
	s.wantLeave()
	if err := p.ended(); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestConfigsThatCannotBe(t *testing.T) {
	here := Seat{Endpoint: "tcp://127.0.0.1:9"}
	for _, config := range []Config{
		{Name: "a"},
		{Seat: here},
		{Seat: here, Name: "a\nb"},
		{Seat: here, Name: "a", TC: "soon"},
		{Seat: Seat{Endpoint: "tcp://192.0.2.1:9"}, Name: "a"},
		{Seat: Seat{Endpoint: "nowhere"}, Name: "a"},
		{Seat: Seat{Endpoint: here.Endpoint, ServerKey: "short"}, Name: "a"},
	} {
		var fault *ConfigError
		if err := Play(context.Background(), config, bot{}); !errors.As(err, &fault) {
			t.Errorf("%+v: %v", config, err)
		}
	}
}
