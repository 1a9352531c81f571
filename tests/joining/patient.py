"""The command `donuts` with a `join` that waits for bots and arenas as long as a machine needs that stands still."""

import sys

from donuts_referee.channels import ladder
from donuts_referee.cli.main import main
from donuts_referee.joining import bridge, dealer

PATIENCE = 100
"""seconds for what has a few of them else; what is not to come is not waited for"""

if __name__ == "__main__":
    dealer.SILENT = dealer.HANDSHAKE = PATIENCE * 1000
    bridge.PARTING = ladder.SECOND = ladder.SETTLED = PATIENCE * 1_000_000_000
    sys.exit(main())
