# The board and the rules of DONUTS, in POSIX shell.
#
# A square is a number: 0 is a1, 1 is b1, and so on, row by row from the bottom. The cell of square 7 is the variable
# c7: "." or x or o. The shell has no local variables and no quick way to return a value, so each function says at its
# head which variables it sets.

# set_board LAYOUT [RINGS]: sets layout, size, squares, rings; false where that is no layout.
set_board() {
    case $1 in *[!HVDA]*) return 1 ;; esac
    case ${#1} in
    36) size=6 squares=36 rings=${2:-15} ;;
    81) size=9 squares=81 rings=${2:-36} ;;
    *) return 1 ;;
    esac
    [ "$1" = "${layout-}" ] && return 0
    layout=$1
    at=0
    while [ $at -lt $squares ]; do
        rest=${1#?}
        eval "letter$at=${1%"$rest"} line$at="
        set -- "$rest"
        at=$((at + 1))
    done
}

# set_cells CELLS: sets c0, c1 and so on, and balance: how many rings more x has than o.
set_cells() {
    at=0 balance=0
    while [ $at -lt $squares ]; do
        rest=${1#?}
        cell=${1%"$rest"}
        eval "c$at=\$cell"
        [ "$cell" = x ] && balance=$((balance + 1))
        [ "$cell" = o ] && balance=$((balance - 1))
        set -- "$rest"
        at=$((at + 1))
    done
}

# start: the position before the first ring. Sets mover, other, last (-1: none), ply.
start() {
    dots=.........
    set_cells $dots$dots$dots$dots$dots$dots$dots$dots$dots
    mover=x other=o last=-1 ply=0
}

# find_line SQUARE: sets line to the squares of the line that this square shows. It is worked out once for each square.
find_line() {
    eval "line=\$line$1 letter=\$letter$1"
    [ "$line" ] && return
    column=$(($1 % size)) row=$(($1 / size)) at=0
    while [ $at -lt $squares ]; do
        right=$((at % size - column)) up=$((at / size - row))
        case $letter in
        H) apart=$up ;;
        V) apart=$right ;;
        D) apart=$((right - up)) ;;
        A) apart=$((right + up)) ;;
        esac
        [ $apart -eq 0 ] && line="$line $at"
        at=$((at + 1))
    done
    eval "line$1=\$line"
}

# keep_empty SQUARE ...: sets legal to those of them that hold no ring.
keep_empty() {
    legal=
    for square; do
        eval "cell=\$c$square"
        [ "$cell" = . ] && legal="$legal $square"
    done
}

# find_legal: sets legal to the squares where the mover may place a ring; none when all rings are placed.
find_legal() {
    legal=
    [ $ply -eq $((2 * rings)) ] && return
    if [ $last -ge 0 ]; then
        find_line $last
        keep_empty $line
    fi
    [ "$legal" ] && return
    line= at=0 # the line is full, or it is the first ring: any empty square
    while [ $at -lt $squares ]; do
        line="$line $at"
        at=$((at + 1))
    done
    keep_empty $line
}

# walk SQUARE RIGHT UP: over the rings of the mover in this direction. Sets steps to how many there are, and end to the
# first other square, or to -1 at the edge.
walk() {
    column=$(($1 % size)) row=$(($1 / size)) steps=0
    while :; do
        column=$((column + $2)) row=$((row + $3))
        case $column,$row in
        -1,* | *,-1 | $size,* | *,$size)
            end=-1
            return
            ;;
        esac
        end=$((row * size + column))
        eval "cell=\$c$end"
        [ "$cell" = "$mover" ] || return 0
        steps=$((steps + 1))
    done
}

# look SQUARE RIGHT UP: both ways from here. Sets length to how many rings of the mover are in a row here, and adds the
# rings at both ends to flips where the other side has both.
look() {
    walk $1 $2 $3
    one=$end length=$((1 + steps))
    walk $1 $((-$2)) $((-$3))
    length=$((length + steps))
    [ $one -ge 0 ] && [ $end -ge 0 ] || return 0
    eval "cells=\$c$one\$c$end"
    [ "$cells" = "$other$other" ] && flips="$flips $one $end"
}

