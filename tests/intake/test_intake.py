"""`donuts intake` as a process: sixty folders, some of them broken, each with a private report."""

import json
import os
import re
import select
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from donuts_referee.bench.build import NoCompiler, build
from donuts_referee.channels.containment import processes
from donuts_referee.cli.main import main
from donuts_referee.competition.config import read_event
from donuts_referee.intake import building
from donuts_referee.intake.crew import Slow, examinations
from donuts_referee.intake.examination import QUICK, Examined, Task
from donuts_referee.teams.bot_toml import read_bot

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders of POSIX programs")

LONG = f"76543{os.getpid()}"
"""seconds of sleep by which our processes are told from others"""

FEW = "hello-time,forced-line"

MUTE = "#!/bin/sh\nread line\n"


class Intake(NamedTuple):
    """What one run of the command said and left."""

    code: int
    out: str
    err: str
    reports: Path

    @property
    def teams(self) -> dict[str, dict[str, Any]]:
        found = json.loads((self.reports / "summary.json").read_text())
        return {Path(team["folder"]).name: team for team in found["teams"]}

    def report(self, name: str) -> str:
        return (self.reports / f"{name}.md").read_text()


Take = Callable[..., Intake]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A quick honest bot."""
    try:
        return build("first", tmp_path_factory.mktemp("first"))
    except NoCompiler as fault:
        pytest.skip(str(fault))


@pytest.fixture
def take(tmp_path: Path) -> Take:
    """Run `donuts intake teams WORDS`."""

    def run(*words: str) -> Intake:
        done = subprocess.run(
            [sys.executable, "-m", "donuts_referee", "intake", "teams", "--out", "kept", *words],
            cwd=tmp_path,
            env={**os.environ, "TOKEN": "s3cret"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        return Intake(done.returncode, done.stdout, done.stderr, tmp_path / "kept")

    return run


@pytest.fixture
def team(tmp_path: Path) -> Callable[..., Path]:
    """Write a team's folder: its bot.toml, and scripts by name."""

    def write(name: str, text: str | None, **scripts: str) -> Path:
        folder = tmp_path / "teams" / name
        folder.mkdir(parents=True)
        if text is not None:
            (folder / "bot.toml").write_text(text)
        for script, lines in scripts.items():
            (folder / script).write_text(lines)
            (folder / script).chmod(0o755)
        return folder

    return write


def test_of_sixty_folders_54_are_entered_and_six_causes_are_named(
    first: Path, take: Take, team: Callable[..., Path], tmp_path: Path
) -> None:
    for number in range(54):
        team(f"team{number:02}", f'version = "{number}"\nrun = "{first}"')
    team("x-nothing", None)
    team("x-toml", 'run = "./bot\n')
    team("x-build", 'run = "./bot"\nbuild = "./make"', make="#!/bin/sh\necho cannot find -lm >&2\nexit 2\n")
    team("x-start", 'run = "./bot"')
    team("x-illegal", 'run = "./bot"', bot=ILLEGAL)
    team("x-mute", 'run = "./bot"', bot=MUTE)
    took = take("--only", FEW, "--hello", "15", "--jobs", "2")
    assert took.code == 1, took.err
    assert took.out.splitlines()[-3:-1] == ["54 entered, 6 refused", f"reports: {tmp_path}/kept"]
    (tmp_path / "event.toml").write_text(took.out.splitlines()[-1].partition(": ")[2])
    assert len(read_event(tmp_path / "event.toml").bots) == 54
    assert {name: one["cause"] for name, one in took.teams.items() if not one["entered"]} == {
        "x-nothing": "missing",
        "x-toml": "config",
        "x-build": "build",
        "x-start": "start",
        "x-illegal": "check",
        "x-mute": "silent",
    }
    assert "cannot find -lm" in took.report("x-build") and "exit status 2" in took.report("x-build")
    assert "no such file there" in took.report("x-start")
    assert "bot.toml: not TOML" in took.report("x-toml")
    assert "What is wrong: forced-line" in took.report("x-illegal") and "    right: " in took.report(
        "x-illegal"
    )
    assert "flush stdout" in took.report("x-mute")
    assert took.report("team07").startswith("# team07, version 7: entered\n")
    for path in took.reports.iterdir():
        assert path.stat().st_mode & 0o077 == 0
    for name in took.teams:
        others = {other for other in took.teams if other != name}
        assert not [other for other in others if other in took.report(name)]


ILLEGAL = """\
#!/bin/sh
echo hello donuts=1-1 name=cheat
while read -r verb id rest; do
    case $verb in
    game) echo "ready $id" ;;
    ping) echo "pong $id" ;;
    turn) echo "move $id z9" ;;
    bye) exit ;;
    esac
done
"""


