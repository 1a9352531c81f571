"""Starts a child in a session of its own, deaf to SIGTERM, and dies by itself: `crash`, and the child is swept away."""

import os
import subprocess
import sys

from plain import MARK, Plain

DEAF = "import signal, time; [signal.signal(s, signal.SIG_IGN) for s in (1, 2, 15)]; time.sleep(600)"


class Bot(Plain):
    def sin(self, id, turn):
        subprocess.Popen([sys.executable, "-c", DEAF, *MARK], start_new_session=True, stdin=subprocess.DEVNULL)
        os._exit(4)


Bot().run()
