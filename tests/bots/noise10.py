"""Prints ten lines to stdout, in one game, that are no messages. Forgiven, counted."""

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        for number in range(10):
            self.say(f"debug {number}")
        self.answer(id, turn)


Bot().run()
