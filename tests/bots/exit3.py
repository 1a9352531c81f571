"""Ends with status 3 instead of answering, with a word on stderr that tries the terminal: `crash`."""

import os
import sys

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        os.write(2, b"so long\n\x1b[31m\x1b]0;owned\x07\x9b\xe2\x80\xae out of \xff ideas\r\n")
        sys.exit(3)


Bot().run()
