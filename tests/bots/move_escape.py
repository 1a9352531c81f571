"""Answers with a text that clears the terminal once it is decoded: `malformed`."""

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        self.say(f"move {id} {self.pick(turn)} text=%1B%5B2Jwell")


Bot().run()
