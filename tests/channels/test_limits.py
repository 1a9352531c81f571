"""A bot is held to its limits and cannot get out of them; limits that the system does not allow start nothing."""

import fcntl
import os
import resource
import sys

import pytest

from donuts_referee.channels.limits import MIB, Limits, confinement
from donuts_referee.channels.link import Exit, StartFailure
from donuts_referee.channels.process import start
from donuts_referee.channels.program import Program
from donuts_referee.teams import bot as teams_bot

ALL = Limits(memory=700, processes=300, files=32, file_size=2)

SHOW = """
import resource
say(repr([resource.getrlimit(getattr(resource, 'RLIMIT_' + name)) for name in ('AS', 'NPROC', 'NOFILE', 'FSIZE')]))
"""


def test_a_bot_and_what_it_starts_have_all_limits_soft_and_hard_and_the_referee_has_none_of_them(
    room, ear, bot
) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    words = "import os, sys; say = print" + SHOW
    again = f"import subprocess; subprocess.run([sys.executable, '-I', '-S', '-c', {words!r}])"
    most = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    processes = 4000 if most == resource.RLIM_INFINITY else min(most, 4000)  # other tests run beside this one
    link = room.spawn(bot(SHOW + again)._replace(limits=ALL._replace(processes=processes)))
    expected = [(700 * MIB, 700 * MIB), (processes, processes), (32, 32), (2 * MIB, 2 * MIB)]
    assert [eval(ear.line(link)), eval(ear.line(link))] == [expected, expected]
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before


def test_a_bot_without_limits_has_those_of_the_referee(room, ear, bot) -> None:
    link = room.spawn(bot(SHOW))
    kinds = (resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)
    assert eval(ear.line(link)) == [resource.getrlimit(kind) for kind in kinds]
    assert confinement(Limits(), "./bot") is None


def test_memory_beyond_the_limit_is_refused_and_the_bot_that_cannot_do_without_ends(
    room, ear, bot, unsettled
) -> None:
    link = room.spawn(bot("hoard = bytearray(400 << 20)")._replace(limits=Limits(memory=256)))
    assert ear.all_of(link) == b""
    assert link.reap() == Exit(1, None)
    assert b"MemoryError" in link.stderr().tail + link.stderr().head


def test_a_bot_that_takes_less_than_its_limit_of_memory_lives(room, ear, bot) -> None:
    link = room.spawn(bot("hoard = bytearray(64 << 20); say('fine')")._replace(limits=Limits(memory=256)))
    assert ear.line(link) == b"fine"


def test_a_bot_with_too_little_memory_to_be_loaded_at_all_ends_at_once(room, ear, bot) -> None:
    link = room.spawn(bot("say('never')")._replace(limits=Limits(memory=1)))
    assert ear.all_of(link) == b""
    assert link.reap() != Exit(0, None)


def test_no_more_processes_are_forked_than_the_limit_says(room, ear, bot) -> None:
    text = """
    if os.geteuid() == 0: os.setuid(65534)  # root has no such limit
    try:
        if os.fork() == 0: os._exit(0)
        say('forked')
    except BlockingIOError:
        say('refused')
    """
    link = room.spawn(bot(text)._replace(limits=Limits(processes=1)))
    assert ear.line(link) == b"refused"


def test_no_more_files_are_opened_than_the_limit_says(room, ear, bot) -> None:
    text = """
    held = []
    try:
        while True: held.append(os.open('/dev/null', 0))
    except OSError as error:
        say(f'{error.strerror} {held[-1]}')
    """
    link = room.spawn(bot(text)._replace(limits=Limits(files=20)))
    assert ear.line(link) == b"Too many open files 19"


def test_a_file_grows_no_longer_than_the_limit_and_the_pipes_are_no_files(room, ear, bot, tmp_path) -> None:
    text = """
    os.write(2, b'e' * 65536)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    for _ in range(40): os.write(1, b'x' * 65535 + b'\\n')
    file = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
    while True: os.write(file, bytes(65536))
    """
    link = room.spawn(bot(text, str(tmp_path / "big"))._replace(limits=Limits(file_size=2)))
    assert len(ear.all_of(link)) == 40 * 65536
    assert link.reap().signal is not None
    assert (tmp_path / "big").stat().st_size == 2 * MIB


def test_a_descriptor_above_the_limit_of_files_is_closed_all_the_same(room, ear, bot) -> None:
    with open(os.devnull, "rb") as stray:  # noqa: PTH123
        high = fcntl.fcntl(stray.fileno(), fcntl.F_DUPFD, 300)  # the first from there that is free
        held = [
            os.dup(stray.fileno()) for _ in range(24)
        ]  # so that none below the limit is free in the child
        try:
            link = room.spawn(
                bot("fds = os.listdir('/proc/self/fd'); say(repr(sorted(map(int, fds))))")._replace(
                    limits=Limits(files=12)
                )
            )
        finally:
            for fd in (high, *held):
                os.close(fd)
    seen = eval(ear.line(link))
    assert seen[:3] == [0, 1, 2] and len(seen) <= 4


@pytest.mark.parametrize(
    ("kind", "limits", "said"),
    [
        (
            resource.RLIMIT_NOFILE,
            Limits(files=1000),
            "files 1000 is above that of the referee itself, files 900",
        ),
        (
            resource.RLIMIT_FSIZE,
            Limits(file_size=5),
            "file_size 5 MiB is above that of the referee itself, file_size 4",
        ),
    ],
)
def test_a_limit_above_our_own_is_refused_in_one_line_before_anything_is_started(
    monkeypatch, kind, limits, said
) -> None:
    ours = {resource.RLIMIT_NOFILE: 900, resource.RLIMIT_FSIZE: 4 * MIB}
    monkeypatch.setattr(resource, "getrlimit", lambda which: (ours[which], ours[which]))
    with pytest.raises(StartFailure) as refused:
        start(Program((sys.executable, "-c", ""), limits=limits))
    text = str(refused.value)
    assert said in text and "ulimit -H" in text and "\n" not in text
    assert refused.value.status == 126


def test_a_system_that_refuses_a_limit_is_quoted_in_one_line(monkeypatch) -> None:
    def refuse(which: int, pair: tuple[int, int]) -> None:
        raise ValueError("not here")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    with pytest.raises(StartFailure, match=r"refuses its limits \(memory 64 MiB\)$"):
        start(Program((sys.executable, "-c", ""), limits=Limits(memory=64)))


@pytest.mark.parametrize("name", Limits._fields)
@pytest.mark.parametrize("value", [0, -1])
def test_a_limit_of_nothing_is_refused_and_not_taken_for_none(name, value) -> None:
    with pytest.raises(StartFailure, match=f"a limit of {name} is at least 1, not {value}$"):
        start(Program((sys.executable, "-c", ""), limits=Limits(**{name: value})))


def test_limits_are_said_in_words() -> None:
    assert str(ALL) == "processes 300, files 32, file_size 2 MiB, memory 700 MiB"
    assert str(Limits()) == "none"


def test_a_bot_of_a_competition_has_the_limits_of_its_program() -> None:
    one = teams_bot.Bot(name="alpha", program=Program(("./alpha",), limits=ALL))
    assert one.program.limits is ALL and teams_bot.Limits is Limits
