"""bot.toml: what each key means, that all faults come at once, and that no folder can make the reader wait or err."""

import os
import sys
from pathlib import Path

import pytest

from donuts_referee.channels.limits import Limits
from donuts_referee.teams.bot import Bot
from donuts_referee.teams.bot_toml import TeamFault, read_bot, team_folders


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("alpha").mkdir()


def read(text: str) -> Bot:
    Path("alpha/bot.toml").write_text(text)
    return read_bot(Path("alpha"))


def fault(text: str) -> str:
    with pytest.raises(TeamFault) as caught:
        read(text)
    said = str(caught.value)
    assert said.isprintable() and said.startswith("alpha/bot.toml:")
    return said


def test_a_command_is_all_that_is_needed(tmp_path: Path) -> None:
    bot = read('run = "./bot -x"')
    assert (bot.name, bot.version, bot.folder, bot.build) == ("alpha", None, tmp_path / "alpha", ())
    assert bot.program == (((f"{tmp_path}/alpha/bot"), "-x"), f"{tmp_path}/alpha", (), Limits())


def test_every_key_is_read(tmp_path: Path) -> None:
    Path("alpha/bin").mkdir()
    bot = read(
        'name = "b"\nversion = "7"\nbuild = ["make -j2", ["cp", "a b"]]\nrun = "go.py"\ncwd = "bin"\nenv.A = "1"\n'
        "[limits]\nmemory = 512\nprocesses = 4\nfiles = 32\nfile_size = 1\n"
    )
    assert (bot.name, bot.version) == ("b", "7")
    assert bot.build == (("make", "-j2"), ("cp", "a b"))
    assert bot.program.argv == (sys.executable, f"{tmp_path}/alpha/bin/go.py")
    assert (bot.program.cwd, bot.program.env) == (f"{tmp_path}/alpha/bin", (("A", "1"),))
    assert bot.program.limits == Limits(512, 4, 32, 1)
    assert read('build = "make all"\nrun = "x"').build == (("make", "all"),)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("", "1: run: missing; it says how the bot is started"),
        ('run = ""', "1: run: empty"),
        ("run = 1", "1: run: must be a command line or a list of strings"),
        ('run = "x"\nname = "a b"', "2: name: 'a b': a name is 1 to 40 letters"),
        ('run = "x"\nversion = ""', "2: version: must be a text"),
        ('run = "x"\nbuild = 1', '2: build: must be a command line or a list of strings; write "make" or'),
        ('run = "x"\nbuild = ["make", ""]', "2: build: command 2 empty"),
        ('run = "x"\ncwd = "bin"', "2: cwd: there is no folder"),
        ('run = "x"\ncwd = ".."', "2: cwd: leads out of the folder"),
        ('run = "x"\ncwd = "/tmp"', "2: cwd: leads out of the folder"),
        ('run = "x"\nenv = 1', "2: env: must be a table of strings"),
        ('run = "x"\n[limits]\nfiles = true', "3: limits.files: must be a whole number from 1 to"),
        ('run = "x"\nruns = "y"', "2: runs: unknown; did you mean run?"),
        ("[run", "not TOML"),
    ],
)
def test_a_fault_names_the_line_and_the_key(text: str, right: str) -> None:
    said = fault(text)
    assert right in said and " | " not in said


def test_all_faults_come_at_once() -> None:
    assert fault('runs = "x"\n[limits]\nmemory = 0\n').count(" | ") == 2


def test_a_link_that_leads_out_is_no_folder_of_the_team(tmp_path: Path) -> None:
    Path("alpha/out").symlink_to(tmp_path)
    assert "leads out of the folder" in fault('run = "x"\ncwd = "out"')


def test_a_folder_whose_name_is_none_must_say_one() -> None:
    Path("a \x1b[2J").mkdir()
    Path("a \x1b[2J/bot.toml").write_text('run = "x"')
    with pytest.raises(TeamFault, match=r"'a \\x1b\[2J': a name is .*: say name = "):
        read_bot(Path("a \x1b[2J"))


def test_a_file_that_is_none_is_refused_and_not_waited_for() -> None:
    os.mkfifo("alpha/bot.toml")
    with pytest.raises(TeamFault, match="is a pipe"):
        read_bot(Path("alpha"))
    Path("alpha/bot.toml").unlink()
    Path("secret").write_text("a secret")
    Path("alpha/bot.toml").symlink_to("../secret")
    with pytest.raises(TeamFault, match="is a link; put the file itself there"):
        read_bot(Path("alpha"))


def test_folders_are_found_by_name() -> None:
    for name in ("b", ".hidden", "a"):
        Path("teams", name).mkdir(parents=True)
    Path("teams/file").touch()
    assert team_folders("teams/*", Path.cwd()) == (Path.cwd() / "teams/a", Path.cwd() / "teams/b")
