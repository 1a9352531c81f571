"""Shows people what the bot writes to stderr, as it comes and line by line, safe for a terminal."""

from collections.abc import Callable

from donuts_protocol.escape import shown

__all__ = ["Echo"]

LONGEST = 4096
"""bytes of a line that is shown before its end has come"""


class Echo:
    """Bytes in any pieces to whole lines; `write` takes them with their line end."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Take what a read returned."""
        *lines, rest = (self._rest + data).split(b"\n")
        while len(rest) > LONGEST:
            lines.append(rest[:LONGEST])
            rest = rest[LONGEST:]
        self._rest = rest
        if lines:
            self._write("".join(f"{_plain(line)}\n" for line in lines))

    def flush(self) -> None:
        """Nothing more comes: show what has no line end."""
        if self._rest:
            self.feed(b"\n")


def _plain(line: bytes) -> str:
    """As the bot wrote it where that is harmless: tabs as spaces, what moves a cursor or hides text as escapes."""
    text = line.removesuffix(b"\r").decode("utf-8", "surrogateescape").expandtabs(8)
    if text.isprintable():
        return text
    return "".join([letter if letter.isprintable() else shown(letter) for letter in text])
