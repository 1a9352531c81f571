package arena

import (
	"strings"
	"testing"
)

const key = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"

func TestParseSeat(t *testing.T) {
	seat, err := ParseSeat("# a comment\r\nname = \"al \\\"ice\\\\\" # me\r\n\nendpoint='tcp://[::1]:7464'\ntoken = \"a-b_c\"\n")
	want := Seat{Endpoint: "tcp://[::1]:7464", Name: `al "ice\`, Token: "a-b_c"}
	if err != nil || seat != want {
		t.Fatalf("%+v, %v", seat, err)
	}
	keys := "server_key = \"" + key + "\"\npublic_key = \"" + key + "\"\nsecret_key = \"" + key + "\"\n"
	seat, err = ParseSeat("endpoint = \"tcp://arena.example:7464\"\n" + keys)
	if err != nil || seat.ServerKey != key || seat.PublicKey != key || seat.SecretKey != key {
		t.Fatalf("%+v, %v", seat, err)
	}
}

func TestParseSeatRefuses(t *testing.T) {
	const here = "endpoint = \"ipc://run/a.sock\"\n"
	for _, text := range []string{
		"",
		"name = \"alice\"",
		"endpoint = \"tcp://arena.example:7464\"",
		here + here,
		here + "colour = \"red\"",
		here + "token = secret",
		here + "token = \"two words\"",
		here + "token = \"a\" \"b\"",
		here + "token = \"a\\nb\"",
		here + "server_key = \"" + key + "\"",
		here + "server_key = \"" + key + "\"\npublic_key = \"" + key + "\"\nsecret_key = \"secret\"",
	} {
		seat, err := ParseSeat(text)
		if err == nil {
			t.Errorf("%q was read as %+v", text, seat)
		} else if strings.Contains(err.Error(), "secret\"") {
			t.Errorf("%q: the error tells a secret: %v", text, err)
		}
	}
}
