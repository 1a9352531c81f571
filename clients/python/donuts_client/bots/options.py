"""The command line that the shipped bots share."""

import argparse
from collections.abc import Sequence
from typing import Literal, NamedTuple


class Options(NamedTuple):
    """What was asked for."""

    encoding: Literal["text", "msgpack"]
    seed: int | None


def options(prog: str, summary: str, argv: Sequence[str] | None = None) -> Options:
    """Read the command line (default: that of the process); exits with 2 and a line when it is wrong."""
    parser = argparse.ArgumentParser(
        prog=f"python -m donuts_client.bots.{prog}",
        description=f"{summary} Speaks DBP on stdin and stdout; let a referee start it: donuts play donuts:{prog} ...",
    )
    parser.add_argument("--msgpack", action="store_true", help="speak msgpack instead of text")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="other dice: N beside the seed that the referee sends with each game",
    )
    found = parser.parse_args(argv)
    return Options("msgpack" if found.msgpack else "text", found.seed)
