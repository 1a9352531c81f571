"""Ends while its opponent thinks (the suite lets that one think): `crash`."""

import os
import time

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        self.answer(id, turn)
        time.sleep(0.03)
        os._exit(5)


Bot().run()
