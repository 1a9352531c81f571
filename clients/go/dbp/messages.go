package dbp

// Message is one of the structs of this package; Encode takes it by value or by pointer, Decode returns a pointer.
//
// In a message an optional field is a pointer, or a string or list whose zero value says that it is absent: a list
// that is nil is absent, and one that is empty but not nil is written as an empty list.
type Message interface {
	// Verb is the word that a message begins with.
	Verb() string
}

// Some returns a pointer to v, for the optional fields of messages: dbp.Move{Sq: "e4", Eval: dbp.Some[int64](480)}.
func Some[T any](v T) *T { return &v }

// The tags hold the key of a field; arg stands for an argument, opt for an optional field, and none for a field that
// is "-" in text, and left out in msgpack, where it holds nothing.

// Hello is what a bot says first on a connection.
type Hello struct {
	Donuts  string   `dbp:"donuts"`      // versions of DBP, such as "1-1"
	Name    string   `dbp:"name"`        // for display only
	Ver     *string  `dbp:"ver,opt"`     // the bot's own version
	Author  *string  `dbp:"author,opt"`  // who wrote the bot
	Caps    []string `dbp:"caps,opt"`    // capabilities asked for: "info"
	Seat    string   `dbp:"seat,opt"`    // secret token that claims a seat
	Session string   `dbp:"session,opt"` // token of the session that is taken up again
	TC      string   `dbp:"tc,opt"`      // a wish for a time control, such as "10+0.1"
}

// Ready answers Game.
type Ready struct {
	ID int64 `dbp:"id,arg"`
}

// Move answers Turn with a square.
type Move struct {
	ID    int64    `dbp:"id,arg"`
	Sq    string   `dbp:"sq,arg"`    // such as "e4"
	Eval  *int64   `dbp:"eval,opt"`  // the bot's own chances in permille
	Proof string   `dbp:"proof,opt"` // "win", "draw" or "loss", where the bot has proved it
	Nodes *int64   `dbp:"nodes,opt"` // positions visited
	Depth *int64   `dbp:"depth,opt"` // depth of the search in plies
	PV    []string `dbp:"pv,opt"`    // the placements the bot expects
	Text  *string  `dbp:"text,opt"`  // a sentence for people
}

// Resign answers Turn and gives the game up.
type Resign struct {
	ID int64 `dbp:"id,arg"`
}

// Info reports while the bot thinks, where the capability was granted. The fields are those of Move.
type Info struct {
	ID    int64    `dbp:"id,arg"`
	Eval  *int64   `dbp:"eval,opt"`
	Proof string   `dbp:"proof,opt"`
	Nodes *int64   `dbp:"nodes,opt"`
	Depth *int64   `dbp:"depth,opt"`
	PV    []string `dbp:"pv,opt"`
	Text  *string  `dbp:"text,opt"`
}

// Pong answers Ping.
type Pong struct {
	ID int64 `dbp:"id,arg"`
}

// Error says, from either side, that a message could not be used.
type Error struct {
	ID   *int64  `dbp:"id,arg,none"` // the message's; nil where it had none
	Code string  `dbp:"code,opt"`
	Text *string `dbp:"text,opt"`
}

// Leave is the bot's bye: it leaves, and resigns the game that is running.
type Leave struct {
	Text *string `dbp:"text,opt"`
}

// Welcome answers Hello.
type Welcome struct {
	Donuts  string   `dbp:"donuts"`   // the version chosen, such as "1-1"
	Session string   `dbp:"session"`  // secret token of the session
	Caps    []string `dbp:"caps"`     // capabilities granted
	MaxLine int64    `dbp:"maxline"`  // bytes of the longest message that is accepted
	Ref     string   `dbp:"ref"`      // name/version of the referee
	Name    *string  `dbp:"name,opt"` // name of the seat, under which the bot is listed
}

