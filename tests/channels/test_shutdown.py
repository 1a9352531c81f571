"""The end of a child: stdin closed, a second, SIGTERM, a second, SIGKILL; and nothing is left of it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from channels.offspring import children
from channels.texts import ECHO
from donuts_referee.channels import ladder
from donuts_referee.channels.link import Exit
from donuts_referee.channels.process import start


def test_a_bot_that_exits_at_the_end_of_its_stdin_keeps_its_status(room, ear, bot, unhurried) -> None:
    link = room.spawn(bot("say('up'); sys.stdin.read(); os._exit(9)"))
    ear.line(link)
    link.hang_up()
    assert link.reap() == Exit(9, None)


def test_a_farewell_is_read_before_the_end(room, ear, bot, whistle, unhurried) -> None:
    """`bye` and the closed stdin follow each other at once."""
    link = room.spawn(bot("data = sys.stdin.read(); open(sys.argv[1], 'w').write(data)", whistle.path))
    link.send(b"bye why=done\n")
    link.hang_up()
    assert whistle.hear() == b"bye why=done\n"
    assert link.reap() == Exit(0, None)


def test_hanging_up_and_reaping_twice_are_harmless(room, bot, unhurried) -> None:
    link = room.spawn(bot(ECHO))
    link.hang_up()
    link.hang_up()
    first = link.reap()
    assert first == Exit(0, None)
    assert link.reap() is first
    link.hang_up()


OBEYS = """
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
{before}
signal.sigwait([signal.SIGTERM])
os._exit({status})
"""
"""a bot that ends for SIGTERM, whenever that comes: a handler may just miss the pause that it is to end"""


def test_a_bot_that_ignores_its_stdin_gets_sigterm(room, ear, bot, obeyed) -> None:
    text = OBEYS.format(before="say('up')", status=15)
    link = room.spawn(bot(text))
    ear.line(link)
    assert link.reap() == Exit(15, None, sent=signal.SIGTERM)


def test_a_bot_that_ignores_sigterm_is_killed(room, ear, bot) -> None:
    text = "signal.signal(signal.SIGTERM, signal.SIG_IGN); say('up')\nwhile True: signal.pause()"
    link = room.spawn(bot(text))
    ear.line(link)
    assert link.reap() == Exit(None, signal.SIGKILL, sent=signal.SIGKILL)


def test_a_stopped_bot_is_killed(room, ear, bot) -> None:
    link = room.spawn(bot("say(str(os.getpid())); os.kill(os.getpid(), signal.SIGSTOP)"))
    os.waitid(os.P_PID, ear.number(link), os.WSTOPPED | os.WNOWAIT)
    assert link.reap() == Exit(None, signal.SIGKILL, sent=signal.SIGKILL)


def test_sigterm_reaches_the_whole_group(room, ear, bot, whistle, obeyed) -> None:
    """What a wrapper started may put its things in order too."""
    text = """
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    child = os.fork()
    if child == 0:
        say('up')
        signal.sigwait([signal.SIGTERM])
        open(sys.argv[1], 'w').write('saved')
        os._exit(0)
    os.waitpid(child, 0)
    os._exit(6)
    """
    link = room.spawn(bot(text, whistle.path))
    ear.line(link)
    assert link.reap() == Exit(6, None, sent=signal.SIGTERM)
    assert whistle.hear() == b"saved"


def test_a_bot_stuck_on_a_full_stdout_can_exit(room, bot, unhurried) -> None:
    """Its pipes are drained during the ladder, so that it gets to see the end of its stdin."""
    link = room.spawn(
        bot("data = b'#' * (2 << 20)\nwhile data: data = data[os.write(1, data):]\nos._exit(8)")
    )
    assert link.reap() == Exit(8, None)


def test_who_obeyed_sigterm_after_sigkill_was_sent_obeyed_sigterm(bot) -> None:
    """A bot may be scheduled so late, or the referee look so early."""
    process = start(bot("signal.pause()"))
    looks = iter((False, False, True))

    def ended_by(deadline: int) -> bool:
        said = next(looks)
        if deadline:
            process.outlast()
        return said

    exit_ = ladder.see_out(process, -ladder.SECOND, ended_by, lambda: 1)
    assert exit_ == Exit(None, signal.SIGTERM, sent=signal.SIGTERM)
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()


def test_the_end_of_a_bot_whose_writes_are_pending(room, ear, bot) -> None:
    link = room.spawn(bot("say('up')\nwhile True: signal.pause()"))
    ear.line(link)
    assert link.send(b"x" * (1 << 20)) is None
    assert link.reap() == Exit(None, signal.SIGTERM, sent=signal.SIGTERM)


def test_closing_the_room_ends_every_bot(room, ear, bot, watch) -> None:
    links = [room.spawn(bot("say(str(os.getpid())); signal.pause()")) for _ in range(3)]
    pids = [watch(ear.number(link)) for link in links]
    room.close()
    for pid in pids:
        assert not pid.lives()
    assert {link.reap().signal for link in links} == {signal.SIGTERM}


def open_files() -> dict[str, str]:
    """What every open descriptor of this process stands for."""
    return {fd.name: str(fd.readlink()) for fd in Path("/proc/self/fd").iterdir() if fd.is_symlink()}


def test_a_hundred_bots_leave_no_zombie_and_no_descriptor(room, ear, bot, unhurried) -> None:
    program = bot(ECHO)._replace(argv=("/bin/cat",))
    room.spawn(program).reap()  # whatever is opened once is open now
    before, before_all = open_files(), children()
    for number in range(100):
        link = room.spawn(program)
        link.send(b"%d\n" % number)
        assert ear.line(link) == b"%d" % number
        assert link.reap() == Exit(0, None)
        ear.arrivals.clear()
        ear.read.clear()
    assert open_files().items() <= before.items()
    assert children() <= before_all


REFEREE = """
import os, signal, sys
{after}
from donuts_referee.channels import ladder
from donuts_referee.channels.choose import exchange
from donuts_referee.channels.link import Chunk
from donuts_referee.channels.program import Program

