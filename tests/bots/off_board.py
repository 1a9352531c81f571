"""Answers with a square of the larger board: `illegal`."""

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        self.say(f"move {id} i9")


Bot().run()
