"""Writes short lines without end; they are comments, so that nothing but their number is wrong: `flood`."""

from plain import Plain, raw


class Bot(Plain):
    def sin(self, id, turn):
        while True:
            raw(b"#\n" * 500)


Bot().run()
