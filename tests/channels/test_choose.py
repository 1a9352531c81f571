"""Chooses a channel that the system can do, and needs nothing a system may lack until then."""

import select
import subprocess
import sys

import pytest

from donuts_referee.channels import choose
from donuts_referee.channels.poller import EpollPoller, PollPoller, poller
from donuts_referee.channels.stdio import PipeExchange
from donuts_referee.channels.threads import ThreadExchange


@pytest.mark.parametrize(
    ("wanted", "kind"),
    [(None, PipeExchange), ("", PipeExchange), ("poll", PipeExchange), ("threads", ThreadExchange)],
)
def test_the_variable_chooses(monkeypatch, wanted, kind) -> None:
    monkeypatch.delenv("DONUTS_CHANNEL", raising=False)
    if wanted is not None:
        monkeypatch.setenv("DONUTS_CHANNEL", wanted)
    room = choose.exchange(lambda: 7)
    assert type(room) is kind
    assert room.now() == 7
    room.close()


@pytest.mark.parametrize("wanted", ["Poll", "thread", "asyncio", "\x1b[2J", "poll "])
def test_another_word_is_an_error_with_what_would_be_right(monkeypatch, wanted) -> None:
    monkeypatch.setenv("DONUTS_CHANNEL", wanted)
    with pytest.raises(choose.UnknownChannel, match="say poll or threads") as caught:
        choose.exchange()
    assert isinstance(caught.value, ValueError)
    assert str(caught.value).isprintable()


def test_without_poll_there_are_threads(monkeypatch) -> None:
    monkeypatch.delattr(select, "poll")
    monkeypatch.delenv("DONUTS_CHANNEL", raising=False)
    assert type(choose.exchange()) is ThreadExchange
    monkeypatch.setenv("DONUTS_CHANNEL", "poll")
    with pytest.raises(choose.UnknownChannel, match="say threads"):
        choose.exchange()


def test_epoll_where_there_is_one(monkeypatch) -> None:
    best = poller()
    assert type(best) is EpollPoller
    best.close()
    monkeypatch.delattr(select, "epoll")
    assert type(poller()) is PollPoller


BARE = """
import os, select, sys, signal
for name in ("fcntl", "resource", "ctypes", "pwd", "grp", "termios", "tty", "msvcrt", "_winapi"):
    sys.modules[name] = None
for module, names in ((select, ("poll", "epoll")), (os, ("pidfd_open", "waitid")), (signal, ("pidfd_send_signal",))):
    for name in names:
        delattr(module, name)
from donuts_referee.channels import choose, inlet, ladder, link, program, threads
ladder.SETTLED = ladder.SECOND = 30_000_000_000
inlet.SETTLED = 30.0
assert "donuts_referee.channels.stdio" not in sys.modules
room = choose.exchange()
assert type(room) is threads.ThreadExchange
bot = room.spawn(program.Program((sys.executable, "-c", "print(input())")))
assert bot.send(b"hello\\n") is None
came = []
while not any(isinstance(a, link.Gone) for a in came):
    came += room.wait(room.now() + 30_000_000_000)
print(b"".join(a.data for a in came if isinstance(a, link.Chunk)), tuple(bot.reap()))
"""


def test_a_bare_system_is_enough_for_threads(monkeypatch) -> None:
    """No poll, no process descriptors, no waitid, no fcntl, no ctypes."""
    monkeypatch.delenv("DONUTS_CHANNEL", raising=False)
    done = subprocess.run(
        (sys.executable, "-c", BARE), capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.stdout, done.stderr) == ("b'hello\\n' (0, None, 0, None, False)\n", "")


def test_the_way_to_the_first_spawn_imports_little() -> None:
    text = "import sys; from donuts_referee.channels import choose; choose.exchange(); print(*sys.modules)"
    done = subprocess.run(
        (sys.executable, "-S", "-c", text), capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode:  # an installation that needs its site packages
        done = subprocess.run(
            (sys.executable, "-c", text), capture_output=True, text=True, check=True, timeout=120
        )
    heavy = {"asyncio", "dataclasses", "inspect", "multiprocessing", "hashlib", "json", "logging", "ctypes"}
    assert heavy.isdisjoint(done.stdout.split())
