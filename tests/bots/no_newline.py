"""Writes its answer without a newline and ends: `malformed`."""

import sys

from plain import Plain, raw


class Bot(Plain):
    def sin(self, id, turn):
        raw(f"move {id} {self.pick(turn)}".encode())
        sys.exit(0)


Bot().run()
