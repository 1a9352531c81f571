"""The command `donuts` with a steady arena that waits seconds where it would wait for half a minute or more."""

import sys

from steady import run

from donuts_referee.arena import arena
from donuts_referee.channels import connections

STRANGE_FOR = 6_000_000_000
"""ns that a connection without `hello` has, in place of 30 s"""

DEAF_FOR = 8_000_000_000
"""ns that a ping may be unanswered between games, in place of 60 s"""

if __name__ == "__main__":
    connections.STRANGE_FOR = STRANGE_FOR
    arena.DEAF_FOR = DEAF_FOR
    sys.exit(run())
