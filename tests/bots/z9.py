"""Answers with what is no square: `malformed`."""

from plain import Plain


class Bot(Plain):
    def pick(self, turn):
        return "z9" if turn["ply"] == "2" else super().pick(turn)


Bot().run()
