"""Writes comments and empty lines around everything it says. Forgiven, and no noise."""

from plain import Plain, raw


class Bot(Plain):
    def say(self, line):
        raw(b"# now listen\n\n" + line.encode() + b"\n#\n")


Bot().run()
