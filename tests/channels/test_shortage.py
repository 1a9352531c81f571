"""What the system has not got is the referee's own fault: it is told from a bot that cannot be started (DBP-9.14)."""

import errno
import gc
import os
import resource
import select
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from channels.conftest import join
from channels.test_shutdown import open_files
from channels.texts import ECHO
from donuts_referee.channels import choose, containment
from donuts_referee.channels.link import Shortage
from donuts_referee.channels.process import discard, start
from donuts_referee.channels.program import Program
from donuts_referee.channels.shortage import shortage

REMEDIES = {
    errno.EMFILE: r"no more open files; raise .* \(ulimit -n\)",
    errno.ENFILE: r"no more open files on this system; .*fs\.file-max",
    errno.EAGAIN: r"no more processes or threads; raise .*ulimit -u",
    errno.ENOMEM: r"not enough memory; free some",
}


@pytest.mark.parametrize("number", REMEDIES)
@pytest.mark.parametrize("name", ["./mybot", None])
def test_a_shortage_is_told_with_its_remedy_and_is_no_failure_of_the_program(
    monkeypatch, number, name
) -> None:
    """Whichever call it came from: that of the parent, or that of the child, which names the program."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), name)

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(Shortage, match=rf"cannot start \./mybot: the referee has {REMEDIES[number]}"):
        start(Program(("./mybot",)))


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.E2BIG, errno.ELOOP])
def test_what_is_wrong_with_a_program_is_no_shortage(number) -> None:
    assert shortage("start it", OSError(number, "")) is None
    assert shortage("start it", OSError("no number")) is None


@contextmanager
def no_more_files(left: int) -> Iterator[None]:
    """Let this process open so many files and no more."""
    gc.collect()  # what goes now gives back no descriptor later
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(left)]
    used = max(int(number) for number in open_files())
    for fd in held:
        os.close(fd)
    # every lower number is taken, so that exactly those above are to be had
    free = [fd for fd in range(used + 1) if str(fd) not in open_files()]
    plugs = [os.open(os.devnull, os.O_RDONLY) for _ in free[: max(0, len(free) - left)]]
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for fd in plugs:
            os.close(fd)


@pytest.mark.parametrize("left", range(8))
def test_without_descriptors_no_bot_is_started_and_nothing_is_kept(room, ear, bot, left) -> None:
    """Three pipes, and one on which the child tells of its failure, are eight descriptors."""
    if left in range(2, 6) and sys.version_info < (3, 11, 7):  # seen with 3.11.2, not with 3.11.7
        pytest.skip("subprocess of this Python keeps the pipes that it has made when it gets no more")
    program = bot(ECHO)
    before = open_files()
    with no_more_files(left), pytest.raises(Shortage, match="ulimit -n"):
        room.spawn(program)
    assert open_files().items() <= before.items()
    link = room.spawn(program)
    link.send(b"now it goes\n")
    assert ear.line(link) == b"now it goes"


def test_without_descriptors_a_bot_is_still_ended(room, ear, bot, watch) -> None:
    link = room.spawn(bot("say(str(os.getpid()))\nwhile True: signal.pause()"))
    process = watch(ear.number(link))
    with no_more_files(0):
        link.reap()
    assert not process.lives()


@pytest.mark.usefixtures("contained")
def test_without_descriptors_a_stray_is_still_swept(room, ear, bot, watch, monkeypatch) -> None:
    text = """
    child = os.fork()
    if child == 0:
        os.setsid()
        for fd in (0, 1, 2): os.close(fd)
        while True: signal.pause()
    while os.getsid(child) != child: time.sleep(0.001)
    say(str(child))
    """
    link = room.spawn(bot(text))
    stray = watch(ear.number(link))

    def refuse(*_: object) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "pidfd_open", refuse)
    assert link.reap().strays == 1
    assert not stray.lives()


def test_an_exchange_that_cannot_wait_is_a_shortage(monkeypatch) -> None:
    def refuse() -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setenv(choose.VARIABLE, "poll")
    monkeypatch.setattr(select, "epoll", refuse)
    with pytest.raises(Shortage, match=r"cannot wait for bots: .*ulimit -n"):
        choose.exchange()


def test_a_program_that_cannot_be_killed_is_not_waited_for_without_an_end(bot, watch, monkeypatch) -> None:
    """It took the rights of another user, as a program may that is marked so."""
    process = start(bot("while True: signal.pause()"))
    held = watch(process.pid)
    monkeypatch.setattr(process, "kill", lambda: None)
    monkeypatch.setattr(containment, "sweep", lambda *_: frozenset())
    monkeypatch.setattr(containment, "DYING", 0.05)
    discard(process)
    assert held.lives()
    os.kill(process.pid, 9)
    held.ends()
    os.waitpid(process.pid, 0)
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()


@pytest.mark.parametrize("kind", ["threads"], indirect=False)
@pytest.mark.parametrize("nth", range(4))
def test_a_bot_without_all_of_its_threads_is_ended(room, kind, ear, bot, watch, whistle, monkeypatch, nth):
    """Of a bot's four threads any may be the one that the system refuses."""
    program = bot("open(sys.argv[1], 'w').write(str(os.getpid()))\nwhile True: signal.pause()", whistle.path)
    running = set(threading.enumerate())
    before = open_files()
    begun = threading.Thread.start
    seen: list[object] = []

    def refuse(thread: threading.Thread) -> None:
        if len(seen) == nth:
            seen.append(watch(int(whistle.hear())))
            raise RuntimeError("can't start new thread")
        seen.append(thread)
        begun(thread)

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        with pytest.raises(Shortage, match=r"cannot start the threads for a bot: .*ulimit -u"):
            room.spawn(program)
    process = seen[-1]
    assert not process.lives()
    join(set(threading.enumerate()) - running)
    opened = dict(open_files().items() - before.items())
    assert set(opened) == {str(process.fd)}
    assert room.links == []
    echo = room.spawn(bot(ECHO))
    echo.send(b"now it goes\n")
    assert ear.line(echo) == b"now it goes"
