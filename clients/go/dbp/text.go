package dbp

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// encodeText writes values as a line without its LF.
func encodeText(s shape, values map[string]any) []byte {
	line := []byte(s.verb)
	for _, f := range s.fields {
		value, there := values[f.key]
		if !there && !f.none {
			continue
		}
		line = append(line, ' ')
		if !f.arg {
			line = append(append(line, f.key...), '=')
		}
		switch v := value.(type) {
		case nil:
			line = append(line, '-')
		case int64:
			line = strconv.AppendInt(line, v, 10)
		case []string:
			line = append(line, strings.Join(v, ",")...)
		case string:
			if f.kind.form == phrase {
				v = escape(v)
			}
			line = append(line, v...)
		}
	}
	return line
}

// decodeText reads a line without its LF.
func decodeText(line []byte, known map[string]shape) (shape, map[string]any, error) {
	words := strings.Split(string(line), " ")
	for _, b := range line {
		if b < 0x20 || b > 0x7e {
			return shape{}, nil, &Invalid{Reason: fmt.Sprintf("byte 0x%02x is not printable ASCII", b)}
		}
	}
	s, there := known[words[0]]
	if !there {
		return shape{}, nil, &Invalid{Verb: words[0], Unknown: true, Reason: "no such verb"}
	}
	refused := func(format string, args ...any) (shape, map[string]any, error) {
		return s, nil, &Invalid{Verb: s.verb, Reason: fmt.Sprintf(format, args...)}
	}
	values, seen := map[string]any{}, map[string]bool{}
	rest := words[1:]
	for _, f := range s.fields {
		if !f.arg {
			break
		}
		if len(rest) == 0 {
			return refused("%s is missing", f.key)
		}
		if fault := readInto(values, f, rest[0]); fault != "" {
			return refused("%s", fault)
		}
		seen[f.key] = true
		rest = rest[1:]
	}
	for _, word := range rest {
		key, raw, found := strings.Cut(word, "=")
		if !found || !isKey(key) {
			return refused("%q is not key=value", word)
		}
		if seen[key] {
			return refused("%s is given twice", key)
		}
		seen[key] = true
		f, known := s.field(key)
		if !known {
			if _, fault := unescape(raw); fault != "" {
				return refused("%s: %s", key, fault)
			}
		} else if fault := readInto(values, f, raw); fault != "" {
			return refused("%s", fault)
		}
	}
	for _, f := range s.fields {
		if !f.opt && !seen[f.key] {
			return refused("%s is missing", f.key)
		}
	}
	return s, values, nil
}

// readInto reads a value of a field; it returns what is wrong with it, or "".
func readInto(values map[string]any, f field, raw string) string {
	if f.none && raw == "-" {
		return ""
	}
	var value any = raw
	switch f.kind.form {
	case integer:
		if number, err := strconv.ParseInt(raw, 10, 64); err == nil && isInteger(raw) {
			value = number
		}
	case phrase:
		text, fault := unescape(raw)
		if fault != "" {
			return f.key + ": " + fault
		}
		value = text
	case list:
		items := []string{}
		if raw != "" {
			items = strings.Split(raw, ",")
		}
		value = items
	}
	if !f.kind.holds(value) {
		return fmt.Sprintf("%s must be %s, not %q", f.key, f.kind.reads, raw)
	}
	values[f.key] = value
	return ""
}

// escape writes a string as it stands in text (DBP-3.5).
func escape(s string) string {
	var out strings.Builder
	for _, b := range []byte(s) {
		if b < 0x21 || b > 0x7e || b == '%' || b == ',' || b == '=' {
			fmt.Fprintf(&out, "%%%02X", b)
		} else {
			out.WriteByte(b)
		}
	}
	return out.String()
}

// unescape reads one (DBP-3.6); the second result says what is wrong with it, or is empty.
func unescape(raw string) (string, string) {
	parts := strings.Split(raw, "%")
	text := []byte(parts[0])
	for _, part := range parts[1:] {
		if len(part) < 2 {
			return "", "a % without two hexadecimal digits"
		}
		octet, err := hex.DecodeString(part[:2])
		if err != nil {
			return "", "a % without two hexadecimal digits"
		}
		text = append(append(text, octet...), part[2:]...)
	}
	if !isClean(string(text)) {
		return "", "its escapes are no UTF-8, or hide a control character"
	}
	return string(text), ""
}
