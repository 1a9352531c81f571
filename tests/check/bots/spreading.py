"""Faults that many checks come upon, class by class."""

import os
import sys

from honest import Honest, raw, stay


class DiesInGame2(Honest):
    games = 0

    def game(self, id, fields):
        self.games += 1
        if self.games == 2:
            sys.exit("no more memory for a second game")
        super().game(id, fields)


class DiesTwice(Honest):
    """Upon a verb that it does not know, and upon an error."""

    def other(self, line):
        sys.exit(3)

    def error(self, id):
        sys.exit(3)


class WrongIds(Honest):
    """Every game and turn is number 1 of its own counting."""

    def game(self, id, fields):
        super().game(100, fields)

    def turn(self, id, fields):
        super().turn(100, fields)


class BlindToRings(Honest):
    """Plays on a square that is taken, wherever there is one."""

    def pick(self, fields):
        taken = [at for at, cell in enumerate(fields["cells"]) if cell != "."]
        if not taken:
            return super().pick(fields)
        row, column = divmod(taken[0], int(fields["size"]))
        return "abcdefghi"[column] + str(row + 1)


class Silent(Honest):
    def game(self, id, fields):
        stay()


class NeverPongs(Honest):
    def ping(self, id):
        pass


class StaysInGame(Honest):
    """Says something before hello, and nothing of a game."""

    def start(self):
        self.say("loading weights")
        super().start()

    def game(self, id, fields):
        stay()


class Floods(Honest):
    """Writes noise without an end, from the second game on."""

    games = 0

    def game(self, id, fields):
        super().game(id, fields)
        self.games += 1

    def turn(self, id, fields):
        while self.games > 1:
            raw(b"y\n" * 1000)
        super().turn(id, fields)


class FloodsComments(Floods):
    def turn(self, id, fields):
        while self.games > 1:
            raw(b"# y\n" * 1000)
        super().turn(id, fields)


class Deaf(Honest):
    """Reads nothing from the second game on."""

    games = 0

    def game(self, id, fields):
        self.games += 1
        if self.games > 1:
            os.close(0)
        super().game(id, fields)
        if self.games > 1:
            stay()
