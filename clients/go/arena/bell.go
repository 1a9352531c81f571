package arena

import (
	"sync"

	zmq "github.com/pebbe/zmq4"
)

// bell wakes the goroutine that waits for sockets; any other goroutine may ring it.
type bell struct {
	hear *zmq.Socket
	lock sync.Mutex
	pull *zmq.Socket // nil once closed
}

func newBell(context *zmq.Context) (*bell, error) {
	hear, err := context.NewSocket(zmq.PAIR)
	if err != nil {
		return nil, err
	}
	pull, err := context.NewSocket(zmq.PAIR)
	if err != nil {
		_ = hear.Close()
		return nil, err
	}
	b := &bell{hear: hear, pull: pull}
	if err = hear.Bind("inproc://bell"); err == nil {
		err = pull.Connect("inproc://bell")
	}
	if err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *bell) ring() {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.pull != nil { // a bell that is full has been rung
		_, _ = b.pull.SendBytes(nil, zmq.DONTWAIT)
	}
}

// quiet forgets that it was rung.
func (b *bell) quiet() {
	for {
		if _, err := b.hear.RecvBytes(zmq.DONTWAIT); err != nil {
			return
		}
	}
}

func (b *bell) close() {
	b.lock.Lock()
	defer b.lock.Unlock()
	_ = b.hear.Close()
	_ = b.pull.Close()
	b.pull = nil
}
