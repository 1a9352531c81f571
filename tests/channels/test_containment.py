"""Nothing a bot started outlives it, and nothing else is touched."""

import signal
import subprocess
import sys
import time
import types

import pytest

from channels.offspring import children
from channels.texts import ECHO
from donuts_referee.channels import containment
from donuts_referee.channels.link import Exit

pytestmark = pytest.mark.usefixtures("contained")

PAUSE = "while True: signal.pause()\n"


DAEMON = """
def daemon():
    r, w = os.pipe()
    between = os.fork()
    if between == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in (0, 1, 2): os.close(fd)
            os.write(w, b'%d' % os.getpid())
            while True: signal.pause()
        os._exit(0)
    os.waitpid(between, 0)
    return int(os.read(r, 20))
"""


def test_a_grandchild_in_the_group_is_swept(room, ear, bot, watch, unhurried) -> None:
    text = """
    child = os.fork()
    if child == 0:
        while True: signal.pause()
    say(str(child))
    """
    link = room.spawn(bot(text))
    child = watch(ear.number(link))
    assert link.reap() == Exit(0, None, 1)
    assert not child.lives()


def test_a_grandchild_in_a_session_of_its_own_is_swept(room, ear, bot, watch, unhurried) -> None:
    text = """
    r, w = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.write(w, b'1')
        while True: signal.pause()
    os.read(r, 1)
    say(str(child))
    """
    link = room.spawn(bot(text))
    child = watch(ear.number(link))
    assert link.reap() == Exit(0, None, 1)
    assert not child.lives()


@pytest.mark.parametrize("ending", ["", "sys.stdin.read()", "os.abort()"])
def test_a_daemon_is_swept_however_its_bot_ended(room, ear, bot, watch, ending) -> None:
    """It forked twice, opened a session and closed everything it inherited."""
    link = room.spawn(bot(DAEMON + "say(str(daemon()))\n" + ending))
    daemon = watch(ear.number(link))
    assert link.reap().strays == 1
    assert not daemon.lives()


def test_a_stray_that_ignores_sigterm_is_killed(room, ear, bot, watch, unhurried, unsettled) -> None:
    text = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + DAEMON + "say(str(daemon()))"
    link = room.spawn(bot(text))
    daemon = watch(ear.number(link))
    assert link.reap() == Exit(0, None, 1)
    assert not daemon.lives()


def test_a_referee_that_stood_still_while_it_waited_kills_all_the_same(
    room, ear, bot, watch, unhurried, unsettled, monkeypatch
) -> None:
    """Its second of patience begins with the first SIGKILL, not when it was to come."""
    text = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + DAEMON + "say(str(daemon()))"
    link = room.spawn(bot(text))
    daemon = watch(ear.number(link))
    waits: list[float] = []
    stood = types.SimpleNamespace(monotonic=lambda: time.monotonic() + 3600 * len(waits), sleep=time.sleep)

    def wait(alive: list[containment.Seen], seconds: float) -> None:
        if waits:
            sound(alive, seconds)
        waits.append(seconds)

    sound = containment._await
    monkeypatch.setattr(containment, "time", stood)
    monkeypatch.setattr(containment, "_await", wait)
    assert link.reap() == Exit(0, None, 1)
    assert not daemon.lives()


def test_a_killed_bots_family_goes_with_it(room, ear, bot, watch) -> None:
    text = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + DAEMON + "say(str(daemon()))\n" + PAUSE
    link = room.spawn(bot(text))
    daemon = watch(ear.number(link))
    assert link.reap() == Exit(None, signal.SIGKILL, 1, sent=signal.SIGKILL)
    assert not daemon.lives()


def test_generations_of_strays_are_swept(room, ear, bot, watch) -> None:
    text = """
    def spawn(depth):
        if os.fork() == 0:
            os.setsid()
            if depth: spawn(depth - 1)
            say(str(os.getpid()))
            while True: signal.pause()
    spawn(4)
    for line in sys.stdin: pass
    """
    link = room.spawn(bot(text))
    strays = [watch(ear.number(link)) for _ in range(5)]
    assert link.reap().strays == 5
    assert not any(stray.lives() for stray in strays)