def test_hostile_folders_harm_nobody(
    first: Path, take: Take, team: Callable[..., Path], tmp_path: Path
) -> None:
    good = f'run = "{first}"'
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    os.mkfifo(team("pipe", None) / "bot.toml")
    (team("linked", None) / "bot.toml").symlink_to(secret)
    (team("leads-out", good) / "weights").symlink_to(secret)
    (team("venv", good) / "python").symlink_to(sys.executable)
    (team("loop", good) / "loop").symlink_to("loop")
    team("\x1b[2J<b>", good)
    team("same", f'{good}\nname = "Twin"')
    team("other", f'{good}\nname = "twin"')
    forks = f"#!/bin/sh\n(trap '' TERM; exec sleep {LONG}) >/dev/null 2>&1 &\n"
    team("forks", f'{good}\nbuild = "./make"', make=forks)
    hangs = f"#!/bin/sh\nsetsid sleep {LONG} &\ntrap '' TERM\nwhile :; do sleep {LONG}; done\n"
    team("hangs", f'{good}\nbuild = "./make"', make=hangs)
    team(
        "loud",
        f'{good}\nbuild = "./make"',
        make="#!/bin/sh\nprintf '\\033[2J'\nhead -c 10000000 /dev/zero >&2\nenv\n",
    )
    team("again", f'{good}\nbuild = "./make"', make="#!/bin/sh\necho 'run = 1' > bot.toml\n")
    took = take("--only", "hello-time", "--build", "15", "--jobs", "2")
    assert took.code == 1, took.err
    causes = {name: one["cause"] for name, one in took.teams.items()}
    assert causes == {
        "pipe": "config",
        "linked": "links",
        "leads-out": "links",
        "venv": None,
        "loop": None,
        "\\x1b[2J<b>": "config",
        "same": "name",
        "other": "name",
        "forks": None,
        "hangs": "build",
        "loud": None,
        "again": "config",
    }
    everything = took.out + took.err + "".join(path.read_text() for path in took.reports.iterdir())
    assert "\x1b" not in everything and "the secret" not in everything and "s3cret" not in everything
    assert "was not done after 15 s" in took.report("hangs")
    assert "it left 1 processes running" in took.report("forks")
    assert "bytes more ...)" in took.report("loud") and (took.reports / "loud.md").stat().st_size < 200_000
    assert "Twin" in took.report("same") and "other" not in took.report("same").replace("another", "")
    assert (took.reports / "__2J_b_.md").is_file()
    _none_sleeps()


def test_a_name_stays_with_the_folder_that_is_called_so(
    first: Path, take: Take, team: Callable[..., Path]
) -> None:
    good = f'run = "{first}"'
    team("alpha", good)
    team("mallory", f'{good}\nname = "alpha"')
    team("Gamma", good)
    team("gamma", f'{good}\nname = "GAMMA"')
    took = take("--only", "hello-time", "--jobs", "2")
    refused = {name: one["text"] for name, one in took.teams.items() if not one["entered"]}
    assert refused == {
        "mallory": "the name alpha is that of another team's folder",
        "gamma": "the name GAMMA is that of another team's folder",
    }
    assert [line for line in took.out.splitlines() if line.startswith("refused")] == [
        "refused  GAMMA (folder gamma)    name: the name GAMMA is that of another team's folder",
        "refused  alpha (folder mallory)  name: the name alpha is that of another team's folder",
    ]


def test_nothing_tells_a_team_where_the_organizers_keep_it_and_nobody_is_told_twice(
    take: Take, team: Callable[..., Path], tmp_path: Path
) -> None:
    team("bad", 'runs = "./bot"\nversion = 1')
    team("gone", 'run = "./bot"')
    team("script", 'run = "bot.py"').joinpath("bot.py").write_text("import nothing_of_that_name\n")
    team("built", 'run = "./bot"\nbuild = "./make"', make="#!/bin/sh\necho made in $PWD/obj, $PWD\nexit 1\n")
    (team("deep", 'run = "./bot"\ncwd = "bin"') / "bin").mkdir()
    took = take("--only", "hello-time", "--hello", "1", "--jobs", "2")
    for name in took.teams:
        assert str(tmp_path) not in took.report(name) and sys.executable not in took.report(name), name
    said = "bot.toml:1: runs: unknown; did you mean run? | bot.toml:1: run: missing; it says how the bot is started"
    assert f"What is wrong: {said} | bot.toml:2: version: must be a text" in took.report("bad")
    assert "donuts check -- bot.py\n" in took.report("script")
    assert "made in obj, .\n" in took.report("built")
    assert "in bin:\n\n    donuts check -- ./bot\n" in took.report("deep")
    assert took.out.count("bot.toml:1: run: missing") == 1 and took.out.count("./make: ") == 1
    assert took.out.count("\n") == 2 * len(took.teams) + len(("", "0 entered, 5 refused", "reports: kept"))


def test_what_takes_long_is_told_with_what_it_is_at(team: Callable[..., Path]) -> None:
    """A build that ends when it is told to: the examination has nothing else to say until then."""
    folder = team("slow", 'run = "./bot"\nbuild = "./make"', make="#!/bin/sh\nread line < go\nexit 1\n")
    os.mkfifo(folder / "go")
    task = Task(folder=str(folder), checks=("hello-time",), hello=1000, seconds=60)
    coming = examinations([task], 1, slow=0.01)
    told = next(coming)
    while isinstance(told, Slow) and told.at != "its build":  # at first its bot.toml is read
        told = next(coming)
    assert isinstance(told, Slow) and told.folder == str(folder)
    (folder / "go").write_text("\n")
    rest = [one for one in coming if isinstance(one, Examined)]
    assert [one.cause and one.cause.why for one in rest] == ["build"]


