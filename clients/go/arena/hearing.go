package arena

import (
	"context"
	"errors"
	"fmt"
	"time"

	"donuts.example/client/dbp"
)

// again holds the words of a bye after which a bot dials in again by itself (DBP-11.14).
var again = map[string]bool{
	"drain": true, "busy": true, "start": true, "timeout": true, "unread": true, "crash": true, "disconnect": true,
	"protocol": true, "flood": true, "illegal": true, "malformed": true, "resign": true, "abort": true, "referee": true,
}

// hear takes all that has come in over this connection.
func (c *client) hear() {
	for conn := c.conn; conn != nil && conn == c.conn && !c.over; {
		frame, there := conn.frame()
		if !there {
			return
		}
		message, err := dbp.Decode(frame, c.config.Encoding, dbp.Referee)
		var fault *dbp.Invalid
		switch {
		case err == nil:
			c.sound = time.Now()
			c.judge(message)
		case errors.As(err, &fault) && fault.Unknown: // of a later edition (DBP-12.4)
			c.sound = time.Now()
		default:
			c.config.Log.Printf("a message of the arena cannot be used: %v", err)
			c.say(dbp.Error{Code: "protocol", Text: dbp.Some("a message of yours could not be used")})
		}
	}
}

func (c *client) judge(message dbp.Message) {
	switch m := message.(type) {
	case *dbp.Welcome:
		c.arrive(m)
	case *dbp.Error:
		c.heed(m)
	case *dbp.Bye:
		c.part(m)
	case *dbp.Ping:
		c.asked()
		c.stop()
		c.say(dbp.Pong{ID: m.ID})
	case *dbp.Game:
		c.asked()
		c.game = m.ID
		c.question(m.ID, func(ctx context.Context) (dbp.Message, error) { return prepare(ctx, c.bot, m) })
	case *dbp.Turn:
		c.asked()
		c.game = m.Game
		c.question(m.ID, func(ctx context.Context) (dbp.Message, error) { return move(ctx, c.bot, m) })
	case *dbp.Cancel:
		c.alive = true
		if c.job != nil && c.job.id == m.ID {
			c.stop()
		}
		if c.open == m.ID {
			c.open = none
		}
	case *dbp.End:
		c.asked()
		c.stop()
		c.afterBye.reset()
		if m.ID == c.game {
			c.finish(m)
		}
	}
}

// asked notes that the arena deals with this bot, and that no question is open but the one that may be put now.
func (c *client) asked() {
	c.alive, c.open, c.complaint = true, none, ""
	c.afterLoss.reset()
}

// stop tells the bot that nobody waits for what it is at work on.
func (c *client) stop() {
	if c.job != nil {
		c.job.cancel()
		c.job = nil
	}
}

// question puts a question to the bot, unless it is at work on it already, or has answered it (DBP-11.11).
func (c *client) question(id int64, run func(context.Context) (dbp.Message, error)) {
	switch {
	case c.answered == id:
		c.say(c.answer)
		return
	case c.job == nil || c.job.id != id:
		c.stop()
		c.job = c.worker.start(c.ctx, id, run)
	}
	c.open = id
}

// prepare and move run in the goroutine of the bot.
func prepare(ctx context.Context, bot Bot, game *dbp.Game) (dbp.Message, error) {
	if p, is := bot.(Preparer); is {
		if err := p.Prepare(ctx, game); err != nil {
			return nil, err
		}
	}
	return dbp.Ready{ID: game.ID}, nil
}

func move(ctx context.Context, bot Bot, turn *dbp.Turn) (dbp.Message, error) {
	found, err := bot.Move(ctx, turn)
	if errors.Is(err, ErrResign) {
		return dbp.Resign{ID: turn.ID}, nil
	}
	if err != nil {
		return nil, err
	}
	found.ID = turn.ID
	if _, err := dbp.Encode(found, dbp.Text); err != nil {
		return nil, err
	}
	for _, square := range turn.Legal {
		if square == found.Sq {
			return found, nil
		}
	}
	return nil, fmt.Errorf("the bot chose %s, and the legal squares are %v", found.Sq, turn.Legal)
}

// finish counts a game, and leaves after the last.
func (c *client) finish(end *dbp.End) {
	c.game = none
	c.played++
	if f, is := c.bot.(Finisher); is {
		finished := make(chan struct{})
		c.finished = finished
		c.worker.start(c.ctx, none, func(context.Context) (dbp.Message, error) {
			defer close(finished)
			f.Finish(end)
			return nil, nil
		})
	}
	if c.config.Games > 0 && c.played >= c.config.Games {
		c.leave(nil)
	}
}

// arrive takes a welcome; one with another session says that what was before is gone.
func (c *client) arrive(welcome *dbp.Welcome) {
	if welcome.Session != c.session {
		c.session = welcome.Session
		c.stop()
		c.answered, c.answer, c.game = none, nil, none
	}
	c.reports = false
	for _, granted := range welcome.Caps {
		c.reports = c.reports || granted == "info"
	}
	if !c.met || len(c.told) > 0 {
		c.config.Log.Printf("welcome at %s, says %q", c.config.Seat.Endpoint, welcome.Ref)
	}
	c.met, c.told = true, map[string]bool{}
	c.patient = time.Time{}
}

// heed takes an error: the arena may not know this connection (DBP-11.9); all others are for people.
func (c *client) heed(fault *dbp.Error) {
	if fault.Code == "hello" {
		c.redial()
		return
	}
	c.complaint = fault.Code
	if fault.Text != nil {
		c.complaint = *fault.Text
	}
	c.config.Log.Printf("the arena says error %s: %q", fault.Code, c.complaint)
}

// part takes the arena's last word.
func (c *client) part(bye *dbp.Bye) {
	c.stop()
	switch {
	case again[bye.Why]:
		pause := c.afterBye.next()
		c.tell(fmt.Sprintf("the arena at %s says bye: %s", c.config.Seat.Endpoint, bye.Why))
		c.hangUp(pause)
	case bye.Why == "" || bye.Why == "done":
		c.end(nil)
	default:
		c.end(&SentAway{Why: bye.Why, Text: c.complaint})
	}
}
