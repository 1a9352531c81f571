"""Answers after the time is up: `timeout`. It answers the ping that follows, and is kept."""

import time

from plain import Plain, moan


class Bot(Plain):
    def greet(self):
        moan("greeted once")
        super().greet()

    def sin(self, id, turn):
        time.sleep(0.6)
        self.answer(id, turn)


Bot().run()