room = exchange()
link = room.spawn(Program((sys.executable, "-I", "-S", "-c", {bot!r})))

def line():
    data = b""
    while not data.endswith(b"\\n"):
        data += b"".join(a.data for a in room.wait(room.now() + 30_000_000_000) if isinstance(a, Chunk))
    return data.decode().strip()

print(line(), flush=True)
{before}
"""

BOT = "import os, sys\nprint(os.getpid(), flush=True)\nfor line in sys.stdin: print('heard', line, end='', flush=True)"


@pytest.fixture
def referee(kind, monkeypatch):
    """Starts a small referee with one bot in a group of its own, with code before its imports and after its start."""
    monkeypatch.setenv("DONUTS_CHANNEL", "threads" if kind == "threads" else "poll")
    started = []

    def run(bot: str, before: str, after: str = "") -> subprocess.Popen[str]:
        text = REFEREE.format(bot=bot, before=before, after=after)
        popen = subprocess.Popen(
            (sys.executable, "-c", text),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(popen)
        return popen

    yield run
    for popen in started:
        popen.kill()
        popen.communicate(timeout=60)


def test_a_killed_referee_takes_its_bots_with_it(referee, watch) -> None:
    deaf = "import os, signal, sys\nprint(os.getpid(), flush=True)\nwhile True: signal.pause()"
    popen = referee(deaf, "while True: signal.pause()")
    bot = watch(int(popen.stdout.readline()))
    assert bot.lives()
    popen.kill()
    bot.ends()


def test_ctrl_c_does_not_reach_the_bots(referee) -> None:
    """SIGINT goes to the process group of the referee; the bot answers afterwards."""
    text = """
try:
    heard, told = os.pipe()
    os.set_blocking(told, False)
    signal.set_wakeup_fd(told)  # so that a signal that comes just before the read ends it too
    print('waiting', flush=True)
    os.read(heard, 1)
except KeyboardInterrupt:
    link.send(b'you\\n')
    print(line(), flush=True)
    ladder.SECOND *= 30
    print(tuple(link.reap())[:3], flush=True)
"""
    popen = referee(BOT, text)
    popen.stdout.readline()
    assert popen.stdout.readline() == "waiting\n"
    os.killpg(popen.pid, signal.SIGINT)
    assert popen.stdout.readline() == "heard you\n"
    assert popen.stdout.readline() == "(0, None, 0)\n"
    assert popen.wait(timeout=60) == 0


def test_a_broken_pipe_does_not_end_the_referee(referee) -> None:
    text = """
os.kill(int(pid), signal.SIGKILL)
os.waitid(os.P_PID, int(pid), os.WEXITED | os.WNOWAIT)
for _ in range(3): link.send(b'turn\\n')
print(tuple(link.reap())[:3], flush=True)
"""
    text = text.replace("int(pid)", "link_pid")
    bot = "import os, signal\nprint(os.getpid(), flush=True)\nwhile True: signal.pause()"
    before = "link_pid = getattr(link, 'process', None) or link._process\nlink_pid = link_pid.pid" + text
    popen = referee(bot, before, "signal.signal(signal.SIGPIPE, signal.SIG_DFL)")
    popen.stdout.readline()
    assert popen.stdout.readline() == "(None, 9, 0)\n"
    assert popen.wait(timeout=60) == 0


ENDINGS = {
    "ends by itself with a status": ("os._exit(3)", Exit(3, None), "unsettled"),
    "ends by itself with a signal": (
        "os.kill(os.getpid(), signal.SIGSEGV)",
        Exit(None, signal.SIGSEGV),
        "unsettled",
    ),
    "is ended from outside with our signal": (
        "os.kill(os.getpid(), signal.SIGTERM)",
        Exit(None, signal.SIGTERM),
        "unsettled",
    ),
    "leaves at the end of its stdin": (
        "os.close(1); sys.stdin.read()",
        Exit(0, None, closed=True),
        "unhurried",
    ),
    "crashes at the end of its stdin": (
        "os.close(1); sys.stdin.read(); os.abort()",
        Exit(None, 6, closed=True),
        "unhurried",
    ),
    "stays": (
        "os.close(1)\nwhile True: signal.pause()",
        Exit(None, signal.SIGTERM, sent=signal.SIGTERM, closed=True),
        "room",
    ),
    "obeys SIGTERM": (
        OBEYS.format(before="os.close(1)", status=4),
        Exit(4, None, sent=signal.SIGTERM, closed=True),
        "obeyed",
    ),
    "ignores SIGTERM": (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); os.close(1)\nwhile True: signal.pause()",
        Exit(None, signal.SIGKILL, sent=signal.SIGKILL, closed=True),
        "room",
    ),
}
"""What a bot does whose stdout ends, what is known of it (its own doing, or ours), and the fixture that gives
it the time to leave by itself."""


@pytest.mark.parametrize("deed", ENDINGS)
def test_what_a_bot_did_itself_is_told_from_what_was_done_to_it(room, ear, bot, request, deed) -> None:
    text, exit_, pace = ENDINGS[deed]
    request.getfixturevalue(pace)
    link = room.spawn(bot("say('up')\n" + text))
    assert ear.all_of(link) == b"up\n"
    assert link.reap() == exit_
