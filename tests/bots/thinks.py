"""Plays honestly, and thinks about its second move as o until that is cancelled: the answer crosses the cancel.

dies_off_turn.py is told that it thinks, by a named pipe in the folder of both.
"""

from plain import Plain


class Bot(Plain):
    def answer(self, id, turn):
        if turn["ply"] == "3":
            self.turn = turn
            with open("thinking", "wb"):
                return
        super().answer(id, turn)

    def cancel(self, id):
        super().answer(id, self.turn)


Bot().run()
