"""A bot that changes files of its own folder is entered, and told of: a frozen event would end at it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from donuts_referee.competition.config import read_event
from donuts_referee.intake.examination import Examined, _changes, _held
from donuts_referee.intake.report import report
from donuts_referee.teams.bot_toml import TeamFault, read_bot
from donuts_referee.teams.freeze import freeze

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders of POSIX programs")

MINIMAL = (Path(__file__).parents[2] / "clients" / "python" / "minimal.py").read_text("utf-8")


def intake(folder: Path) -> subprocess.CompletedProcess[str]:
    """What `donuts intake teams` says there, with one check; it enters every team."""
    done = subprocess.run(
        [sys.executable, "-m", "donuts_referee", "intake", "teams", "--out", "kept", "--only", "hello-time"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_what_a_bot_writes_beside_itself_is_told_and_what_it_may_write_is_not(tmp_path: Path) -> None:
    notes = {"diary": "'diary'", "quiet": "'cache/diary'", "still": "'/dev/null'"}
    for name, place in notes.items():
        folder = tmp_path / "teams" / name
        (folder / "cache").mkdir(parents=True)
        (folder / "bot.py").write_text(f"open({place}, 'a').write('up ')\n{MINIMAL}")
        (folder / "bot.toml").write_text('run = "bot.py"\nbuild = "touch built"\n')
    done = intake(tmp_path)
    told = [line for line in done.stdout.splitlines() if "writes into its folder" in line]
    assert [line.split()[:2] for line in told] == [["entered", "diary"]]
    teams = json.loads((tmp_path / "kept" / "summary.json").read_text())["teams"]
    assert {team["name"]: team["writes"] for team in teams} == {"diary": True, "quiet": False, "still": False}
    text = (tmp_path / "kept" / "diary.md").read_text()
    assert "## It writes into its folder" in text and "\n    diary: added\n" in text
    assert str(tmp_path) not in text
    assert "into its folder" not in (tmp_path / "kept" / "quiet.md").read_text()


def test_folders_that_are_too_deep_are_told_of_and_break_nothing(tmp_path: Path) -> None:
    team = tmp_path / "teams" / "deep"
    team.mkdir(parents=True)
    dig = (
        "import os\nfor _ in range(40):\n    os.makedirs('d' * 200, exist_ok=True)\n    os.chdir('d' * 200)\n"
    )
    (team / "bot.py").write_text(dig + MINIMAL)
    (team / "bot.toml").write_text('run = "bot.py"\n')
    for _ in range(2):  # the second time they are there from the beginning
        done = intake(tmp_path)
        assert "Traceback" not in done.stderr
        assert "file name too long" in (tmp_path / "kept" / "deep.md").read_text()
    event = tmp_path / "event.toml"
    event.write_text('bots = ["teams/*", "donuts:random"]\n')
    with pytest.raises(TeamFault, match="file name too long"):
        freeze(read_event(event).bots, tmp_path)


def test_what_cannot_be_frozen_is_told_and_no_reason_to_refuse_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(MINIMAL)
    (tmp_path / "bot.toml").write_text('name = "ann"\nrun = "bot.py"\n')
    monkeypatch.setattr("donuts_referee.teams.freeze.MOST_FILES", 1)
    bot = read_bot(tmp_path)
    (line,) = _changes(bot, _held(bot))
    assert line.startswith("ann: ") and "more than 1 files" in line


def test_what_it_wrote_is_in_the_report_of_an_entered_bot_alone() -> None:
    wrote = ("a.db: changed",)
    assert "    a.db: changed\n" in report(Examined(folder="teams/a", wrote=wrote))
    assert "into its folder" not in report(Examined(folder="teams/a"))
