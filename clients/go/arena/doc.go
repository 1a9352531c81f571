// Package arena plays DONUTS at an arena that is dialled by ZeroMQ.
//
// A bot is a value with one method, from a turn to a square:
//
//	type First struct{}
//
//	func (First) Move(_ context.Context, turn *dbp.Turn) (dbp.Move, error) {
//		return dbp.Move{Sq: turn.Legal[0]}, nil
//	}
//
//	err := arena.Play(ctx, arena.Config{Seat: arena.Seat{Endpoint: "tcp://127.0.0.1:7464"}, Name: "first"}, First{})
//
// Play says hello, answers everything, and dials again when the connection is lost, without the bot noticing: its
// session is taken up again, and an answer that was under way is given when the turn is sent again.
package arena
