#!/bin/sh
# Runs the messages of protocol/vectors that a referee sends as text against a bot on pipes: vectors.sh BOT
#
# The bot is given each of them, with a ping behind it. What it can read it must answer as the clauses say, and what it
# cannot read it must survive.
set -fu
bot=${1:?usage: vectors.sh BOT}
folder=$(dirname "$0")/../../../protocol/vectors
checks=0 failures=0

check() { # WHAT LINE [TEST ...]: counts a check, which holds where the test does
    what=$1 about=$2
    shift 2
    checks=$((checks + 1))
    "$@" && return
    failures=$((failures + 1))
    printf 'FAILED: %s: %.200s\n' "$what" "$about" >&2
}

# The lines of a referee in messages.jsonl.
golden() {
    sed -n '/"from": "referee"/s/.*"text": "\(.*\)", "msgpack": ".*/\1/p' "$folder/messages.jsonl" |
        sed 's/\\\(["\\]\)/\1/g'
}

# The lines of a referee in a file whose vectors are in hexadecimal.
decoded() {
    sed -n '/"encoding": "text", "from": "referee"/s/.*"hex": "\([0-9a-f]*\)".*/\1/p' "$folder/$1" | awk '{
        line = ""
        for (at = 1; at < length($0); at += 2) {
            high = index("0123456789abcdef", substr($0, at, 1)) - 1
            low = index("0123456789abcdef", substr($0, at + 1, 1)) - 1
            line = line sprintf("%c", 16 * high + low)
        }
        print line
    }'
}

field() { # KEY LINE: the value of a field
    case " $2 " in *" $1="*) ;; *) return ;; esac
    value=${2#*" $1="}
    echo "${value%% *}"
}

# Puts what the bot says to a line and the ping behind it into `hello`, `answer`, `pong` and `rest`. What it said first
# to a line that is no question is the pong.
ask() {
    said=$(printf '%s\nping 900719925474099\n' "$1" | "$bot")
    check "the bot exits with status 0" "$1" [ $? -eq 0 ]
    hello= answer= pong= rest=
    { read -r hello; [ "$2" = question ] && read -r answer; read -r pong; rest=$(cat); } <<SAID
$said
SAID
    case $hello in "hello donuts=1-1 name="?*) greeted=yes ;; *) greeted=no ;; esac
    check "hello comes first" "$hello" [ $greeted = yes ]
}

is_legal() { # ANSWER LINE
    square=${1##* }
    case ,$(field legal "$2"), in *",$square,"*) [ "$1" = "move $id $square" ] ;; *) return 1 ;; esac
}

readable() { # LINE
    id=${1#* } id=${id%% *}
    case $1 in
    game\ *) ask "$1" question; check "ready" "$1" [ "$answer" = "ready $id" ] ;;
    ping\ *) ask "$1" question; check "pong" "$1" [ "$answer" = "pong $id" ] ;;
    turn\ *) ask "$1" question; check "move" "$1" is_legal "$answer" "$1" ;;
    bye*) ask "$1" nothing; check "it leaves at bye" "$1" [ -z "$pong" ]; return ;;
    *) ask "$1" nothing ;;
    esac
    check "the next ping is answered" "$1" [ "$pong" = "pong 900719925474099" ]
    check "nothing else is said" "$rest" [ -z "$rest" ]
}

unreadable() { # LINE: what a bot says to it is its own affair, but it goes on
    said=$(printf '%s\nping 900719925474099\n' "$1" | "$bot" | tail -n 1)
    check "the bot goes on" "$1" [ "$said" = "pong 900719925474099" ]
}

each() { # CHECK SOURCE [FILE]: every line of a source
    judge=$1
    shift
    lines=$("$@")
    check "there are vectors" "$*" [ -n "$lines" ]
    while IFS= read -r line; do "$judge" "$line"; done <<LINES
$lines
LINES
}

each readable golden
each readable decoded acceptances.jsonl
without_bye() { decoded refusals.jsonl | grep -v '^bye'; } # a bot may well leave at a bye that is not well-formed
each unreadable without_bye

ask "" nothing
check "an empty line is ignored" "$pong" [ "$pong" = "pong 900719925474099" ]
long=$(awk 'BEGIN { while (n++ < 4000) printf "x" }')
ask "debug $long" nothing
check "a long line is ignored" "$pong" [ "$pong" = "pong 900719925474099" ]
cut=$(printf 'ping 7\nping 8' | "$bot" | tail -n 1)
check "a line that is cut off is none" "$cut" [ "$cut" = "pong 7" ]

check "there were checks" "$checks" [ "$checks" -gt 100 ]
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
