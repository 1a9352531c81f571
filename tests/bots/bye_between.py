"""Says bye after each game and leaves. No fault: it is started again."""

import sys

from plain import Plain


class Bot(Plain):
    def end(self, id, fields):
        self.say("bye")
        sys.exit(0)


Bot().run()
