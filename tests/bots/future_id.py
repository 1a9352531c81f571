"""Answers a question that was never asked: `protocol`."""

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        self.answer(id + 1000, turn)


Bot().run()
