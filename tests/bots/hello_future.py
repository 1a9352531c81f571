"""Speaks versions of the protocol that do not exist yet: `version`."""

from plain import Plain


class Bot(Plain):
    hello = "hello donuts=8-9 name=plain"


Bot().run()
