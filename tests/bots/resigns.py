"""Gives a game up: `resign`. Nothing wrong with that."""

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        self.say(f"resign {id}")


Bot().run()
