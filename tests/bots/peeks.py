"""Makes its stdin small and answers from a copy that tee(2) gives, so that nothing is ever read: `unread`."""

import ctypes
import fcntl
import os
import select
import time

from plain import Plain

F_SETPIPE_SZ = 1031
tee = ctypes.CDLL(None).tee


class Peeking:
    """The lines of stdin, none of which is taken out of it."""

    def __iter__(self):
        seen = 0
        while True:
            reading, writing = os.pipe()
            tee(0, writing, 65536, 0)
            os.close(writing)
            with open(reading) as copy:
                text = copy.read()
            for line in text[seen:].splitlines():
                yield line
            if len(text) == seen:
                time.sleep(0.005)
            seen = len(text)


fcntl.fcntl(0, F_SETPIPE_SZ, 4096)
import sys

sys.stdin = Peeking()
Plain().run()
