// Sample plays random legal squares at an arena, over ZeroMQ and msgpack.
//
//	sample (--connect ENDPOINT | --seat-file FILE) [--name NAME] [--games N] [--tc TC]
//
// A token may stand in the environment variable DONUTS_SEAT instead of a file. It exits with 0 when the arena is done
// with it or its games are over, 2 where it cannot be started so, 3 where the arena sent it away, 1 for any other fault.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand"
	"os"
	"os/signal"
	"syscall"

	"donuts.example/client/arena"
	"donuts.example/client/dbp"
)

// dice plays at random; the seed of a game makes it play the same again when the game is played again.
type dice struct{ *rand.Rand }

func (d *dice) Prepare(_ context.Context, game *dbp.Game) error {
	d.Rand = rand.New(rand.NewSource(game.Seed))
	return nil
}

func (d *dice) Move(_ context.Context, turn *dbp.Turn) (dbp.Move, error) {
	return dbp.Move{Sq: turn.Legal[d.Intn(len(turn.Legal))]}, nil
}

func main() {
	log.SetFlags(0)
	config, err := configure()
	if err == nil {
		err = play(config)
	}
	if err != nil {
		log.Print(err)
	}
	os.Exit(status(err))
}

// configure reads the command line, the join file and the environment.
func configure() (arena.Config, error) {
	config := arena.Config{Version: "1.0", Encoding: dbp.Msgpack, Log: log.Default()}
	connect := flag.String("connect", "", "dial this `ENDPOINT`, such as tcp://127.0.0.1:7464")
	file := flag.String("seat-file", "", "take endpoint, token and keys from this join `FILE`")
	flag.StringVar(&config.Name, "name", "", "`NAME` for display (default: the seat's, or go-sample)")
	flag.IntVar(&config.Games, "games", 0, "leave after `N` games (default: stay)")
	flag.StringVar(&config.TC, "tc", "", "wish for a time control `TC`, such as 10+0.1")
	flag.Parse()
	if (*connect == "") == (*file == "") || flag.NArg() > 0 || config.Games < 0 {
		return config, &arena.ConfigError{Err: errors.New("give --connect ENDPOINT or --seat-file FILE; --help lists the rest")}
	}
	config.Seat.Endpoint = *connect
	if *file != "" {
		seat, err := arena.ReadSeat(*file)
		if err != nil {
			return config, &arena.ConfigError{Err: err}
		}
		config.Seat = seat
	}
	if config.Seat.Token == "" {
		config.Seat.Token = os.Getenv("DONUTS_SEAT")
	}
	if config.Name == "" && config.Seat.Name == "" {
		config.Name = "go-sample"
	}
	return config, nil
}

// errSignal says which signal ended the bot.
type errSignal struct{ signal syscall.Signal }

func (fault errSignal) Error() string { return fmt.Sprintf("ended by %v", fault.signal) }

// play plays; a first signal makes the bot say bye, a second one kills it.
func play(config arena.Config) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		got, _ := (<-signals).(syscall.Signal)
		signal.Reset()
		cancel(errSignal{got})
	}()
	err := arena.Play(ctx, config, &dice{rand.New(rand.NewSource(1))})
	if errors.Is(err, context.Canceled) {
		err = context.Cause(ctx)
	}
	return err
}

func status(err error) int {
	var (
		away   *arena.SentAway
		usage  *arena.ConfigError
		signal errSignal
	)
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		return 2
	case errors.As(err, &away):
		return 3
	case errors.As(err, &signal):
		return 128 + int(signal.signal)
	}
	return 1
}