def test_what_ended_by_itself_is_no_stray(room, ear, bot) -> None:
    """The zombies of a bot that did not wait for its children become ours, and are reaped."""
    before_all = children()
    text = """
    for _ in range(3):
        child = os.fork()
        if child == 0: os._exit(0)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    """
    link = room.spawn(bot(text))
    ear.all_of(link)
    assert link.reap().strays == 0
    assert children() <= before_all


def test_the_daemon_of_a_bot_that_lives_is_spared(room, ear, bot, watch, unhurried) -> None:
    """Both forked twice; only one of them has ended."""
    text = DAEMON + "say(str(daemon()))\nfor line in sys.stdin: os.write(1, line.encode())\n"
    ending, living = (room.spawn(bot(text)) for _ in range(2))
    of_ending, of_living = watch(ear.number(ending)), watch(ear.number(living))
    assert ending.reap() == Exit(0, None, 1)
    assert not of_ending.lives()
    assert of_living.lives()
    living.send(b"still here\n")
    assert ear.line(living) == b"still here"
    assert living.reap() == Exit(0, None, 1)
    assert not of_living.lives()


def test_children_that_were_there_before_are_spared(room, ear, bot, watch) -> None:
    """Of our session, and of their own; the second kind can only be told by having been seen."""
    containment._current = containment._Household()
    sleep = (sys.executable, "-I", "-S", "-c", "import signal; signal.pause()")
    elders = [subprocess.Popen(sleep, start_new_session=alone) for alone in (False, True)]
    assert containment.contain()
    later = subprocess.Popen(sleep)
    try:
        link = room.spawn(bot(DAEMON + "say(str(daemon()))"))
        daemon = watch(ear.number(link))
        assert link.reap().strays == 1
        assert not daemon.lives()
        assert [popen.poll() for popen in (*elders, later)] == [None] * 3
    finally:
        for popen in (*elders, later):
            popen.kill()
            popen.wait(timeout=60)


def test_an_orphan_older_than_the_bot_is_spared(room, ear, bot, watch) -> None:
    """It was adopted from someone else."""
    old = room.spawn(bot(DAEMON + "say(str(daemon())); sys.stdin.read()"))
    daemon = watch(ear.number(old))
    started = containment._look(daemon.pid)
    assert started is not None
    young = containment.Bot(1 << 30, started.start + 10, True)
    assert not containment.kin(young)
    assert daemon.lives()


def test_a_bot_that_could_not_be_bound_keeps_its_orphans(
    room, ear, bot, watch, unhurried, monkeypatch
) -> None:
    """Its orphans come to us while it lives, so nothing younger than it is swept for another."""
    text = DAEMON + "say(str(daemon()))\nfor line in sys.stdin: os.write(1, line.encode())\n"
    with monkeypatch.context() as patched:
        patched.setattr(containment, "binding", lambda: None)
        loose = room.spawn(bot(text))
    kept = watch(ear.number(loose))
    other = room.spawn(bot(ECHO))
    assert other.reap() == Exit(0, None)
    assert kept.lives()
    assert loose.reap() == Exit(0, None, 1)
    assert not kept.lives()


def test_without_containment_the_family_of_a_living_bot_is_known(room, ear, bot, watch, unhurried) -> None:
    """A bot is a subreaper in any case: what it started is found below it when its end begins."""
    containment._household().adopts = False
    link = room.spawn(bot(DAEMON + "say(str(daemon())); sys.stdin.read()"))
    daemon = watch(ear.number(link))
    assert link.reap() == Exit(0, None, 1)
    daemon.ends()


def test_a_forked_copy_of_the_referee_knows_nobody() -> None:
    house = containment._household()
    house.pid = -1
    fresh = containment._household()
    assert fresh is not house
    assert not fresh.adopts and not fresh.bots


def test_the_number_of_a_process_is_not_enough(watch) -> None:
    popen = subprocess.Popen((sys.executable, "-I", "-S", "-c", "import signal; signal.pause()"))
    process = watch(popen.pid)
    seen = containment._look(popen.pid)
    assert seen is not None
    containment._signal(containment.Known(popen.pid, seen.start - 1), signal.SIGKILL)
    assert process.lives()
    containment._signal(seen.known, signal.SIGKILL)
    process.ends()
    popen.wait(timeout=60)
