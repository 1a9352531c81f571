"""The drawing of a position as fits its stream: colour on a terminal, ASCII where no more is sure."""

import os
from typing import TextIO

from donuts_engine.drawing import draw
from donuts_engine.position import Position

__all__ = ["picture"]


def picture(position: Position, stream: TextIO) -> str:
    """The board for `stream`: coloured on a terminal unless NO_COLOR is set, ASCII without UTF-8."""
    colour = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    encoding = (stream.encoding or "ascii").lower().replace("-", "")
    return draw(position, colour=colour, ascii=encoding != "utf8")
