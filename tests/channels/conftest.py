"""Rooms to test in: epoll, plain poll without process descriptors, and threads, those that cannot poll a pipe too."""

import os
import select
import sys
import textwrap
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from donuts_referee.channels import containment, inlet, ladder, outlet, threaded
from donuts_referee.channels.choose import Channel
from donuts_referee.channels.link import Arrival, Chunk, Gone, Link, Sent
from donuts_referee.channels.poller import PollPoller
from donuts_referee.channels.process import Process
from donuts_referee.channels.program import Program
from donuts_referee.channels.stdio import PipeExchange
from donuts_referee.channels.threads import ThreadExchange

FOREVER = 30_000_000_000
"""ns after which a test that waits has failed"""


@pytest.fixture(params=["epoll", "poll", "threads"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(autouse=True)
def unkilled(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was told SIGKILL, and threads whose pipes are closed, get all the time that they need to end."""
    monkeypatch.setattr(containment, "DYING", FOREVER / 1e9)
    monkeypatch.setattr(threaded, "LEFT_BEHIND", FOREVER / 1e9)


@pytest.fixture
def obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that was told SIGTERM is given all the time that it needs to obey."""
    monkeypatch.setattr(ladder, "OBEYING", FOREVER)


def join(threads: Iterable[threading.Thread]) -> None:
    """Wait until they have ended: from then on none of them touches a descriptor."""
    for thread in threads:
        thread.join(FOREVER / 1e9)
        assert not thread.is_alive(), f"a thread goes on: {thread.name}"


@pytest.fixture
def room(kind: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Channel]:
    """An exchange; every bot that a test leaves is ended, and every thread that was begun for one."""
    running = set(threading.enumerate())
    if kind in ("threads", "blind"):
        if kind == "blind":
            for module in (inlet, outlet):
                monkeypatch.setattr(module, "can_be_polled", lambda fd: False)
        exchange: Channel = ThreadExchange()
    elif kind == "poll":
        monkeypatch.setattr(Process, "watch", lambda self: None)
        exchange = PipeExchange(poll=PollPoller)
    else:
        exchange = PipeExchange()
    yield exchange
    exchange.close()
    join(set(threading.enumerate()) - running)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that leave when their stdin ends are not hurried by signals, however slow the machine is."""
    monkeypatch.setattr(ladder, "SECOND", FOREVER)


@pytest.fixture
def unsettled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose stdout is at its end is given all the time that it needs to end by itself."""
    monkeypatch.setattr(ladder, "SETTLED", FOREVER)


@pytest.fixture
def contained() -> Iterator[None]:
    """This process is a subreaper for the length of a test."""
    if not containment.contain():
        pytest.skip("no subreaper on this system, or we are process 1")
    yield
    prctl = containment._prctl()
    assert prctl is not None
    prctl(containment.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    containment._current = containment._Household()


Write = Callable[..., Program]


@pytest.fixture
def bot(tmp_path: Path) -> Write:
    """Makes a program of Python text (with os, sys, signal and time there, and `say`) and arguments."""
    written = 0

    def write(text: str, *argv: str, env: tuple[tuple[str, str], ...] = ()) -> Program:
        nonlocal written
        written += 1
        path = tmp_path / f"bot{written}.py"
        head = "import os, signal, sys, time\ndef say(text): os.write(1, text.encode() + b'\\n')\n"
        path.write_text(head + textwrap.dedent(text))
        return Program((sys.executable, "-I", "-S", str(path), *argv), None, env)

    return write


class Ear:
    """Waits on an exchange and sorts what arrives by link."""

    def __init__(self, room: Channel) -> None:
        self.room = room
        self.arrivals: list[Arrival] = []
        self.read: dict[int, int] = {}

    def until(self, fits: Callable[[], bool]) -> None:
        end = self.room.now() + FOREVER
        while not fits():
            came = self.room.wait(end)
            assert came, "nothing more came"
            self.arrivals += came

    def data(self, link: Link) -> bytes:
        """All that came from it so far."""
        return b"".join(a.data for a in self.arrivals if isinstance(a, Chunk) and a.link is link)

    def line(self, link: Link) -> bytes:
        """The next line of a bot."""
        start = self.read.get(id(link), 0)
        self.until(lambda: b"\n" in self.data(link)[start:])
        end = self.data(link).index(b"\n", start) + 1
        self.read[id(link)] = end
        return self.data(link)[start : end - 1]

    def number(self, link: Link) -> int:
        """The next line of a bot that says a number."""
        return int(self.line(link))

    def is_gone(self, link: Link) -> bool:
        return any(isinstance(a, Gone) and a.link is link for a in self.arrivals)

    def all_of(self, link: Link) -> bytes:
        """Everything a bot writes until it is gone."""
        self.until(lambda: self.is_gone(link))
        return self.data(link)

    def sent(self, link: Link) -> list[Sent]:
        return [a for a in self.arrivals if isinstance(a, Sent) and a.link is link]


@pytest.fixture
def ear(room: Channel) -> Ear:
    return Ear(room)


class Whistle:
    """A named pipe by which a bot tells the test something past its link; each word is waited for."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = str(path)
        self._fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)

    def hear(self) -> bytes:
        assert select.select([self._fd], [], [], FOREVER / 1e9)[0], "no whistle"
        return os.read(self._fd, 4096)

    def close(self) -> None:
        os.close(self._fd)


@pytest.fixture
def whistle(tmp_path: Path) -> Iterator[Whistle]:
    pipe = Whistle(tmp_path / "whistle")
    yield pipe
    pipe.close()


class Watched:
    """A process that need not be our child, held by its descriptor from now on."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.fd = os.pidfd_open(pid)

    def ends(self) -> None:
        """Wait until it has ended."""
        assert select.select([self.fd], [], [], FOREVER / 1e9)[0], f"process {self.pid} lives on"

    def lives(self) -> bool:
        return not select.select([self.fd], [], [], 0)[0]


@pytest.fixture
def watch() -> Iterator[Callable[[int], Watched]]:
    held: list[Watched] = []

    def hold(pid: int) -> Watched:
        held.append(Watched(pid))
        return held[-1]

    yield hold
    for one in held:
        if one.lives():
            os.kill(one.pid, 9)
        os.close(one.fd)


@pytest.fixture
def shut(tmp_path: Path) -> Iterator[Path]:
    """A folder with a program and a script in it that we may not search; root becomes nobody for the test."""
    folder = tmp_path / "shut"
    folder.mkdir()
    for name in ("mybot", "bot.py"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    folder.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    yield folder
    os.seteuid(user)
    folder.chmod(0o755)
