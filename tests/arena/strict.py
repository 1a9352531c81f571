"""The command `donuts` with an arena whose clock is steady, and which gives up connections as soon as any other."""

import sys

from steady import run

if __name__ == "__main__":
    sys.exit(run(patient=False))
