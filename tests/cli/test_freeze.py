"""`donuts freeze`, and a tournament that refuses to run what changed."""

from pathlib import Path

import pytest

from cli.conftest import Donuts

BOTS = """\
bots = ["donuts:greedy", "donuts:random", "teams/*"]
"""


@pytest.fixture
def teams(tmp_path: Path) -> Path:
    folder = tmp_path / "teams" / "alpha"
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text('run = "bot.py"')
    (folder / "bot.py").write_text("")
    (tmp_path / "event.toml").write_text(BOTS)
    return folder


def test_what_was_frozen_and_changed_is_not_played(donuts: Donuts, teams: Path, tmp_path: Path) -> None:
    frozen = donuts("freeze", "event.toml")
    assert frozen.code == 0, frozen.err
    lines = frozen.out.splitlines()
    assert lines[2].startswith("alpha: 2 files; run by Python 3.") and lines[3].endswith("freeze.json")
    assert donuts("freeze", "--check", ".") == (0, "nothing has changed\n", "")
    (teams / "bot.py").write_text("#")
    checked = donuts("freeze", "--check", "event.toml")
    assert (checked.code, checked.out.splitlines()[0]) == (1, "alpha: teams/alpha/bot.py: changed")
    refused = donuts("tournament", "event.toml")
    assert refused.code == 2
    first, remedy = refused.err.splitlines()
    assert (
        first == "donuts: alpha: teams/alpha/bot.py: changed" and "run `donuts freeze event.toml`" in remedy
    )
    assert not (tmp_path / "event-records").exists()


def test_what_is_frozen_again_says_what_changed_since(donuts: Donuts, teams: Path, tmp_path: Path) -> None:
    assert "frozen last" not in donuts("freeze", "event.toml").out
    assert "nothing has changed since it was frozen last\n" in donuts("freeze", ".").out
    (teams / "bot.py").write_text("#")
    (tmp_path / "event.toml").write_text('bots = ["donuts:greedy", "teams/*"]')
    lines = donuts("freeze", "event.toml").out.splitlines()
    assert lines[lines.index("since it was frozen last:") + 1 : -1] == [
        "  alpha: teams/alpha/bot.py: changed",
        "  random: takes no part any more",
    ]
    assert donuts("freeze", "--check", ".").code == 0
    (tmp_path / "freeze.json").write_text("{}")
    again = donuts("freeze", "event.toml")
    assert again.code == 0 and again.err.count("\n") == 1 and "not what `donuts freeze` writes" in again.err


def test_a_folder_of_teams_is_frozen_beside_it(donuts: Donuts, teams: Path, tmp_path: Path) -> None:
    assert donuts("freeze", "teams").code == 0
    assert (tmp_path / "freeze.json").is_file() and not (tmp_path / "teams" / "freeze.json").exists()
    (teams / "new").touch()
    assert "alpha: teams/alpha/new: added" in donuts("freeze", "--check", "teams").out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("none.toml",), "none.toml: no such file"),
        (("--check", "event.toml"), "run `donuts freeze` without --check first"),
        (("teams/alpha",), "holds no event.toml and no teams' folders"),
    ],
)
def test_usage_is_one_line_and_exit_2(donuts: Donuts, teams: Path, words: tuple[str, ...], says: str) -> None:
    ran = donuts("freeze", *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert says in ran.err
