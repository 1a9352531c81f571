"""Dies of a bad pointer: `crash`."""

import os
import signal

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        os.kill(os.getpid(), signal.SIGSEGV)


Bot().run()
