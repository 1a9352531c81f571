"""Has a name that clears the terminal and begins a new line: an invalid hello, `start`."""

from plain import Plain


class Bot(Plain):
    hello = "hello donuts=1-1 name=%1B%5B2Jnice%0Abot"


Bot().run()
