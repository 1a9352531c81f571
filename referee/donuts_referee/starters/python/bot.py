"""This bot plays DONUTS. The referee writes a line to its stdin for everything that happens, and the bot answers with
lines on its stdout. Nothing else may go there: print to sys.stderr what you want to see.

    bot.py      the conversation with the referee (this file)
    rules.py    the board and the rules
    search.py   how it chooses a square: the place to begin when you want it to play better
"""

import queue
import sys
import threading

from rules import Board, Position, perft
from search import choose

NAME = "NAME"
"""shown to people"""

USAGE = """\
usage: bot.py                               plays on stdin and stdout (donuts play, donuts check)
       bot.py perft LAYOUT DEPTH [RINGS]    counts move sequences (donuts perft)"""


def say(line):
    """A line that stays in a buffer was never said: so it is flushed."""
    print(line, flush=True)


def thinking_time(turn):
    """How long to think, in seconds: a part of what is left, and never so long that the limit comes near."""
    share = int(turn["clock"]) / 25 + 0.75 * int(turn["inc"])
    return min(share, int(turn["limit"]) / 3, 2000) / 1000  # where there is no clock, these are about 2^31 ms


class Conversation:
    """Reads on a thread of its own, so that the bot hears while it thinks that nobody waits for it any more."""

    def __init__(self):
        self.lines = queue.SimpleQueue()
        self.open = None
        """id of the turn that is to be answered"""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in sys.stdin:
            verb, *words = line.split()
            if verb in ("turn", "cancel", "end", "bye"):
                self.open = words[0] if verb == "turn" else None
            self.lines.put((verb, words))
        self.lines.put(("bye", []))

    def hold(self):
        """Answer the referee until it says bye or is gone. What the bot does not know, it ignores."""
        say(f"hello donuts=1-1 name={NAME}")
        while True:
            verb, words = self.lines.get()
            if verb == "turn":
                self.answer(words[0], dict(word.split("=", 1) for word in words[1:]))
            elif verb == "game":
                say(f"ready {words[0]}")
            elif verb == "ping":
                say(f"pong {words[0]}")
            elif verb == "bye":
                return

    def answer(self, id, turn):
        """All there is to know stands in the turn: nothing need be remembered from one to the next."""
        board = Board(turn["layout"], int(turn["rings"]))
        position = Position(board)
        position.cells = list(turn["cells"])
        position.mover = turn["you"]
        position.last = None if turn["last"] == "-" else board.square(turn["last"])
        position.ply = int(turn["ply"])
        found = choose(position, thinking_time(turn), lambda: self.open != id)
        if self.open == id:
            say(f"move {id} {board.name(found.square)} eval={found.eval} depth={found.depth} nodes={found.nodes}")


def main(words):
    """perft LAYOUT DEPTH [RINGS] counts move sequences, to prove that rules.py is right (see `donuts perft`)."""
    if not words:
        Conversation().hold()
        return
    if words == ["--help"]:
        print(USAGE)
        return
    if words[0] != "perft" or len(words) not in (3, 4):
        print(USAGE, file=sys.stderr)
        sys.exit(2)
    try:
        layout, depth, *rings = words[1:]
        board = Board(layout, int(rings[0]) if rings else None)
        print(perft(Position(board), int(depth)))
    except ValueError as fault:
        print(f"{fault}\n{USAGE}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main(sys.argv[1:])
