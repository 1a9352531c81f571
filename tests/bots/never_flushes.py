"""Prints as if to a terminal: its words stay in its own buffer. `start`, and the report says so."""

import os

os.environ.pop("PYTHONUNBUFFERED", None)
from plain import Plain


class Bot(Plain):
    def say(self, line):
        print(line)


Bot().run()
