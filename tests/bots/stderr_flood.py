"""Writes 200 KiB to stderr at every move. Fine, and it never waits for a reader."""

from plain import Plain, moan


class Bot(Plain):
    def answer(self, id, turn):
        moan(("complaint " * 20 + "\n") * 1024)
        super().answer(id, turn)


Bot().run()
