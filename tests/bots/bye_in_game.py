"""Says bye in the middle of a game: `resign`."""

import sys

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        self.say("bye text=tea")
        sys.exit(0)


Bot().run()
