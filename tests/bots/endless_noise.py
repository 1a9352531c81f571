"""Writes short lines without end that are no messages: `protocol`, by the eleventh."""

from plain import Plain, raw


class Bot(Plain):
    def sin(self, id, turn):
        while True:
            raw(b"y\n" * 500)


Bot().run()
