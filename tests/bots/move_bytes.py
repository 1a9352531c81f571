"""Answers with bytes in a text that are no UTF-8: `malformed`."""

from plain import Plain, raw


class Bot(Plain):
    def sin(self, id, turn):
        raw(f"move {id} {self.pick(turn)} text=".encode() + b"\x80\xff\n")


Bot().run()
