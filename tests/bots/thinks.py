"""Plays honestly, and takes 200 ms for its first answer as o."""

import time

from plain import Plain


class Bot(Plain):
    def answer(self, id, turn):
        if turn["ply"] in ("1", "3"):
            time.sleep(0.2)
        super().answer(id, turn)


Bot().run()
