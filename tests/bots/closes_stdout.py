"""Closes its stdout and lives on: `crash`."""

import os

from plain import Plain, stay


class Bot(Plain):
    def sin(self, id, turn):
        os.close(1)
        stay()


Bot().run()
