"""Has terminal escapes in its name, unescaped: an invalid hello, `start`."""

from plain import Plain


class Bot(Plain):
    hello = "hello donuts=1-1 name=\x1b[2Jnice\u202ebot"


Bot().run()
