"""Vices in what a bot says and reads: the honest bot with exactly one thing wrong, class by class."""

import io
import os
import select
import sys

from honest import Honest, stay


def taken(fields):
    """A square with a ring on it; off the board where there is none."""
    at = fields["cells"].find(fields["cells"].strip(".")[:1]) if fields["cells"].strip(".") else -1
    return "i9" if at < 0 else "abcdefghi"[at % int(fields["size"])] + str(at // int(fields["size"]) + 1)


class Mute(Honest):
    def start(self):
        pass


class Unflushed(Honest):
    """Hello stays in a buffer until the end."""

    def say(self, line):
        sys.stdout.write(line + "\n")


class Loading(Honest):
    def start(self):
        self.say("loading weights")
        super().start()


class BadHello(Honest):
    hello = "hello donuts=1-1 name=bad%zz"


class Seated(Honest):
    hello = "hello donuts=1-1 name=honest seat=hunter2 session=%zz"


class Future(Honest):
    hello = "hello donuts=2-3 name=future"


class StaysAtVersion(Honest):
    def bye(self, fields):
        if fields["why"] == "version":
            stay()
        super().bye(fields)


class BufferedMoves(Honest):
    """All but hello stays in a buffer until the end."""

    def say(self, line):
        if line.startswith("hello"):
            return super().say(line)
        sys.stdout.write(line + "\n")


class ReadsAhead(Honest):
    """Deals with a line when the next one is there."""

    def lines(self):
        before = None
        for line in super().lines():
            if before is not None:
                yield before
            before = line
            if line.startswith(("welcome", "bye")):
                yield line
                before = None


class ShortIds(Honest):
    """Ids have 32 bits."""

    def say(self, line):
        verb, *words = line.split()
        if verb in ("ready", "move", "pong"):
            words[0] = str(int(words[0]) & 0xFFFFFFFF)
        super().say(" ".join([verb, *words]))


class NoPong(Honest):
    """Does not answer ping outside of games."""

    playing = False

    def game(self, id, fields):
        self.playing = True
        super().game(id, fields)

    def end(self, id, fields):
        self.playing = False

    def ping(self, id):
        if self.playing:
            super().ping(id)


class Illegal(Honest):
    """Plays a square that is taken, deep in large games."""

    def pick(self, fields):
        if int(fields["ply"]) > 20 and fields["size"] == "9" and fields["rings"] not in ("9", "40"):
            return taken(fields)
        return super().pick(fields)


class NoFirst(Honest):
    def pick(self, fields):
        if fields["last"] == "-" and fields["size"] == "6":
            return "g7"
        return super().pick(fields)


class NoLast(Honest):
    def pick(self, fields):
        if int(fields["ply"]) == 2 * int(fields["rings"]) - 1:
            return taken(fields)
        return super().pick(fields)


class Anywhere(Honest):
    """Does not know of lines on a large board that is half full."""

    def pick(self, fields):
        free = fields["cells"].count(".")
        if fields["size"] == "9" and int(fields["ply"]) > 20 and free > len(fields["legal"].split(",")):
            size, cells = 9, fields["cells"]
            free = ["abcdefghi"[i % size] + str(i // size + 1) for i, cell in enumerate(cells) if cell == "."]
            return next(square for square in free if square not in fields["legal"].split(","))
        return super().pick(fields)


class Blocked(Honest):
    """Has no idea what to do when the line is full."""

    def pick(self, fields):
        legal = len(fields["legal"].split(","))
        full = fields["last"] != "-" and 1 < legal == fields["cells"].count(".")
        return taken(fields) if full else super().pick(fields)


class OneLegal(Honest):
    def pick(self, fields):
        return taken(fields) if "," not in fields["legal"] else super().pick(fields)


class TwoAnswers(Honest):
    def turn(self, id, fields):
        move = f"move {id} {self.pick(fields)}"
        self.say(f"{move}\n{move}")


class TwoReadies(Honest):
    def game(self, id, fields):
        self.say(f"ready {id}\nready {id}")


class Remembers(Honest):
    """Takes the layout from the first turn of a game."""

    layout = None

    def game(self, id, fields):
        self.layout = None
        super().game(id, fields)

    def pick(self, fields):
        self.layout = self.layout or fields["layout"]
        return super().pick(fields) if self.layout == fields["layout"] else taken(fields)


class Once(Honest):
    """Answers no turn twice."""

    def turn(self, id, fields):
        if id not in self.ids:
            self.ids.add(id)
            super().turn(id, fields)


class Positional(Honest):
    """Knows fields by their places."""

    def hear(self, line):
        words = line.split(" ")
        if words[0] == "turn":
            self.say(f"move {words[1]} {words[10].removeprefix('legal=').split(',')[0]}")
        else:
            super().hear(line)


class Strict(Honest):
    """Does not bear a field that it does not know."""

    KNOWN = "game ply you size rings layout cells last legal clock oclock inc limit margin spent resend"

    def turn(self, id, fields):
        if set(fields) - set(self.KNOWN.split()):
            raise KeyError(fields)
        super().turn(id, fields)


class Chatty(Honest):
    """Answers noise with noise."""

    def other(self, line):
        self.say("what?")


class Error(Honest):
    """Answers an error."""

    def error(self, id):
        self.say(f"move {max(self.ids)} a1")

    def turn(self, id, fields):
        self.ids.add(id)
        super().turn(id, fields)


class ShortClock(Honest):
    """Clocks have 32 bits."""

    def turn(self, id, fields):
        if max(int(fields[key]) for key in ("clock", "oclock", "spent")) >= 2**31:
            raise OverflowError
        super().turn(id, fields)


class Gulps(Honest):
    """Takes what a read returns for whole lines."""

    def lines(self):
        while data := os.read(0, 65536):
            yield from data.decode().splitlines()


class OneAtATime(Honest):
    """Asks select whether there is a line, and reads through a buffer."""

    def lines(self):
        stream = io.BufferedReader(io.FileIO(0, closefd=False))
        while True:
            select.select([0], [], [])
            if not (line := stream.readline()):
                return
            yield line.decode().rstrip("\n")
