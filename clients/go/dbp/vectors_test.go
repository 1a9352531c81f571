package dbp

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// vector is one line of the files in protocol/vectors, whose README.md explains them.
type vector struct {
	Name, Clause, Encoding, From, Text, Msgpack, Hex string
	Message                                          map[string]any
	Expect                                           map[string]string
}

func vectors(t *testing.T, file string) []vector {
	t.Helper()
	opened, err := os.Open(filepath.Join("..", "..", "..", "protocol", "vectors", file))
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	var found []vector
	lines := bufio.NewScanner(opened)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.From == "bot" || v.From == "referee" { // the rules as a service are another profile
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s holds no message of a bot or a referee: %v", file, lines.Err())
	}
	return found
}

func (v vector) sender() Sender {
	if v.From == "bot" {
		return Bot
	}
	return Referee
}

func (v vector) encoding() Encoding {
	if v.Encoding == "msgpack" {
		return Msgpack
	}
	return Text
}

func fromHex(t *testing.T, digits string) []byte {
	t.Helper()
	data, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// asMap is the message as the vectors write one: JSON with the verb under "t".
func asMap(t *testing.T, message Message) map[string]any {
	t.Helper()
	values, err := shapeOf(message).values(message)
	if err != nil {
		t.Fatal(err)
	}
	values["t"] = message.Verb()
	written, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	var found map[string]any
	if err := json.Unmarshal(written, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

func wantRead(t *testing.T, v vector, data []byte, encoding Encoding) Message {
	t.Helper()
	message, err := Decode(data, encoding, v.sender())
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	if v.Message["resend"] == 0.0 { // an absent flag and one of 0 say the same
		delete(v.Message, "resend")
	}
	if found := asMap(t, message); !reflect.DeepEqual(found, v.Message) {
		t.Fatalf("%q\nread %v\nwant %v", data, found, v.Message)
	}
	return message
}

func encoded(t *testing.T, message Message, encoding Encoding) []byte {
	t.Helper()
	data, err := Encode(message, encoding)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestGoldenMessages(t *testing.T) {
	for _, v := range vectors(t, "messages.jsonl") {
		v := v
		t.Run(v.Name, func(t *testing.T) {
			packed := fromHex(t, v.Msgpack)
			wantRead(t, v, packed, Msgpack)
			message := wantRead(t, v, []byte(v.Text), Text)
			if v.From == "bot" {
				if line := encoded(t, message, Text); string(line) != v.Text {
					t.Fatalf("\nwrote %q\nwant  %q", line, v.Text)
				}
				payload := encoded(t, message, Msgpack) // the order of keys is free; the bytes of each are not
				if len(payload) != len(packed) {
					t.Fatalf("\nwrote %q\nwant  %q", payload, packed)
				}
				wantRead(t, v, payload, Msgpack)
			}
		})
	}
}

func TestAcceptances(t *testing.T) {
	for _, v := range vectors(t, "acceptances.jsonl") {
		v := v
		t.Run(v.Clause+" "+v.Name, func(t *testing.T) {
			wantRead(t, v, fromHex(t, v.Hex), v.encoding())
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, v := range vectors(t, "refusals.jsonl") {
		v := v
		t.Run(v.Clause+" "+v.Name, func(t *testing.T) {
			data := fromHex(t, v.Hex)
			message, err := Decode(data, v.encoding(), v.sender())
			if err == nil && !aboutIDs[v.Name] {
				t.Fatalf("%q was read as %v", data, asMap(t, message))
			}
			var fault *Invalid
			if err != nil && !errors.As(err, &fault) {
				t.Fatalf("%q: %v is not an *Invalid", data, err)
			}
		})
	}
}

// aboutIDs names what is refused for its id alone, which only a referee can tell.
var aboutIDs = map[string]bool{"info for a closed question": true, "info for an id never issued": true}

func TestEncodeRefusesWhatIsOutOfBounds(t *testing.T) {
	long := string(make([]byte, 41))
	for _, message := range []Message{
		Hello{Donuts: "1", Name: "a"},
		Hello{Donuts: "1-1"},
		Hello{Donuts: "1-1", Name: long},
		Hello{Donuts: "1-1", Name: "a\nb"},
		Hello{Donuts: "1-1", Name: "\xff"},
		Hello{Donuts: "1-1", Name: "a", Caps: []string{"Info"}},
		Ready{ID: -1},
		&Move{ID: MaxInt + 1, Sq: "e4"},
		&Move{ID: 1, Sq: "e0"},
		&Move{ID: 1, Sq: "e4", Eval: Some[int64](1001)},
		&Move{ID: 1, Sq: "e4", Proof: "maybe"},
	} {
		for _, encoding := range []Encoding{Text, Msgpack} {
			if data, err := Encode(message, encoding); err == nil {
				t.Errorf("%#v was written as %q", message, data)
			}
		}
	}
}
