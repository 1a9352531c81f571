"""`donuts check` that gives bots more than a second to exit, as a busy machine may need it."""

import sys

_CHECK = """
import sys
from donuts_referee.check import leaving
from donuts_referee.cli.main import main
leaving.SECOND = 20_000
sys.exit(main(["check", *sys.argv[1:]]))
"""


def leisurely(*words: str) -> list[str]:
    """The words of a process that is `donuts check WORDS`."""
    return [sys.executable, "-c", _CHECK, *words]
