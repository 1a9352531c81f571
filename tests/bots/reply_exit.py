"""Answers, and ends in the same breath: the answer counts, then it is a `crash`."""

import os

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        self.answer(id, turn)
        os._exit(0)


Bot().run()
