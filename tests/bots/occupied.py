"""Answers with the square its opponent has just filled: `illegal`."""

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        self.say(f"move {id} {turn['last']}")


Bot().run()
