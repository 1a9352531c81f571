"""Ends its lines with CR LF, as programs on Windows do. Forgiven."""

from plain import Plain, raw


class Bot(Plain):
    def say(self, line):
        raw(line.encode() + b"\r\n")


Bot().run()
