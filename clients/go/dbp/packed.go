package dbp

import (
	"bytes"
	"fmt"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// depth is how deep a payload may nest; the map itself is depth 1 (DBP-4.5).
const depth = 3

// encodePacked writes values as a msgpack map, "t" first.
func encodePacked(s shape, values map[string]any) ([]byte, error) {
	var payload bytes.Buffer
	pack := msgpack.NewEncoder(&payload)
	pack.UseCompactInts(true)
	errs := []error{pack.EncodeMapLen(len(values) + 1), pack.EncodeString("t"), pack.EncodeString(s.verb)}
	for _, f := range s.fields {
		value, there := values[f.key]
		if !there {
			continue
		}
		errs = append(errs, pack.EncodeString(f.key))
		switch v := value.(type) {
		case int64:
			errs = append(errs, pack.EncodeUint(uint64(v)))
		case string:
			errs = append(errs, pack.EncodeString(v))
		case []string:
			errs = append(errs, pack.EncodeArrayLen(len(v)))
			for _, item := range v {
				errs = append(errs, pack.EncodeString(item))
			}
		}
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return payload.Bytes(), nil
}

// decodePacked reads a msgpack map, which must be all there is.
func decodePacked(payload []byte, known map[string]shape) (shape, map[string]any, error) {
	rest := bytes.NewReader(payload)
	unpack := msgpack.NewDecoder(rest)
	if code, err := unpack.PeekCode(); err != nil || !isMap(code) {
		return shape{}, nil, &Invalid{Reason: "the payload is not a map"}
	}
	value, err := decodeValue(unpack, 1)
	if err != nil {
		return shape{}, nil, &Invalid{Reason: err.Error()}
	}
	if _, err := unpack.PeekCode(); err == nil {
		return shape{}, nil, &Invalid{Reason: "there are bytes after the map"}
	}
	found := value.(map[string]any)
	verb, _ := found["t"].(string)
	s, there := known[verb]
	if !there {
		return shape{}, nil, &Invalid{Verb: verb, Unknown: verb != "", Reason: "no such verb"}
	}
	values := map[string]any{}
	for key, value := range found {
		f, of := s.field(key)
		switch {
		case !isKey(key):
			return s, nil, &Invalid{Verb: verb, Reason: fmt.Sprintf("%q is no key", key)}
		case !of:
			continue
		case !f.kind.holds(stringsOf(value)):
			return s, nil, &Invalid{Verb: verb, Reason: fmt.Sprintf("%s must be %s", key, f.kind.reads)}
		}
		values[key] = stringsOf(value)
	}
	return s, values, nil
}

// decodeValue reads what the protocol knows: integers, strings, arrays and maps, as int64, string, []any and
// map[string]any.
func decodeValue(unpack *msgpack.Decoder, level int) (any, error) {
	code, err := unpack.PeekCode()
	if err != nil {
		return nil, err
	}
	switch {
	case isInt(code):
		if code == msgpcode.Uint64 { // beyond 2^63 it becomes negative, which no key takes
			number, err := unpack.DecodeUint64()
			return int64(number), err
		}
		return unpack.DecodeInt64()
	case msgpcode.IsString(code):
		text, err := unpack.DecodeString()
		if err == nil && !isClean(text) {
			err = fmt.Errorf("a string is no UTF-8, or holds a control character")
		}
		return text, err
	case (isMap(code) || isArray(code)) && level > depth:
		return nil, fmt.Errorf("it nests deeper than %d", depth)
	case isArray(code):
		length, err := unpack.DecodeArrayLen()
		items := []any{}
		for ; err == nil && length > 0; length-- {
			var item any
			item, err = decodeValue(unpack, level+1)
			items = append(items, item)
		}
		return items, err
	case isMap(code):
		length, err := unpack.DecodeMapLen()
		values := map[string]any{}
		for ; err == nil && length > 0; length-- {
			err = decodePair(unpack, values, level)
		}
		return values, err
	}
	return nil, fmt.Errorf("byte 0x%02x begins a type that is not in the protocol", code)
}

func decodePair(unpack *msgpack.Decoder, values map[string]any, level int) error {
	code, err := unpack.PeekCode()
	if err != nil {
		return err
	}
	if !msgpcode.IsString(code) {
		return fmt.Errorf("a key is not a str")
	}
	key, err := unpack.DecodeString()
	if err != nil {
		return err
	}
	if _, twice := values[key]; twice {
		return fmt.Errorf("%q is given twice", key)
	}
	values[key], err = decodeValue(unpack, level+1)
	return err
}

// stringsOf returns an array of strings as []string, and everything else as it is.
func stringsOf(value any) any {
	items, is := value.([]any)
	if !is {
		return value
	}
	texts := []string{}
	for _, item := range items {
		text, is := item.(string)
		if !is {
			return value
		}
		texts = append(texts, text)
	}
	return texts
}

func isInt(code byte) bool {
	return msgpcode.IsFixedNum(code) || msgpcode.Uint8 <= code && code <= msgpcode.Int64
}

func isMap(code byte) bool {
	return msgpcode.IsFixedMap(code) || code == msgpcode.Map16 || code == msgpcode.Map32
}

func isArray(code byte) bool {
	return msgpcode.IsFixedArray(code) || code == msgpcode.Array16 || code == msgpcode.Array32
}
