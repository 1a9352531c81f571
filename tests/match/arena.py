"""Runs `donuts` for the hostile suite, and gathers all that it leaves: words, records, processes."""

import json
import os
import shlex
import signal
import subprocess
import sys
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from donuts_referee.records.wire import read_wire

BOTS = Path(__file__).parent.parent / "bots"
PATIENCE = 120
"""Seconds after which a run is given up, and the test fails."""

SECRET = "hunter2-" + uuid4().hex
"""A token of the host, which no bot may see."""


@dataclass(frozen=True)
class Played:
    """What came of one run; `records` are the lines of the journal, `wire` the directory of the wire log."""

    exit: int
    out: str
    err: str
    events: list[Any]
    records: list[Any]
    folder: Path
    wire: Path

    def of(self, event: str) -> list[Any]:
        """The events of one kind."""
        return [each for each in self.events if each["event"] == event]

    def hellos(self, bot: str) -> int:
        """How often a bot ("1" or "2") said hello, in text or msgpack."""
        lines = [line for path in sorted(self.wire.glob("*")) for line in read_wire(path)]
        said = [line.text or line.words()[0] for line in lines if (line.bot, line.dir) == (bot, "<")]
        return sum("hello" in words.split(" ")[0] for words in said)


class Arena:
    """A folder to play in, and a mark on every bot's command line by which its processes are known."""

    def __init__(self, folder: Path, channel: str) -> None:
        self.folder = folder
        self.mark = f"mark-{uuid4().hex}"
        self._environment = os.environ | {
            "DONUTS_CHANNEL": channel,
            "SECRET_TOKEN": SECRET,
            "PYTHONUNBUFFERED": "1",
            "PYTHONIOENCODING": "utf-8",
        }

    def bot(self, words: str) -> str:
        """The command line of a program of tests/bots, marked; `donuts:...` and `named-...` are left as they are."""
        if words.startswith(("donuts:", "named-")):
            return words
        file, *rest = words.split()
        program = [str(BOTS / file)]
        if "." not in file and (BOTS / file).exists():
            program.insert(0, sys.executable)
        return shlex.join([*program, self.mark, *rest])

    def command(self, first: str, second: str, *options: str) -> list[str]:
        """The command line that plays these two, with JSON events, records and a wire log."""
        words = [sys.executable, "-m", "donuts_referee", "play", self.bot(first), self.bot(second)]
        places = ["--records", str(self.folder / "records"), "--wire", str(self.folder / "wire")]
        return [*words, *places, *options]

    def start(self, first: str, second: str, *options: str) -> "subprocess.Popen[bytes]":
        """Start a match, in a session of its own, and leave it running."""
        return subprocess.Popen(
            self.command(first, second, *options),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
            cwd=self.folder,
            start_new_session=True,
        )

    def play(self, first: str, second: str, *options: str) -> Played:
        """Play a match to its end."""
        process = self.start(first, second, *options)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            process.wait(timeout=60)
        return self.played(process.returncode, out, err)

    def played(self, status: int, out: bytes, err: bytes) -> Played:
        """What is there after a run."""
        journal = self.folder / "records" / "journal.jsonl"
        told = out.decode("utf-8")
        return Played(
            exit=status,
            out=told,
            err=err.decode("utf-8"),
            events=[json.loads(line) for line in told.splitlines() if line.startswith("{")],
            records=[json.loads(line) for line in journal.read_text().splitlines()]
            if journal.exists()
            else [],
            folder=self.folder,
            wire=self.folder / "wire",
        )

    def left_behind(self) -> list[str]:
        """The processes of this arena's bots that still live, with their descendants that kept the mark."""
        return list(self._marked().values())

    def clear(self) -> list[str]:
        """End what is left behind, and say what it was."""
        left = self._marked()
        for number in left:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        return list(left.values())

    def _marked(self) -> dict[int, str]:
        found = {}
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit() and int(folder.name) != os.getpid():
                try:
                    words = (folder / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if self.mark.encode() in words:
                    found[int(folder.name)] = b" ".join(words).decode(errors="replace")
        return found


def unsafe(text: str, allowed: str = "\n") -> list[str]:
    """The characters of `text` that could move a cursor, hide or turn text."""
    return [
        f"U+{ord(c):04X}"
        for c in text
        if c not in allowed and unicodedata.category(c)[0] in "CZ" and c != " "
    ]


def strings(value: Any) -> list[str]:
    """Every string inside a JSON value."""
    match value:
        case str():
            return [value]
        case list():
            return [each for item in value for each in strings(item)]
        case dict():
            return [each for key, item in value.items() for each in (*strings(key), *strings(item))]
        case _:
            return []
