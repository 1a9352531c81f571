package dbp

import (
	"fmt"
	"reflect"
	"strings"
)

// Sender says which end of a connection a message comes from; "error" and "bye" may come from either.
type Sender int

// The two ends of a connection.
const (
	Bot Sender = iota
	Referee
)

// Invalid is why some bytes, or some values, are no message.
type Invalid struct {
	Verb    string // as far as it could be read
	Unknown bool   // the verb is not one that the sender has: a bot ignores it (DBP-12.4)
	Reason  string
}

func (fault *Invalid) Error() string {
	if fault.Verb == "" {
		return "no message: " + fault.Reason
	}
	return fmt.Sprintf("no valid %q: %s", fault.Verb, fault.Reason)
}

// field is one key of a message and where it is kept in its struct.
type field struct {
	key            string
	arg, opt, none bool
	at             int
	kind           kind
}

// shape is what a verb may hold: its arguments first, then its other fields in the order in which they are written.
type shape struct {
	verb   string
	fields []field
	of     reflect.Type
}

var shapes = [2]map[string]shape{
	Bot:     shapesOf(Hello{}, Ready{}, Move{}, Resign{}, Info{}, Pong{}, Error{}, Leave{}),
	Referee: shapesOf(Welcome{}, Game{}, Turn{}, Cancel{}, Ping{}, Error{}, End{}, Bye{}),
}

func shapesOf(messages ...Message) map[string]shape {
	found := map[string]shape{}
	for _, message := range messages {
		found[message.Verb()] = shapeOf(message)
	}
	return found
}

func shapeOf(message Message) shape {
	of := reflect.Indirect(reflect.ValueOf(message)).Type()
	found := shape{verb: message.Verb(), of: of}
	for at := 0; at < of.NumField(); at++ {
		words := strings.Split(of.Field(at).Tag.Get("dbp"), ",")
		has := func(option string) bool { return oneOf(words[1:]...)(option) }
		found.fields = append(found.fields,
			field{key: words[0], arg: has("arg"), opt: has("opt"), none: has("none"), at: at, kind: keys[words[0]]})
	}
	return found
}

// field returns the field with this key.
func (s shape) field(key string) (field, bool) {
	for _, f := range s.fields {
		if f.key == key {
			return f, true
		}
	}
	return field{}, false
}

// values takes a message apart: int64, string or []string under each key that it holds.
func (s shape) values(message Message) (map[string]any, error) {
	values := map[string]any{}
	from := reflect.Indirect(reflect.ValueOf(message))
	for _, f := range s.fields {
		value := from.Field(f.at)
		if (f.opt || f.none) && value.IsZero() {
			continue
		}
		switch v := reflect.Indirect(value).Interface().(type) {
		case bool:
			values[f.key] = int64(0)
			if v {
				values[f.key] = int64(1)
			}
		case []string:
			values[f.key] = append([]string{}, v...)
		default:
			values[f.key] = v
		}
		if !f.kind.holds(values[f.key]) {
			return nil, &Invalid{Verb: s.verb, Reason: fmt.Sprintf("%s must be %s", f.key, f.kind.reads)}
		}
	}
	return values, nil
}

// message puts one together; the values are of the kinds of their keys.
func (s shape) message(values map[string]any) (Message, error) {
	made := reflect.New(s.of)
	for _, f := range s.fields {
		value, there := values[f.key]
		if !there {
			if f.opt || f.none {
				continue
			}
			return nil, &Invalid{Verb: s.verb, Reason: f.key + " is missing"}
		}
		into := made.Elem().Field(f.at)
		if into.Kind() == reflect.Pointer {
			into.Set(reflect.New(into.Type().Elem()))
			into = into.Elem()
		}
		if into.Kind() == reflect.Bool {
			into.SetBool(value == int64(1))
		} else {
			into.Set(reflect.ValueOf(value))
		}
	}
	return made.Interface().(Message), nil
}
