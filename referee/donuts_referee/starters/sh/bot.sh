#!/bin/sh
# This bot plays DONUTS. The referee writes a line to its standard input for everything that happens, and the bot
# answers with lines on its standard output. Nothing else may go there: use echo ... >&2 for what you want to see.
#
#     bot.sh      the conversation with the referee (this file)
#     rules.sh    the board and the rules
#     search.sh   how it chooses a square: the place to begin when you want it to play better
set -fu # a word with * in it is no pattern; a variable that was never set is a mistake

case $0 in */*) folder=${0%/*} ;; *) folder=. ;; esac
. "$folder/rules.sh"
. "$folder/search.sh"

name="NAME" # shown to people

SPEED=1 # positions that it may see for each ms: a shell has no clock. Try what yours can do; dash sees about five

# set_budget: sets budget to how many positions the bot may see: a part of the time that is left, and never so many
# that the limit comes near.
set_budget() {
    time=$((clock / 25 + inc * 3 / 4))
    [ $time -gt $((limit / 3)) ] && time=$((limit / 3))
    [ $time -gt 1000 ] && time=1000 # where there is no clock, all of these are about 2^31
    budget=$((time * SPEED))
}

# answer ID: all there is to know stands in the turn: nothing need be remembered from one to the next.
answer() {
    set_board "$layout_" "$rings_" || return 0
    set_cells "$cells_"
    mover=$you_ ply=$ply_ last=-1
    if [ $mover = x ]; then other=o; else other=x; fi
    if [ "$last_" != - ]; then
        column=${last_%?} row=${last_#?}
        before=abcdefghi
        before=${before%%"$column"*}
        last=$(((row - 1) * size + ${#before}))
    fi
    clock=$clock_ inc=$inc_ limit=$limit_
    set_budget
    choose $budget
    letters=abcdefghi column=$((chosen % size))
    while [ $column -gt 0 ]; do
        letters=${letters#?} column=$((column - 1))
    done
    echo "move $1 ${letters%"${letters#?}"}$((chosen / size + 1)) eval=$chances depth=$reached nodes=$nodes"
}

# talk: answers the referee until it says bye or is gone. What the bot does not know, it ignores.
talk() {
    echo "hello donuts=1-1 name=$name"
    while IFS= read -r text; do
        set -- $text # into words
        for word; do # the fields of a turn: layout=... is kept in the variable layout_, and so on
            case $word in
            layout=* | cells=* | last=* | you=* | ply=* | rings=* | clock=* | inc=* | limit=*)
                eval "${word%%=*}_=\${word#*=}"
                ;;
            esac
        done
        case ${1-} in
        game) echo "ready $2" ;;
        ping) echo "pong $2" ;;
        turn) answer "$2" ;;
        bye) return ;;
        esac
    done
}

usage="usage: bot.sh                               plays on stdin and stdout (donuts play, donuts check)
       bot.sh perft LAYOUT DEPTH [RINGS]    counts move sequences (donuts perft)"

# perft LAYOUT DEPTH [RINGS]: counts move sequences, to prove that rules.sh is right (see `donuts perft`).
if [ "${1-}" = perft ]; then
    shift
    for number in "${2-}" "${3-1}"; do
        case $number in '' | 0* | *[!0-9]* | ???*) echo "$usage" >&2 && exit 2 ;; esac
    done
    if ! set_board "$1" "${3-}" || [ $rings -gt $((squares / 2)) ]; then
        echo "$usage" >&2
        exit 2
    fi
    start
    count=0
    perft "$2"
    echo $count
elif [ "${1-}" = --help ]; then
    echo "$usage"
elif [ $# -gt 0 ]; then
    echo "$usage" >&2
    exit 2
else
    talk
fi
