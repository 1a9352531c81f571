package arena

import (
	"context"
	"errors"
	"time"

	"donuts.example/client/dbp"
)

// Bot chooses squares. Its methods are called one after the other, never two at a time.
type Bot interface {
	// Move answers a turn with Sq, one of turn.Legal, and whatever else a dbp.Move can tell; its ID is filled in.
	// ctx is done as soon as nobody waits for the answer any longer. ErrResign gives the game up; every other error
	// ends Play, which returns it.
	Move(ctx context.Context, turn *dbp.Turn) (dbp.Move, error)
}

// Preparer is a Bot that wants to know of a game before its first turn.
type Preparer interface {
	// Prepare has game.Prep milliseconds; an error ends Play.
	Prepare(ctx context.Context, game *dbp.Game) error
}

// Finisher is a Bot that wants to know how a game went.
type Finisher interface {
	// Finish is called after every game, also after the last one, before Play returns.
	Finish(end *dbp.End)
}

// ErrResign is what Move returns to give the game up.
var ErrResign = errors.New("the bot resigns")

// reportGap keeps reports under 20 a second (DBP-6.10).
const reportGap = 50 * time.Millisecond

type reporter struct{}

// Report sends an info from inside Move, whose ctx it needs; its ID is filled in. It returns false where the report
// was dropped: Config.Info asks for the capability, and 20 a second are the most.
func Report(ctx context.Context, info dbp.Info) bool {
	send, there := ctx.Value(reporter{}).(func(dbp.Info) bool)
	return there && ctx.Err() == nil && send(info)
}

// job is something the bot has to do. A question has an answer, which its run returns.
type job struct {
	ctx    context.Context
	cancel context.CancelFunc
	id     int64 // of the question, or none
	run    func(context.Context) (dbp.Message, error)
}

// result is what came of a job, or a report on the way (then info is true).
type result struct {
	job     *job
	message dbp.Message
	err     error
	info    bool
}

// worker runs the bot's own code, one job after the other, so that the connection is looked after meanwhile.
type worker struct {
	jobs    chan *job
	results chan result
	bell    *bell
	closed  chan struct{}
}

func newWorker(bell *bell) *worker {
	w := &worker{
		jobs: make(chan *job, 64), results: make(chan result, 64), bell: bell, closed: make(chan struct{}),
	}
	go w.work()
	return w
}

func (w *worker) work() {
	for {
		select {
		case <-w.closed:
			return
		case job := <-w.jobs:
			if job.id != none && job.ctx.Err() != nil { // nobody waits for it any longer
				continue
			}
			message, err := job.run(job.ctx)
			w.tell(result{job: job, message: message, err: err})
		}
	}
}

// tell hands a result over.
func (w *worker) tell(r result) {
	select {
	case w.results <- r:
		w.bell.ring()
	case <-w.closed:
	}
}

// start gives the bot something to do; 64 jobs may wait for a bot that does not come back from Move.
func (w *worker) start(parent context.Context, id int64, run func(context.Context) (dbp.Message, error)) *job {
	ctx, cancel := context.WithCancel(parent)
	made := &job{cancel: cancel, id: id, run: run}
	var last time.Time
	made.ctx = context.WithValue(ctx, reporter{}, func(info dbp.Info) bool {
		if time.Since(last) < reportGap {
			return false
		}
		last = time.Now()
		info.ID = id
		w.tell(result{job: made, message: info, info: true})
		return true
	})
	select {
	case w.jobs <- made:
	default:
		cancel()
	}
	return made
}

func (w *worker) close() { close(w.closed) }
