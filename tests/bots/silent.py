"""Does not answer, nor anything else from then on: `timeout`, and replaced."""

from plain import Plain, stay


class Bot(Plain):
    def sin(self, id, turn):
        stay()


Bot().run()
