package arena

import (
	"context"
	"errors"
	"fmt"
	"time"

	"donuts.example/client/dbp"
)

const (
	silence  = 15 * time.Second // without a word, while no answer is owed (DBP-11.8)
	patience = 3 * time.Second  // without a welcome, after which people are told
	none     = -1               // in place of an id
)

// pauses says how long to wait before dialling again: first, then twice as long each time, up to most.
type pauses struct{ first, most, now time.Duration }

func (p *pauses) next() time.Duration {
	pause := p.now
	if pause < p.first {
		pause = p.first
	}
	if p.now = 2 * pause; p.now > p.most {
		p.now = p.most
	}
	return pause
}

func (p *pauses) reset() { p.now = 0 }

// client plays over one connection after the other. All of it belongs to the goroutine of play; the bot's own code
// runs in that of worker.
type client struct {
	ctx    context.Context
	config Config
	bot    Bot
	hello  dbp.Hello
	bell   *bell
	worker *worker
	dial   func() (*dealer, error)

	// one connection
	conn    *dealer
	dialled int
	greeted bool      // hello was said on it
	alive   bool      // something was asked on it, so that dialling anew at once cannot go round in circles
	cut     bool      // something could not be sent: it is of no use
	sound   time.Time // when something was heard or said last
	open    int64     // id of the question that is open on it

	// all of them
	again               time.Time // when to dial
	patient             time.Time // when people are to be told that nobody answers; zero for never
	told                map[string]bool
	met                 bool
	afterLoss, afterBye pauses
	session             string
	reports             bool  // info was granted
	job                 *job  // what the bot is at work on
	answered            int64 // id of the question that was answered last
	answer              dbp.Message
	game                int64
	played              int
	finished            chan struct{} // closed when the last Finish has returned
	complaint           string
	over                bool
	err                 error
}

// play returns as Play does.
func (c *client) play() error {
	for !c.over {
		if err := c.step(); err != nil {
			return err
		}
	}
	return c.err
}

// end ends play.
func (c *client) end(err error) {
	if !c.over {
		c.over, c.err = true, err
	}
}

// leave says bye, gives it time to leave, and ends play.
func (c *client) leave(err error) {
	c.end(err)
	if c.conn != nil && c.greeted {
		c.say(dbp.Leave{})
		c.conn.close(flush)
		c.conn = nil
	}
}

// step waits for what comes next and takes it.
func (c *client) step() error {
	if c.conn == nil {
		if pause := time.Until(c.again); pause > 0 {
			return c.pause(pause)
		}
		conn, err := c.dial()
		if err != nil {
			return &ConfigError{err}
		}
		c.conn = conn
	}
	wait := c.timeout()
	if c.cut {
		wait = 0
	}
	if err := c.conn.wait(wait); err != nil {
		return err
	}
	c.takeResults()
	c.hear()
	for conn := c.conn; conn != nil && conn == c.conn && !c.over; {
		news, there := conn.news()
		if !there {
			break
		}
		c.follow(news)
	}
	now := time.Now()
	if due := c.due(); c.conn != nil && !c.over && (c.cut || !due.IsZero() && !now.Before(due)) {
		c.lose()
	}
	if !c.patient.IsZero() && !now.Before(c.patient) {
		c.patient = time.Time{}
		if len(c.told) == 0 {
			c.tell(fmt.Sprintf("the arena at %s does not answer", c.config.Seat.Endpoint))
		}
	}
	return nil
}

// pause lets time pass between two connections; the bot may be at work meanwhile.
func (c *client) pause(pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.ctx.Done():
		c.end(c.ctx.Err())
	case result := <-c.worker.results:
		c.take(result)
	}
	return nil
}

// due is when this connection has been silent for too long; zero while an answer is owed.
func (c *client) due() time.Time {
	if !c.greeted || c.open != none {
		return time.Time{}
	}
	return c.sound.Add(c.config.Silence)
}

// timeout is how long nothing is due; below 0 for ever.
func (c *client) timeout() time.Duration {
	wait := time.Duration(-1)
	for _, at := range []time.Time{c.due(), c.patient} {
		if !at.IsZero() {
			left := time.Until(at)
			if left < 0 {
				left = 0
			}
			if wait < 0 || left < wait {
				wait = left
			}
		}
	}
	return wait
}

func (c *client) follow(news news) {
	where := c.config.Seat.Endpoint
	switch news {
	case made:
		c.greeted, c.open, c.sound = true, none, time.Now()
		hello := c.hello
		hello.Session = c.session
		c.say(hello)
	case missed:
		c.tell("nobody answers at " + where)
	case botched:
		c.tell("what answers at " + where + " breaks off the handshake: it is no arena, or wants other keys, or none")
		c.lose()
	case refused:
		c.end(&SentAway{Why: "key"})
	case lost:
		c.lose()
	}
}

// lose gives up a connection that is of no use any more; what came over it still counts.
func (c *client) lose() {
	conn := c.conn
	c.hear()
	if c.conn == conn && !c.over {
		c.redial()
	}
}

// redial dials at once, or after a pause where this connection was of no use from its beginning.
func (c *client) redial() {
	if c.alive {
		c.hangUp(0)
	} else {
		c.hangUp(c.afterLoss.next())
	}
}

// hangUp closes the connection, and dials again after the pause. The bot stays at work on what was open.
func (c *client) hangUp(pause time.Duration) {
	if c.conn != nil {
		c.conn.close(0)
		c.conn = nil
	}
	c.greeted, c.alive, c.cut, c.open = false, false, false, none
	c.again = time.Now().Add(pause)
	if c.patient.IsZero() {
		c.patient = c.again.Add(patience)
	}
}

// say sends a message; a connection that does not take it is given up in the next step.
func (c *client) say(message dbp.Message) {
	frame, err := dbp.Encode(message, c.config.Encoding)
	if err != nil {
		c.end(err)
		return
	}
	c.sound = time.Now()
	if !c.conn.send(frame) {
		c.cut = true
	}
}

// tell tells people, once until the next welcome, why it takes longer.
func (c *client) tell(line string) {
	c.patient = time.Time{}
	if !c.told[line] {
		c.told[line] = true
		c.config.Log.Print(line + "; dialling again")
	}
}

// takeResults takes what the bot has done, and notices that ctx is done.
func (c *client) takeResults() {
	c.bell.quiet()
	if err := c.ctx.Err(); err != nil {
		c.leave(err)
	}
	for !c.over {
		select {
		case result := <-c.worker.results:
			c.take(result)
			continue
		default:
		}
		return
	}
}

func (c *client) take(r result) {
	current := c.job == r.job
	switch {
	case r.info:
		if current && c.reports && c.open == r.job.id {
			c.say(r.message)
		}
	case r.err != nil && !errors.Is(r.err, context.Canceled):
		if c.greeted {
			id := r.job.id
			c.say(dbp.Error{ID: &id, Code: "exception", Text: dbp.Some("the bot has failed")})
		}
		c.leave(r.err)
	case current && r.err != nil: // the bot gave up a question that is open still
		c.leave(r.err)
	case current:
		r.job.cancel()
		c.job, c.answered, c.answer = nil, r.job.id, r.message
		if c.open == r.job.id { // else it is given when the turn is sent again
			c.open = none
			c.say(r.message)
		}
	}
}