def _none_sleeps() -> None:
    """Nothing sleeps any more; what was sent SIGKILL may take a moment to end."""
    for pid in [pid for pid in processes() if LONG.encode() in _words(pid)]:
        with suppress(ProcessLookupError):
            held = os.pidfd_open(pid)
            try:
                assert select.select([held], [], [], 60)[0], f"process {pid} was left"
            finally:
                os.close(held)


def _words(pid: int) -> list[bytes]:
    """Whole words, since our number may be the beginning of another's."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


def test_a_build_that_kills_who_examines_it_costs_itself_alone(
    first: Path, take: Take, team: Callable[..., Path]
) -> None:
    team("a", f'run = "{first}"\nbuild = "./make"', make=f"#!/bin/sh\nkill -9 $PPID\nexec sleep {LONG}\n")
    team("b", f'run = "{first}"')
    team("c", f'run = "{first}"')
    took = take("--only", "hello-time", "--jobs", "1")
    assert took.code == 4, took.err
    assert {name: one["cause"] for name, one in took.teams.items()} == {"a": "referee", "b": None, "c": None}
    assert "the process that examined it ended (-9)" in took.report("a")
    _none_sleeps()


def test_json_is_the_summary(first: Path, take: Take, team: Callable[..., Path]) -> None:
    team("a", f'run = "{first}"\nbuild = "true"')
    took = take("--json", "--only", FEW)
    assert took.code == 0, took.err
    assert json.loads(took.out) == json.loads((took.reports / "summary.json").read_text())
    assert took.teams["a"]["entered"] and took.err.startswith("1/1 a: fine (")
    assert "    $ true" in took.report("a")


def test_quick_makes_the_checks_that_lose_games(first: Path, take: Take, team: Callable[..., Path]) -> None:
    """Some of them are of time, in which the quickest bot fails on a machine that is busy enough."""
    team("a", f'run = "{first}"')
    took = take("--quick")
    assert re.findall(r"^    (?:ok|FAILED) +(\S+)", took.report("a"), re.MULTILINE) == list(QUICK)
    assert took.code == (0 if took.teams["a"]["entered"] else 1), took.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--only", "helo-time"), "--only: there is no check 'helo-time'"),
        (("--only", ","), "--only names no check"),
        (("--only", "1", "--full"), "not allowed with"),
        (("--jobs", "0"), "--jobs"),
        ((), "teams is no folder; name the folder that holds the teams' folders"),
    ],
)
def test_usage_is_one_line_and_exit_2(take: Take, words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    if words:
        (tmp_path / "teams" / "a").mkdir(parents=True)
    took = take(*words)
    assert (took.code, took.err.count("\n")) == (2, 1)
    assert says in took.err


@pytest.mark.parametrize(("word", "above"), [("teams/alpha", "teams"), (".", "PARENT"), ("../alpha", "..")])
def test_a_team_s_own_folder_is_not_taken_for_that_of_all_teams(
    word: str,
    above: str,
    team: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = team("alpha", 'run = "./bot"')
    (folder / "src").mkdir()
    monkeypatch.chdir(tmp_path if word == "teams/alpha" else folder)
    assert main(["intake", word, "--out", str(tmp_path / "kept")]) == 2
    above = str(folder.parent) if above == "PARENT" else above
    assert capsys.readouterr() == (
        "",
        f"donuts: {word} is itself a team's folder, it holds a bot.toml; name the folder above it, {above}\n",
    )
    assert not (tmp_path / "kept").exists()


def test_ctrl_c_ends_all_that_was_started(team: Callable[..., Path], tmp_path: Path) -> None:
    import signal

    ready = tmp_path / "ready"
    os.mkfifo(ready)
    team(
        "a",
        'run = "x"\nbuild = "./make"',
        make=f"#!/bin/sh\nsetsid sleep {LONG} &\necho > {ready}\nsleep {LONG}\n",
    )
    with subprocess.Popen(
        [sys.executable, "-m", "donuts_referee", "intake", "teams"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as command:
        ready.read_text()
        os.killpg(command.pid, signal.SIGINT)
        command.communicate(timeout=60)
    assert command.returncode == 130
    _none_sleeps()


def test_a_build_finds_what_compilers_are_told_of_and_no_secret(
    team: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUSTUP_HOME", "/opt/rustup")
    monkeypatch.setenv("GOPATH", "/opt/go")
    monkeypatch.setenv("HOST_SECRET", "s3cret")
    text = 'run = "./build"\nbuild = "./build"\nenv = { GOPATH = "/my/own" }\n'
    folder = team("alpha", text, build="#!/bin/sh\necho $RUSTUP_HOME $GOPATH $HOST_SECRET.\n")
    (step,) = building.build(read_bot(folder), 30)
    assert step.ok and step.output == ("/opt/rustup /my/own .",)