// Game announces a game; times are in milliseconds.
type Game struct {
	ID      int64  `dbp:"id,arg"`
	You     string `dbp:"you"`  // "x" or "o"
	Size    int64  `dbp:"size"` // 6 or 9
	Rings   int64  `dbp:"rings"`
	Main    int64  `dbp:"main"`
	Inc     int64  `dbp:"inc"`
	Margin  int64  `dbp:"margin"`
	Prep    int64  `dbp:"prep"` // within which Ready is due
	MoveMax *int64 `dbp:"movemax,opt"`
	Opp     string `dbp:"opp,opt"` // name of the opponent, where it is not hidden
	Seed    int64  `dbp:"seed"`    // for the bot's own dice
}

// Turn is a question that holds all there is to know; times are in milliseconds.
type Turn struct {
	ID     int64    `dbp:"id,arg"`
	Game   int64    `dbp:"game"` // id of the game
	Ply    int64    `dbp:"ply"`  // placements made so far
	You    string   `dbp:"you"`  // "x" or "o"
	Size   int64    `dbp:"size"` // 6 or 9
	Rings  int64    `dbp:"rings"`
	Layout string   `dbp:"layout"`     // the lines of the squares a1 b1 ...: H, V, D or A
	Cells  string   `dbp:"cells"`      // the rings on the squares a1 b1 ...: ".", "x" or "o"
	Last   string   `dbp:"last,none"`  // the square filled last; "" for none
	Legal  []string `dbp:"legal"`      // every legal square, at least one
	Clock  int64    `dbp:"clock"`      // left on the bot's clock, its increment included
	OClock int64    `dbp:"oclock"`     // left on the opponent's clock
	Inc    int64    `dbp:"inc"`        //
	Limit  int64    `dbp:"limit"`      // for this move
	Margin int64    `dbp:"margin"`     // of overrun that is tolerated
	Spent  int64    `dbp:"spent"`      // charged for the bot's last move
	Resend bool     `dbp:"resend,opt"` // the same turn was sent before
}

// Cancel closes a question.
type Cancel struct {
	ID  int64  `dbp:"id,arg"`
	Why string `dbp:"why,opt"`
}

// Ping asks for a Pong, between turns only.
type Ping struct {
	ID int64 `dbp:"id,arg"`
}

// End says that a game is over.
type End struct {
	ID     int64    `dbp:"id,arg"`      // of the game
	Result string   `dbp:"result"`      // "win", "loss", "draw" or "void"
	Winner string   `dbp:"winner,none"` // "x", "o" or "" for none
	Why    string   `dbp:"why"`
	Text   *string  `dbp:"text,opt"`
	Ply    int64    `dbp:"ply"`
	Cells  string   `dbp:"cells"`
	Five   []string `dbp:"five,opt"` // every square of every row of five or more
	Moves  []string `dbp:"moves"`    // all placements, from the first
	More   bool     `dbp:"more"`     // another game of the match follows
}

// Bye is the referee's last word.
type Bye struct {
	Why string `dbp:"why,opt"`
	Min *int64 `dbp:"min,opt"` // versions of DBP that the referee speaks
	Max *int64 `dbp:"max,opt"`
}

// Verb returns "hello".
func (Hello) Verb() string { return "hello" }

// Verb returns "ready".
func (Ready) Verb() string { return "ready" }

// Verb returns "move".
func (Move) Verb() string { return "move" }

// Verb returns "resign".
func (Resign) Verb() string { return "resign" }

// Verb returns "info".
func (Info) Verb() string { return "info" }

// Verb returns "pong".
func (Pong) Verb() string { return "pong" }

// Verb returns "error".
func (Error) Verb() string { return "error" }

// Verb returns "bye".
func (Leave) Verb() string { return "bye" }

// Verb returns "welcome".
func (Welcome) Verb() string { return "welcome" }

// Verb returns "game".
func (Game) Verb() string { return "game" }

// Verb returns "turn".
func (Turn) Verb() string { return "turn" }

// Verb returns "cancel".
func (Cancel) Verb() string { return "cancel" }

// Verb returns "ping".
func (Ping) Verb() string { return "ping" }

// Verb returns "end".
func (End) Verb() string { return "end" }

// Verb returns "bye".
func (Bye) Verb() string { return "bye" }
