"""What was frozen is what is run: every change is told with the team and the file, and nothing else is."""

import json
import os
import sys
from pathlib import Path

import pytest

from donuts_referee.competition.config import read_event
from donuts_referee.teams import freeze as freezing
from donuts_referee.teams.bot_toml import TeamFault
from donuts_referee.teams.freeze import check_frozen, freeze


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event of two teams and a program that is named by its command."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(freezing, "VERSION_TIME", 120)  # an interpreter has to start first
    for name in ("alpha", "beta"):
        folder = Path("teams", name)
        (folder / "src").mkdir(parents=True)
        (folder / "bot.toml").write_text('run = "./main.sh --fast"')
        (folder / "main.sh").write_text("#!/bin/sh\nexec true\n")
        (folder / "main.sh").chmod(0o755)
        (folder / "src" / "a\nb.txt").write_text("1")
        (folder / "link").symlink_to("src")
    Path("gamma.py").write_text("import sys\n")
    Path("event.toml").write_text('bots = ["teams/*", "gamma.py"]')


def frozen() -> Path:
    event = read_event(Path("event.toml"))
    freeze(event.bots, event.file.parent)
    return Path("freeze.json")


def changed() -> list[str]:
    faults = check_frozen(read_event(Path("event.toml")))
    if faults:
        assert "run `donuts freeze event.toml`; a bot that writes" in faults[-1]
    assert all(line.isprintable() for line in faults)
    return list(faults[:-1])


def test_an_event_that_was_never_frozen_runs() -> None:
    assert check_frozen(read_event(Path("event.toml"))) == ()


def test_what_did_not_change_runs(tmp_path: Path) -> None:
    path = frozen()
    assert path.stat().st_mode & 0o777 == 0o600
    assert changed() == []
    kept = json.loads(path.read_text())
    alpha, gamma = kept["bots"][0], kept["bots"][2]
    assert (alpha["folder"], [file["path"] for file in alpha["files"]]) == (
        "teams/alpha",
        ["bot.toml", "link", "main.sh", "src/a\\x0ab.txt"],
    )
    assert alpha["files"][1]["link"] == "src" and alpha["files"][2]["mode"] == "0755"
    assert [tool["path"] for tool in alpha["tools"]] == ["/bin/sh"]
    assert [tool["path"] for tool in gamma["tools"]] == [sys.executable, f"{tmp_path}/gamma.py"]
    assert gamma["tools"][0]["version"].startswith("Python 3.") and gamma["tools"][1]["version"] == ""


def test_each_change_names_the_team_and_the_file(tmp_path: Path) -> None:
    frozen()
    alpha, beta = Path("teams/alpha"), Path("teams/beta")
    (alpha / "main.sh").write_text("#!/bin/sh\nexec false\n")
    (alpha / "link").unlink()
    (alpha / "link").symlink_to("main.sh")
    (alpha / "src" / "a\nb.txt").unlink()
    (alpha / "log").touch()
    os.mkfifo(alpha / "pipe")
    (beta / "main.sh").chmod(0o700)
    Path("gamma.py").write_text("import os\n")
    assert changed() == [
        "alpha: teams/alpha/link: changed",
        "alpha: teams/alpha/log: added",
        "alpha: teams/alpha/main.sh: changed",
        "alpha: teams/alpha/pipe: added",
        "alpha: teams/alpha/src/a\\x0ab.txt: missing",
        "beta: teams/beta/main.sh: mode 0755 became 0700",
        f"gamma: {tmp_path}/gamma.py: changed",
    ]
    Path("event.toml").write_text('bots = ["teams/*", "gamma.py"]\nwithdrawn = ["alpha", "gamma"]')
    assert [line.split(": ")[0] for line in changed()] == ["beta"]


def test_bots_may_write_where_it_is_said() -> None:
    Path("teams/alpha/src/cache").mkdir()
    frozen()
    for folder in ("cache", "tmp", "src/cache", "src/__pycache__"):
        Path("teams/alpha", folder).mkdir(exist_ok=True)
        Path("teams/alpha", folder, "x").touch()
    assert changed() == []


def test_a_program_is_recorded_wherever_it_stands() -> None:
    """A bot that is run from a folder where it may write is no way around."""
    Path("teams/alpha/tmp").mkdir()
    Path("teams/alpha/tmp/run.sh").write_text("#!/bin/sh\n")
    Path("teams/alpha/tmp/run.sh").chmod(0o755)
    Path("teams/alpha/bot.toml").write_text('run = "tmp/run.sh"')
    frozen()
    Path("teams/alpha/tmp/run.sh").write_text("#!/bin/sh\n#\n")
    assert [line.rpartition("/")[2] for line in changed()] == ["run.sh: changed"]


def test_an_interpreter_that_changed_is_told_with_what_it_was(tmp_path: Path) -> None:
    interpreter = tmp_path / "python9"
    interpreter.write_text("#!/bin/sh\necho Python 9.1\n")
    interpreter.chmod(0o755)
    Path("teams/alpha/main.py").write_text("")
    Path("teams/alpha/bot.toml").write_text(f'run = ["{interpreter}", "main.py"]')
    frozen()
    interpreter.write_text("#!/bin/sh\necho Python 9.2\n")
    assert changed() == [f"alpha: {interpreter}: changed (it was Python 9.1)"]
    event = read_event(Path("event.toml"))
    interpreter.unlink()
    assert check_frozen(event)[0] == f"alpha: {interpreter}: missing, or no longer what runs it"


def test_who_came_later_was_not_frozen() -> None:
    frozen()
    Path("teams/beta").rename("teams/delta")
    (line,) = changed()
    assert line.startswith("delta: not in ")
    Path("teams/delta").rename("teams/other")
    Path("teams/other/bot.toml").write_text('name = "beta"\nrun = "./main.sh"')
    assert changed() == ["beta: was frozen in teams/beta and is in teams/other now"]


def test_many_changes_are_counted() -> None:
    frozen()
    for number in range(30):
        Path("teams/alpha", f"{number}.log").touch()
    faults = check_frozen(read_event(Path("event.toml")))
    assert len(faults) == 22 and faults[20] == "and 10 more"


def test_a_list_that_cannot_be_read_is_one_fault() -> None:
    Path("freeze.json").write_text('{"bots": 1}')
    (line,) = check_frozen(read_event(Path("event.toml")))
    assert "freeze.json: not what `donuts freeze` writes" in line
    Path("freeze.json").unlink()
    os.mkfifo("freeze.json")
    (line,) = check_frozen(read_event(Path("event.toml")))
    assert "is a pipe" in line


def test_a_file_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *rest: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "readlink", refuse)
    with pytest.raises(TeamFault, match=r"^alpha: .*teams/alpha/link: permission denied$"):
        frozen()