# makes_five SQUARE: whether a row of five or more of the mover's rings goes through this one.
makes_five() {
    look $1 1 0
    [ $length -ge 5 ] && return
    look $1 0 1
    [ $length -ge 5 ] && return
    look $1 1 1
    [ $length -ge 5 ] && return
    look $1 1 -1
    [ $length -ge 5 ]
}

# play SQUARE: places a ring of the mover. Sets five to yes where that wins the game, else to no.
#
# Rings turn in each direction where, over the mover's own rings, the first other square at both ends holds a ring of
# the other side. All four directions are looked at before anything turns.
play() {
    flips=
    look $1 1 0
    look $1 0 1
    look $1 1 1
    look $1 1 -1
    changed="$1$flips"
    eval "placed$ply=$1 flips$ply=\$flips last$ply=$last" # for undo
    gain=-1
    for square in $changed; do
        eval "c$square=$mover"
        gain=$((gain + 2)) # a ring that turns counts for both sides
    done
    [ $mover = x ] && balance=$((balance + gain)) || balance=$((balance - gain))
    five=no
    for square in $changed; do
        if makes_five $square; then
            five=yes
            break
        fi
    done
    last=$1 ply=$((ply + 1))
    swap
}

# undo: takes the last ring back.
undo() {
    ply=$((ply - 1))
    eval "placed=\$placed$ply flips=\$flips$ply last=\$last$ply"
    gain=1
    for square in $flips; do
        eval "c$square=$mover"
        gain=$((gain + 2))
    done
    eval "c$placed=."
    swap
    [ $mover = x ] && balance=$((balance - gain)) || balance=$((balance + gain))
}

# swap: the other side is to move.
swap() {
    if [ $mover = x ]; then mover=o other=x; else mover=x other=o; fi
}

# find_group SIDE: sets group to how many rings its largest group has, connected left, right, up and down.
find_group() {
    group=0 seen=" " first=0
    while [ $first -lt $squares ]; do
        eval "cell=\$c$first"
        case $seen in *" $first "*) cell=. ;; esac
        if [ "$cell" = "$1" ]; then
            waiting=$first count=0
            seen="$seen$first "
            while [ "$waiting" ]; do
                square=${waiting%% *}
                waiting=${waiting#"$square"}
                waiting=${waiting# }
                count=$((count + 1))
                column=$((square % size))
                [ $column -gt 0 ] && visit $1 $((square - 1))
                [ $column -lt $((size - 1)) ] && visit $1 $((square + 1))
                visit $1 $((square - size))
                visit $1 $((square + size))
            done
            [ $count -gt $group ] && group=$count
        fi
        first=$((first + 1))
    done
}

# visit SIDE SQUARE: adds the square to waiting and seen where it holds a ring of the side that is new.
visit() {
    [ $2 -ge 0 ] && [ $2 -lt $squares ] || return 0
    case $seen in *" $2 "*) return ;; esac
    eval "cell=\$c$2"
    [ "$cell" = "$1" ] || return 0
    seen="$seen$2 "
    waiting="$waiting${waiting:+ }$2"
}

# perft DEPTH: adds to count the number of sequences of exactly DEPTH rings; games that end earlier do not count.
#
# What a function is called with, $1 and so on, is the only thing that is its own: so the squares that it has still to
# try are kept there while it calls itself.
perft() {
    find_legal
    set -- $1 $legal
    if [ $1 -eq 1 ]; then
        count=$((count + $# - 1))
        return
    fi
    while [ $# -gt 1 ]; do
        play $2
        [ $five = yes ] || perft $(($1 - 1))
        undo
        depth=$1
        shift 2
        set -- $depth "$@"
    done
}
