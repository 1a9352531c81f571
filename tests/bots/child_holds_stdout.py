"""Dies, and leaves a child that holds its stdout open: `crash`, noticed at once, and the child goes too."""

import os
import subprocess
import sys

from plain import MARK, Plain


class Bot(Plain):
    def sin(self, id, turn):
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", *MARK])
        os._exit(4)


Bot().run()
