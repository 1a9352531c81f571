#!/bin/sh
# A whole bot for DONUTS in POSIX shell: it plays a random legal square. Only what the shell itself can do is used.
seed=$$
set -f # a word with * in it is no pattern
echo "hello donuts=1-1 name=sh-random"
while IFS= read -r line; do
    unset IFS
    set -- $line # into words
    verb=${1-} id=${2-} legal=
    for field; do
        case $field in legal=*) legal=${field#legal=} ;; esac
    done
    case $verb in
    game) echo "ready $id" ;;
    ping) echo "pong $id" ;;
    bye) exit ;;
    turn)
        IFS=,
        set -- $legal
        [ $# -gt 0 ] || continue
        seed=$(((seed * 1103515245 + 12345) % 2147483648))
        shift $((seed / 65536 % $#))
        echo "move $id $1"
        ;;
    esac
done
