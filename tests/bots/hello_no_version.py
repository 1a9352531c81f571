"""Says hello without a version: `start`."""

from plain import Plain


class Bot(Plain):
    hello = "hello name=plain"


Bot().run()
