package arena

import (
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"
)

// Seat is where to dial and what to show there: a token, or three keys of CURVE, or, for an open arena, neither.
type Seat struct {
	Endpoint  string // such as "tcp://127.0.0.1:7464"
	Name      string // of the seat, where the file says it
	Token     string
	ServerKey string // these three of 40 characters in Z85
	PublicKey string
	SecretKey string
}

var (
	isToken = regexp.MustCompile(`\A[A-Za-z0-9_.~-]{1,128}\z`).MatchString
	isKey   = regexp.MustCompile(`\A[0-9a-zA-Z.\-:+=^!/*?&<>()\[\]{}@%$#]{40}\z`).MatchString
	isPair  = regexp.MustCompile(`\A([a-z_]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\["\\])*)"|'([^']*)')[ \t]*(?:#.*)?\z`)
	escaped = strings.NewReplacer(`\"`, `"`, `\\`, `\`)
)

// ReadSeat reads a join file (DBP-11.13). It is a secret: no error quotes what a key or a token holds.
func ReadSeat(path string) (Seat, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Seat{}, err
	}
	seat, err := ParseSeat(string(text))
	if err != nil {
		err = fmt.Errorf("%s is no join file: %w", path, err)
	}
	return seat, err
}

// ParseSeat reads the text of a join file: lines of key = "value", and comments.
func ParseSeat(text string) (Seat, error) {
	var seat Seat
	into := map[string]*string{
		"endpoint": &seat.Endpoint, "name": &seat.Name, "token": &seat.Token,
		"server_key": &seat.ServerKey, "public_key": &seat.PublicKey, "secret_key": &seat.SecretKey,
	}
	seen := map[string]bool{}
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		pair := isPair.FindStringSubmatch(line)
		switch {
		case pair == nil:
			return Seat{}, fmt.Errorf(`line %d is not key = "value"`, number+1)
		case into[pair[1]] == nil:
			return Seat{}, fmt.Errorf("line %d: no such key: %s", number+1, pair[1])
		case seen[pair[1]]:
			return Seat{}, fmt.Errorf("line %d: %s is given twice", number+1, pair[1])
		}
		seen[pair[1]] = true
		*into[pair[1]] = escaped.Replace(pair[2]) + pair[3]
	}
	return seat, seat.check()
}

// check says what is wrong with a seat.
func (seat Seat) check() error {
	keys := 0
	for name, key := range map[string]string{
		"server_key": seat.ServerKey, "public_key": seat.PublicKey, "secret_key": seat.SecretKey,
	} {
		if key != "" {
			keys++
			if !isKey(key) {
				return fmt.Errorf("%s must be a key of 40 characters in Z85", name)
			}
		}
	}
	switch {
	case seat.Endpoint == "":
		return fmt.Errorf("endpoint is missing, such as tcp://127.0.0.1:7464")
	case seat.Token != "" && !isToken(seat.Token):
		return fmt.Errorf("the token must be 1 to 128 letters, digits, _ . ~ or -")
	case keys != 0 && keys != 3:
		return fmt.Errorf("server_key, public_key and secret_key go together")
	case keys == 0 && !isLocal(seat.Endpoint):
		return fmt.Errorf("%s is no loopback address, and without keys everybody could listen", seat.Endpoint)
	}
	return nil
}

// isLocal tells whether nobody else can listen on the way (DBP-11.4).
func isLocal(endpoint string) bool {
	address := strings.TrimPrefix(endpoint, "tcp://")
	if address == endpoint {
		return true
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil || host == "localhost" {
		return true // what is no address comes out when it is dialled
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
