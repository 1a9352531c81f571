"""The other end of a pseudo-terminal: what a program sends to it, and what a person would see of that."""

import errno
import os
import re
import threading

LONG = 60.0
"""seconds after which a test gives up waiting"""


class Drain:
    """Takes what is sent to a terminal as it comes, so that nobody who writes there ever waits for the test.

    Give it the main end of `pty.openpty()`, which it closes when nobody has the terminal open any more.
    """

    def __init__(self, terminal: int) -> None:
        self.sent = b""
        self._terminal = terminal
        self._more = threading.Condition()
        self._thread = threading.Thread(target=self._take, name="drain", daemon=True)
        self._thread.start()

    def until(self, what: bytes, times: int = 1, after: int = 0) -> int:
        """Wait until that has come so many times after that place; where the last of them is."""

        def there() -> bool:
            return self.sent.count(what, after) >= times

        with self._more:
            assert self._more.wait_for(there, LONG), self.sent[after:]
        for _ in range(times):
            after = self.sent.index(what, after) + len(what)
        return after - len(what)

    def rest(self) -> bytes:
        """All that was sent, once nobody has the terminal open any more."""
        self._thread.join(LONG)
        assert not self._thread.is_alive(), "somebody still has the terminal open"
        return self.sent

    def _take(self) -> None:
        while data := self._read():
            with self._more:
                self.sent += data
                self._more.notify_all()
        os.close(self._terminal)

    def _read(self) -> bytes:
        """What comes next; nothing at the end."""
        try:
            return os.read(self._terminal, 65536)
        except OSError as fault:
            if fault.errno != errno.EIO:  # so Linux says that nobody has the other end open
                raise
            return b""


class Screen:
    """What a terminal shows of what it is sent: the little of its language that a moving table is written in.

    A character in the last column leaves the cursor there; the next one then begins a new line.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.lines = [""]
        """all of them, those that have left at the top among them"""
        self.row = self.column = 0

    def take(self, text: str) -> None:
        for part in re.findall(r"\x1b\[[?0-9;]*[a-zA-Z]|[^\x1b]", text):
            if part[0] == "\x1b":
                self._control(part)
            elif part == "\n":
                self._down()
                self.column = 0
            elif part == "\r":
                self.column = 0
            else:
                self._put(part)

    def shown(self) -> list[str]:
        return [line.rstrip() for line in self.lines]

    def _control(self, part: str) -> None:
        if part.endswith("A"):
            top = max(0, len(self.lines) - self.height)
            self.row = max(top, self.row - int(part[2:-1] or 1))
        elif part == "\x1b[2K":
            self.lines[self.row] = ""
        else:
            assert part[-1] in "mhl", part

    def _put(self, character: str) -> None:
        if self.column == self.width:
            self._down()
            self.column = 0
        line = self.lines[self.row].ljust(self.width)
        self.lines[self.row] = line[: self.column] + character + line[self.column + 1 :]
        self.column += 1

    def _down(self) -> None:
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")
