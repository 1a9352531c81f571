# How the bot chooses a square: it looks ahead ever deeper, until it has seen as many positions as it may (negamax with
# alpha-beta). The place to begin when you want it to play better: `evaluate` first.

WIN=1000 # the value of a game that is won; a win is worth a little less the later it comes

# evaluate: sets value to how good the position is for its mover, without looking ahead: who has more rings.
evaluate() {
    value=$balance
    [ $mover = x ] || value=$((-balance))
}

# final_value: sets value to what a game is worth to the mover when all rings are placed: the larger group wins.
final_value() {
    find_group $mover
    mine=$group
    find_group $other
    value=0
    [ $mine -gt $group ] && value=$((WIN - ply))
    [ $mine -lt $group ] && value=$((ply - WIN))
    return 0
}

# try SQUARE DEPTH ALPHA BETA: sets value to what it is worth to the mover to place a ring here, looking DEPTH rings
# ahead: exact between alpha and beta, else the nearer of the two. Sets stopped to yes where it may look no further.
try() {
    play $1
    nodes=$((nodes + 1))
    [ $nodes -ge $budget ] && stopped=yes
    if [ $five = yes ]; then
        value=$((ply - WIN))
    elif [ $ply -eq $((2 * rings)) ]; then
        final_value
    elif [ $2 -le 1 ] || [ $stopped = yes ]; then
        evaluate
    else
        best $(($2 - 1)) $((-$4)) $((-$3))
    fi
    undo
    value=$((-value)) # what is good for the other side is bad for this one
}

# best DEPTH ALPHA BETA: sets value to what the position is worth to its mover. As in perft, the squares that are still
# to be tried are kept behind the three arguments.
best() {
    find_legal
    set -- $1 $2 $3 $legal
    while [ $# -gt 3 ]; do
        try $4 $1 $2 $3
        [ $stopped = yes ] && return
        alpha=$2
        [ $value -gt $alpha ] && alpha=$value
        [ $alpha -ge $3 ] && break # the other side will not let it come to this
        depth=$1 beta=$3
        shift 4
        set -- $depth $alpha $beta "$@"
    done
    value=$alpha
}

# choose BUDGET: sets chosen to the best square that is found while it sees BUDGET positions, and chances to its value
# in permille, reached to how deep it looked.
choose() {
    budget=$1 nodes=0 stopped=no reached=0 chances=500
    find_legal
    set -- $legal
    chosen=$1
    [ $# -gt 1 ] || return 0
    while [ $stopped = no ] && [ $reached -lt $((2 * rings - ply)) ]; do
        found=-$WIN candidate=$1
        look_at_all $((reached + 1)) "$@"
        [ $stopped = yes ] && [ $reached -gt 0 ] && break # what is not complete says nothing
        chosen=$candidate reached=$((reached + 1))
        chances=$((500 + 20 * found))
        [ $chances -gt 1000 ] && chances=1000
        [ $chances -lt 0 ] && chances=0
        [ $found -gt $((WIN - 100)) ] || [ $found -lt $((100 - WIN)) ] && break
    done
    return 0
}

# look_at_all DEPTH SQUARE ...: sets candidate to the best of these squares, and found to its value.
look_at_all() {
    while [ $# -gt 1 ]; do
        try $2 $1 $found $WIN
        if [ $value -gt $found ] && { [ $stopped = no ] || [ $1 -eq 1 ]; }; then found=$value candidate=$2; fi
        [ $stopped = yes ] && return
        depth=$1
        shift 2
        set -- $depth "$@"
    done
}
