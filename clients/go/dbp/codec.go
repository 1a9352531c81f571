package dbp

import "fmt"

// MaxBytes is the length of the longest line or payload.
const MaxBytes = 4096

// Encoding is one of the two forms of a message.
type Encoding int

// The two forms; the first byte that a bot sends chooses one for both directions (DBP-2.2).
const (
	Text Encoding = iota
	Msgpack
)

// Encode returns the bytes of a message: a line without its LF, or a payload without its length. The error is an
// *Invalid where a value is out of its bounds.
func Encode(message Message, encoding Encoding) ([]byte, error) {
	s := shapeOf(message)
	values, err := s.values(message)
	if err != nil {
		return nil, err
	}
	var data []byte
	if encoding == Msgpack {
		if data, err = encodePacked(s, values); err != nil {
			return nil, err
		}
	} else {
		data = encodeText(s, values)
	}
	if len(data) > MaxBytes {
		return nil, &Invalid{Verb: s.verb, Reason: fmt.Sprintf("%d bytes, and %d are the most", len(data), MaxBytes)}
	}
	return data, nil
}

// Decode returns a pointer to the message in data, which came from sender. The error is an *Invalid.
func Decode(data []byte, encoding Encoding, sender Sender) (Message, error) {
	if len(data) > MaxBytes {
		return nil, &Invalid{Reason: fmt.Sprintf("%d bytes, and %d are the most", len(data), MaxBytes)}
	}
	read := decodeText
	if encoding == Msgpack {
		read = decodePacked
	}
	s, values, err := read(data, shapes[sender])
	if err != nil {
		return nil, err
	}
	return s.message(values)
}
