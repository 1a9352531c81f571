"""A look at what is frozen before each game: nothing that was touched is missed, nothing untouched is read again."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from donuts_referee.competition.config import read_event
from donuts_referee.teams import frozen
from donuts_referee.teams.bot import Bot
from donuts_referee.teams.freeze import freeze
from donuts_referee.teams.frozen import FrozenWatch

EVENT = Path("event.toml")
ALPHA = Path("teams", "alpha")


@pytest.fixture(autouse=True)
def reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A frozen event of two teams, long untouched; the names of the files that are read from now on."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(frozen, "RECENT", 0)
    for name in ("alpha", "beta"):
        folder = Path("teams", name)
        (folder / "lib").mkdir(parents=True)
        (folder / "bot.toml").write_text('run = "./main.sh"')
        (folder / "main.sh").write_text("#!/bin/sh\nexec true\n")
        (folder / "main.sh").chmod(0o755)
        (folder / "lib" / "rules").write_text("1")
        (folder / "link").symlink_to("lib")
    EVENT.write_text('bots = "teams/*"')
    freeze(bots(), tmp_path)
    read: list[str] = []
    sha256 = frozen.file_sha256

    def noting(path: Path) -> str:
        read.append(path.name)
        return sha256(path)

    monkeypatch.setattr(frozen, "file_sha256", noting)
    return read


def bots() -> tuple[Bot, ...]:
    return read_event(EVENT).bots


def watch() -> FrozenWatch:
    return FrozenWatch(EVENT.absolute())


def test_what_is_not_touched_is_read_once(reads: list[str]) -> None:
    both, looking = bots(), watch()
    assert looking.changed(both[:1]) is None
    assert sorted(reads) == sorted(["bot.toml", "main.sh", "rules", Path("/bin/sh").resolve().name])
    reads.clear()
    tick()
    assert looking.changed(both[:1]) is None and reads == []
    (ALPHA / "cache").mkdir()
    (ALPHA / "cache" / "table").write_text("x")
    assert looking.changed(both[:1]) is None and reads == []  # the folder is another, and no file in it
    os.utime(ALPHA / "lib" / "rules")
    assert looking.changed(both[:1]) is None and reads == ["rules"]
    assert looking.changed(both) is None and reads.count("main.sh") == 1


def tick() -> None:
    """Return when the file system has another time than at the call, so that what is touched later shows."""
    mark = Path("mark")
    mark.touch()
    before = mark.stat().st_ctime_ns
    while mark.stat().st_ctime_ns == before:
        mark.touch()


def same_size_and_time(path: Path) -> None:
    """As whoever wants it not to be noticed would do it."""
    before = path.stat()
    path.write_text("2")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize(
    ("touch", "told"),
    [
        (lambda: (ALPHA / "main.sh").write_text("#!/bin/sh\n"), "alpha: teams/alpha/main.sh: changed"),
        (lambda: same_size_and_time(ALPHA / "lib" / "rules"), "alpha: teams/alpha/lib/rules: changed"),
        (lambda: (ALPHA / "lib" / "rules").unlink(), "alpha: teams/alpha/lib/rules: missing"),
        (lambda: (ALPHA / "lib" / "more").touch(), "alpha: teams/alpha/lib/more: added"),
        (lambda: (ALPHA / "main.sh").chmod(0o700), "alpha: teams/alpha/main.sh: mode 0755 became 0700"),
        (lambda: ((ALPHA / "link").unlink(), (ALPHA / "link").symlink_to("x")), "alpha: teams/alpha/link: changed"),
        (lambda: shutil.rmtree(ALPHA / "lib"), "alpha: teams/alpha/lib/rules: missing"),
        (lambda: Path("freeze.json").write_text("{}"), "freeze.json: not what `donuts freeze` writes"),
    ],
    ids=["written", "secretly", "removed", "added", "mode", "link", "folder", "list"],
)  # fmt: skip
def test_what_is_touched_is_told_with_team_and_file(touch: Callable[[], object], told: str) -> None:
    both, looking = bots(), watch()
    assert looking.changed(both) is None
    tick()
    touch()
    said = looking.changed(both)
    assert said is not None and told in said and said.isprintable()
    if "not what" not in said:
        assert (
            "put back what was frozen, or, if this is right, run `donuts freeze event.toml`; a bot that"
            in said
        )
        assert looking.changed(both[1:]) is None
        assert looking.changed(both) == said


def test_an_interpreter_elsewhere_is_looked_at_through_links(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(f"#!/bin/sh\n# {name}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "python9").symlink_to("one")
    (ALPHA / "bot.toml").write_text(f'run = ["{tmp_path}/python9", "main.sh"]')
    both, looking = bots(), watch()
    freeze(both, tmp_path)
    assert looking.changed(both) is None
    tick()
    (tmp_path / "python9").unlink()
    (tmp_path / "python9").symlink_to("two")
    assert f"alpha: {tmp_path}/python9: changed" in str(looking.changed(both))


def test_what_is_frozen_anew_counts_and_a_list_that_is_gone_does_too(tmp_path: Path) -> None:
    both, looking = bots(), watch()
    (ALPHA / "main.sh").write_text("#!/bin/sh\n")
    assert looking.changed(both) is not None
    freeze(both, tmp_path)
    assert looking.changed(both) is None
    Path("freeze.json").unlink()
    tick()
    (ALPHA / "main.sh").write_text("#!/bin/sh\n#\n")
    assert "main.sh: changed" in str(looking.changed(both))
    assert watch().changed(both) is None  # an event that is not frozen


def test_who_is_not_in_the_list_is_told(tmp_path: Path) -> None:
    freeze(bots()[:1], tmp_path)
    assert str(watch().changed(bots())).startswith(f"beta: not in {tmp_path}/freeze.json; ")


def test_a_file_that_changed_just_now_may_change_again_in_the_same_tick(
    reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frozen, "RECENT", 1 << 62)
    both, looking = bots(), watch()
    for _ in range(2):
        assert looking.changed(both[:1]) is None
    assert reads.count("main.sh") == 2
