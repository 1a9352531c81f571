"""Leaves neither at `bye` nor at the end of stdin nor for SIGTERM. Plays on; it is killed in the end."""

import signal

from plain import Plain, stay

signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)


class Bot(Plain):
    def bye(self):
        stay()


Bot().run()
stay()
