"""Answers a turn whose time was up when it is asked the next one, in the next game: `late`, dropped."""

from plain import Plain


class Bot(Plain):
    old = None

    def sin(self, id, turn):
        self.old = id, turn

    def answer(self, id, turn):
        if self.old:
            super().answer(*self.old)
            self.old = None
        super().answer(id, turn)


Bot().run()
