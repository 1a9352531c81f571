"""Begins with a byte order mark. Forgiven."""

from plain import Plain, raw


class Bot(Plain):
    def greet(self):
        raw(b"\xef\xbb\xbf")
        super().greet()


Bot().run()
