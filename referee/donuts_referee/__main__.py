"""Makes `python -m donuts_referee` the same as `donuts`."""

import sys

from donuts_referee.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
