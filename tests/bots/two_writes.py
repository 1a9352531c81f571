"""Writes its answer in two pieces, with a pause between them. Fine."""

import time

from plain import Plain, raw


class Bot(Plain):
    def answer(self, id, turn):
        raw(f"move {id} ".encode())
        time.sleep(0.02)
        raw(self.pick(turn).encode() + b"\n")


Bot().run()
