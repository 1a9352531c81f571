"""An arena as a process of its own, watched from outside: what it takes of the CPU and the memory, and what it kept."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO

import msgspec
from msgspec import Struct

from donuts_referee.bench.ply import BenchFault
from donuts_referee.modules import own_modules, running

__all__ = ["HostedArena", "Kept", "KeptTurn", "KeptVerdict"]

CONFIG = """\
[arena]
endpoints = ["tcp://127.0.0.1:*"]
records = "records"
[games]
tc = "10+0.1"
seed = 20
"""
"""The boards are the same in every run, so that two runs can be compared."""

PATIENCE = 30.0
"""seconds for the arena to end once no bot is there any more"""


class KeptVerdict(Struct, frozen=True):
    """How a game ended."""

    why: str
    fault: str | None


class KeptTurn(Struct, frozen=True):
    """One turn; `lateness` is how much too late the referee read the answer, in ns; kept from 2 ms on."""

    lateness: int = 0


class Kept(Struct, frozen=True):
    """One game of the journal, as far as it matters here."""

    verdict: KeptVerdict
    turns: tuple[KeptTurn, ...]


class HostedArena:
    """`donuts arena serve` with its records in `folder`, from `with` to the end of the block."""

    def __init__(self, folder: Path) -> None:
        self.endpoint = ""
        self._folder = folder

    def __enter__(self) -> "HostedArena":
        """Start it and wait until it listens; raises BenchFault when it does not."""
        config = self._folder / "arena.toml"
        config.write_text(CONFIG)
        command = running("donuts_referee", "arena", "serve", str(config), "--json")
        with (self._folder / "events.jsonl").open("wb") as events:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=events, stderr=subprocess.PIPE, env=own_modules()
            )
        self._told = self._process.stderr
        assert self._told is not None
        self.endpoint = _announced(self._told)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Drain it."""
        assert self._told is not None
        with self._process, self._told:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()

    def resident(self) -> int:
        """Bytes of memory that it holds now; 0 where the system does not tell."""
        if sys.platform != "linux":
            return 0
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def cpu_s(self) -> float:
        """Seconds of CPU that it took so far, user and system; 0 where the system does not tell."""
        if sys.platform != "linux":
            return 0.0
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kept(self) -> Iterator[Kept]:
        """The games of its journal."""
        read = msgspec.json.Decoder(Kept).decode
        with (self._folder / "records" / "journal.jsonl").open("rb") as journal:
            for line in journal:
                yield read(line)


def _announced(told: IO[bytes]) -> str:
    """The endpoint that the arena tells; raises BenchFault with what it says instead."""
    endpoint, said = "", b""
    for line in told:
        said += line
        if found := re.search(rb"arena at (tcp://[0-9.:]+)", line):
            endpoint = found[1].decode()
        if line.startswith(b"join: "):
            return endpoint
    raise BenchFault(f"the arena of the bench did not start: {said.decode(errors='replace').strip()}")
