"""The file that `donuts tournament --init` writes: every key of an event with its default and its meaning."""

__all__ = ["TEMPLATE"]

TEMPLATE = """\
# A competition of bots that play DONUTS:  donuts tournament event.toml
# Lines that begin with # show the other keys, each with its default. Paths are taken from the folder of this file.

name = "event"
# records = "event-records"     # folder of the journal; default: the name of this file and -records
seed = 1                        # the same seed gives the same pairings and boards

# Who plays: words as `donuts play` knows them (donuts:mcts:3, "./mybot -x", a name in bots.toml), a team's folder,
# or a pattern for the folders of all teams, each of which holds a bot.toml; "!teams/x" leaves out a folder.
# Sparring partners: donuts:random, donuts:greedy, donuts:alphabeta and donuts:mcts, these two also with :1 to :5.
bots = ["donuts:greedy", "donuts:random"]
# bots = "teams/*"              # `donuts intake teams` builds and checks them first
# withdrawn = ["alpha"]         # these play no further part; they stay below bots

# [[bot]]                       # or bots one by one, each with a name of its own
# name = "alpha"
# version = "2"                 # yours, for the tables
# run = "./alpha --fast"        # a command line or a list of words; no shell runs it
# cwd = "engines/alpha"         # where it runs; default: the folder of this file
# env = { THREADS = "1" }       # added to the few variables that a bot is given
# limits = { memory = 1024, processes = 64, files = 64, file_size = 100 }   # MiB, number, number, MiB; default: none

[format]
kind = "round-robin"            # round-robin, gauntlet, swiss, knockout, ladder or sprt
# cycles = 1                    # round-robin, gauntlet: how often all of it is played
# seeds = 1                     # gauntlet: so many of the first bots meet all the others
# rounds = 5                    # swiss; default: one more than it takes to halve the field down to one
# encounters = 1                # knockout: of each pairing; ladder: in all (default: no end); sprt: at most (50000)
# tie_breaks = 2                # knockout: encounters more where two stand level, then sudden death
# third_place = false           # knockout: play for it
# window = 8                    # ladder: encounters that may be under way when the next is paired
# elo0 = 0.0                    # sprt: the first bot is stronger by elo1 rather than by elo0
# elo1 = 10.0
# alpha = 0.05                  # sprt: how often it may wrongly say elo1 ...
# beta = 0.05                   # ... and elo0
# scale = "normalized"          # sprt: normalized or logistic Elo

[games]
# A good program solves a 6 x 6 board in seconds: with longer times on it the best bots play alike. It is size 9, or
# a short time for each move, that tells entrants apart.
size = 9                        # 6 or 9
movetime = 0.1                  # seconds for each move; or tc:
# tc = "60+0.1"                 # seconds for the game + seconds for each move; "60", or "inf" for no clock
# rings = 36                    # for each side; 15 by default on size 6
# tiles = "tiles.toml"          # another tile set; default: the one that comes with the arena
# margin = 50                   # ms over the limit that are forgiven
# prep = 10                     # seconds to get ready for a game
# hello = 30                    # seconds to start up and say hello
# reveal = true                 # tell each bot the other's name

# Every opening is played twice, with sides swapped. `openings = "FILE"` above all tables is short for boards = "FILE".
[openings]
boards = "drawn"                # from the seed; or a list of numbers of 6 x 6 boards, a list of layouts, or a file
                                # of lines LAYOUT, LAYOUT a1,b2 or LAYOUT a1,b2 NAME (first placements and a name);
                                # "balanced": size 6, begun with a first placement after which the game is an exact
                                # draw; where solved boards hold hardly any, boards that are won alike too
# table = "boards.solved"       # balanced: take them from this file of `donuts solve --all`, not from the arena's
# plies = 0                     # so many first placements are made for both, at random from the seed
# order = "sequential"          # or "shuffled", by the seed; a list is spent before anything of it comes again

[faults]
on_fault = "forfeit"            # a bot that does not start or crashes loses; void: played again; stop: ends the event
# replays = 3                   # how often a game that came out void is played again; then who is at fault loses
# crash_limit = 10              # so many such faults and the bot is benched; 0: never

# Games that end before the rules end them; nothing of it unless asked for.
[adjudication]
# resign = { eval = 900, plies = 3 }   # both say so in so many answers running, in permille; true: with these numbers
# max_plies = 60                # a draw after so many placements
# solver = false                # size 6: after 8 placements, a position whose exact value is found ends the game

[running]                       # may be changed between two starts of the same event
# workers = 2                   # games at once; default: half the processors
# affinity = false              # give each worker processors of its own
# stagger = 50                  # ms between the starts of two workers
# durable = false               # fsync after each game: slower, and safe from a power cut

# Commands that are given JSON on stdin, and whose failure harms nothing.
[hooks]
# start = "./tell.sh start"     # the event begins
# verdict = "./tell.sh verdict" # a game is over
# standings = "./tell.sh table" # the table has changed
# end = "./tell.sh end"
"""
