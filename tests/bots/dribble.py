"""Writes a comment every 50 ms instead of an answer, for as long as it is let: `timeout`, and not a moment later."""

import time

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        while True:
            self.say("# thinking")
            time.sleep(0.05)


Bot().run()
