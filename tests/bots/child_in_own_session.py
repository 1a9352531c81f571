"""Starts a child in a session of its own, deaf to SIGTERM and SIGHUP, and plays on. Fine; the child is swept away."""

import subprocess
import sys

from plain import MARK, Plain

DEAF = "import signal, time; [signal.signal(s, signal.SIG_IGN) for s in (1, 2, 15)]; time.sleep(600)"


class Bot(Plain):
    def greet(self):
        subprocess.Popen([sys.executable, "-c", DEAF, *MARK], start_new_session=True, stdin=subprocess.DEVNULL)
        super().greet()


Bot().run()
