package arena

import (
	"context"
	"fmt"
	"log"
	"time"

	zmq "github.com/pebbe/zmq4"

	"donuts.example/client/dbp"
)

// Config says where a bot plays, what it says of itself there, and how long it stays.
type Config struct {
	Seat     Seat
	Name     string // for display; the seat's, where it is empty
	Version  string // the bot's own
	Author   string
	TC       string // a wish for a time control, such as "10+0.1"
	Games    int    // after which it leaves; 0 for as many as come
	Info     bool   // ask to be allowed to Report
	Encoding dbp.Encoding
	Silence  time.Duration // without a word, after which it dials again; 0 for the 15 s of DBP-11.8
	Log      *log.Logger   // is told what people may want to know; nil for nobody
}

// SentAway is the error of an arena that sent the bot away for good.
type SentAway struct {
	Why  string // of the bye, or "key" where the arena does not know the CURVE key
	Text string // what the arena said to it, if anything; it may hold any characters
}

var remedies = map[string]string{
	"seat":     "there is no such seat, or it is revoked: ask the operator for a new join file",
	"key":      "it does not know the key of this join file, or has revoked it: ask the operator for a new one",
	"replaced": "another connection holds this seat now: stop the other one, or use a seat of its own for each",
	"kicked":   "the operator has removed this bot: ask there before you dial in again",
	"benched":  "too many games in a row were lost by the bot's own faults: mend it, then start it again",
	"version":  "the two speak no version of the protocol in common: update the older one",
}

func (fault *SentAway) Error() string {
	line := "the arena says bye: " + fault.Why
	if fault.Text != "" {
		line += fmt.Sprintf(" (%q)", fault.Text)
	}
	if remedy := remedies[fault.Why]; remedy != "" {
		line += "; " + remedy
	}
	return line
}

// ConfigError is the error of a Config that nothing can be dialled with.
type ConfigError struct{ Err error }

func (fault *ConfigError) Error() string { return fault.Err.Error() }

// Unwrap returns what is wrong.
func (fault *ConfigError) Unwrap() error { return fault.Err }

// Play plays until the arena is done with the bot, or Config.Games are over: then it returns nil. Every other end is an
// error: a *SentAway, that of ctx, after the bot said bye, a *ConfigError, or one of the bot itself. The ctx of a Move
// that is still at work is done then, but Play does not wait for it.
func Play(ctx context.Context, config Config, bot Bot) error {
	if err := config.Seat.check(); err != nil {
		return &ConfigError{err}
	}
	sockets, err := zmq.NewContext()
	if err != nil {
		return err
	}
	defer func() { _ = sockets.Term() }()
	bell, err := newBell(sockets)
	if err != nil {
		return err
	}
	defer bell.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		<-ctx.Done()
		bell.ring()
	}()
	c, err := newClient(ctx, config, bot, bell)
	if err != nil {
		return err
	}
	c.dial = func() (*dealer, error) {
		c.dialled++
		return dial(sockets, bell, config.Seat, c.dialled)
	}
	defer c.worker.close()
	defer c.hangUp(0)
	if err := c.play(); err != nil {
		return err
	}
	select {
	case <-c.finished:
	case <-ctx.Done():
	}
	return nil
}

// newClient is a bot at no connection yet.
func newClient(ctx context.Context, config Config, bot Bot, bell *bell) (*client, error) {
	if config.Log == nil {
		config.Log = log.New(nowhere{}, "", 0)
	}
	if config.Silence == 0 {
		config.Silence = silence
	}
	hello := dbp.Hello{Donuts: "1-1", Name: config.Name, Seat: config.Seat.Token, TC: config.TC}
	if hello.Name == "" {
		name := []rune(config.Seat.Name)
		if len(name) > 40 {
			name = name[:40]
		}
		hello.Name = string(name)
	}
	if config.Version != "" {
		hello.Ver = &config.Version
	}
	if config.Author != "" {
		hello.Author = &config.Author
	}
	if config.Info {
		hello.Caps = []string{"info"}
	}
	if _, err := dbp.Encode(hello, config.Encoding); err != nil {
		return nil, &ConfigError{err}
	}
	finished := make(chan struct{})
	close(finished)
	return &client{
		finished: finished,
		ctx:      ctx, config: config, bot: bot, hello: hello, bell: bell, worker: newWorker(bell),
		open: none, game: none, answered: none, told: map[string]bool{}, patient: time.Now().Add(patience),
		afterLoss: pauses{first: 100 * time.Millisecond, most: 2 * time.Second},
		afterBye:  pauses{first: time.Second, most: 30 * time.Second},
	}, nil
}

type nowhere struct{}

func (nowhere) Write(data []byte) (int, error) { return len(data), nil }
