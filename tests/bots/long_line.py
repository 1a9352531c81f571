"""Writes one line of 1 MiB: `flood`."""

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        self.say("x" * (1 << 20))
        self.answer(id, turn)


Bot().run()
