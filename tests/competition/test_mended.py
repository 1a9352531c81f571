"""An event file that is edited between two starts or while it runs: what holds is taken over, the rest is told."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from donuts_referee.competition.books import EventBooks
from donuts_referee.competition.config import ConfigFault, read_event
from donuts_referee.competition.description import Description, Listed, describe, started
from donuts_referee.competition.event import Event
from donuts_referee.competition.happenings import Ended, GameEnded, Happening, JobStarted
from donuts_referee.competition.local import LocalWorkers
from donuts_referee.competition.reading import read_event as read_kept
from donuts_referee.competition.roster import RosterWatch, changes, mended
from donuts_referee.competition.runner import Ending, Outcome, Runner
from donuts_referee.competition.standings import report
from donuts_referee.competition.state import Changed, Roster, State
from donuts_referee.records.journal import ROSTER
from donuts_referee.teams.freeze import freeze
from donuts_referee.teams.frozen import FrozenWatch

PLAYING = {"ann": "ann", "bob": "bob", "cyd": "cyd"}


class Looking:
    """Does something at each happening."""

    def __init__(self, act: Callable[[Happening], None]) -> None:
        self._act = act

    def see(self, happening: Happening) -> None:
        self._act(happening)

    def close(self) -> None:
        pass


def written(folder: Path, salted: Path, rest: str = "", top: str = "", **bots: str) -> Path:
    """An event file; a bot is its words behind the program, then its version where it has one."""
    tables = ""
    for name, words in bots.items():
        run, _, version = words.partition(" v")
        tables += f'[[bot]]\nname = "{name}"\nrun = "{salted} {run}"\n'
        tables += f'version = "{version}"\n' if version else ""
    path = folder / "event.toml"
    path.write_text(f'{top}\n{tables}[games]\nsize = 6\ntc = "inf"\n{rest}\n')
    return path


def run(
    path: Path, act: Callable[[Happening], None] = lambda _: None, signals: Callable[[], int] = lambda: 0
) -> tuple[Outcome, list[str]]:
    event, notes = read_event(path), list[str]()
    with EventBooks(event) as books, closing(LocalWorkers(1, books.folder, stagger=0)) as crew:
        frozen = FrozenWatch(path).changed
        return Runner(event, books, crew, Looking(act), notes.append, signals, frozen).run(), notes


def roster_lines(folder: Path) -> list[bytes]:
    lines = (folder / "event-records" / "journal.jsonl").read_bytes().splitlines()
    return [line for line in lines if line.startswith(ROSTER)]


def test_a_bot_that_was_mended_is_noted_in_the_journal_and_shown_by_its_new_version(
    tmp_path: Path, salted: Path
) -> None:
    asked: list[int] = []
    path = written(tmp_path, salted, "[format]\ncycles = 40", ann="ann v1", bob="bob", cyd="cyd")
    begun, notes = run(path, lambda what: asked.append(1) if isinstance(what, GameEnded) else None,
                       lambda: len(asked) > 4)  # fmt: skip
    assert begun.ending is Ending.INTERRUPTED and notes == [] and roster_lines(tmp_path) == []
    written(tmp_path, salted, "[format]\ncycles = 40", ann="ann v2", bob="bob 0", cyd="cyd")
    asked.clear()
    _, notes = run(path, lambda what: asked.append(1) if isinstance(what, GameEnded) else None,
                   lambda: len(asked) > 4)  # fmt: skip
    assert notes == [
        "ann: version 1 became 2; its games so far count on",
        "bob: its command is another, and its version the same (none); its games so far count on",
    ]
    assert len(roster_lines(tmp_path)) == 1
    kept = read_kept(tmp_path / "event-records")
    assert {row.bot: row.version for row in report(kept).rows} == {"ann": "2", "bob": None, "cyd": None}
    outcome, notes = run(path)  # what was noted is not noted again
    assert outcome.ending is Ending.OVER and notes == [] and len(roster_lines(tmp_path)) == 1
    written(tmp_path, salted, "[format]\ncycles = 40", ann="ann v3", bob="bob", cyd="cyd")
    assert run(path)[1] == []  # nothing is played any more
    assert len(roster_lines(tmp_path)) == 1


def test_frozen_files_that_change_while_it_runs_end_it(tmp_path: Path, salted: Path) -> None:
    team = tmp_path / "teams" / "ann"
    team.mkdir(parents=True)
    (team / "bot.toml").write_text(f'run = ["{salted}", "ann"]')
    path = written(tmp_path, salted, "[format]\ncycles = 500", 'bots = "teams/ann"', bob="bob")
    freeze(read_event(path).bots, tmp_path)
    seen: list[Happening] = []

    def change(what: Happening) -> None:
        seen.append(what)
        if isinstance(what, GameEnded):
            (team / "weights").write_text("")

    outcome, _ = run(path, change)
    assert outcome.ending is Ending.STOPPED
    assert (
        outcome.text.startswith("ann: teams/ann/weights: added")
        and "donuts freeze event.toml" in outcome.text
    )
    assert isinstance(seen[-1], Ended) and (seen[-1].reason, seen[-1].text) == ("stopped", outcome.text)
    changed = next(at for at, what in enumerate(seen) if isinstance(what, GameEnded))
    assert not [what for what in seen[changed:] if isinstance(what, JobStarted)]
    assert read_kept(tmp_path / "event-records").games < 1000


class Edited:
    """An event that is under way, and what is noted when its file is edited."""

    def __init__(self, folder: Path, salted: Path) -> None:
        self.folder, self.salted = folder, salted
        self.path = written(folder, salted, **PLAYING)
        event = read_event(self.path)
        self.state = State(tuple(bot.name for bot in event.bots), replays=3, limit=None)
        self.notes: list[str] = []
        self.watch = RosterWatch(event, describe(event, "an-event"), self.state, self.notes.append)

    def edit(self, rest: str = "", top: str = "", **bots: str) -> Event | None:
        before = self.path.stat().st_mtime_ns
        written(self.folder, self.salted, rest, top, **(bots or PLAYING))
        os.utime(self.path, ns=(before + 1, before + 1))
        self.notes.clear()
        return self.watch.look()


@pytest.fixture
def edited(tmp_path: Path, salted: Path) -> Edited:
    return Edited(tmp_path, salted)


@pytest.mark.parametrize(
    ("rest", "top", "told"),
    [
        ("rings = 9", "", ["rings was 15 and is 9: that cannot change now, and the next start is refused until"]),
        ("[faults]\nreplays = 0\n[openings]\nplies = 2", "", ["the openings are others", "replays was 3 and is 0"]),
        ("[running]\nworkers = 7", "", ["what is new in records, [running] or [hooks] holds from the next start on"]),
        ("", 'records = "there"', ["what is new in records, [running] or [hooks] holds from the next start on"]),
        ("reveal = false", "", ["what is new in prep, hello or reveal holds from the next start on"]),
        ("hello = 7", "", ["what is new in prep, hello or reveal holds from the next start on"]),
        ("# nothing", "", []),
    ],
)  # fmt: skip
def test_what_cannot_change_while_it_runs_is_told_a_line_each(
    edited: Edited, rest: str, top: str, told: list[str]
) -> None:
    assert edited.edit(rest, top) is not None
    assert [
        note[: len("event.toml: ") + len(right)] for note, right in zip(edited.notes, told, strict=True)
    ] == [f"event.toml: {right}" for right in told]
    assert all(note.isprintable() for note in edited.notes)
    assert edited.edit(rest, f"{top}\n#") is not None and edited.notes == []  # once


def test_a_bot_that_is_other_or_back_is_told(edited: Edited) -> None:
    edited.edit(ann="ann 0", bob="bob v2", cyd="cyd")
    assert edited.notes == [
        "event.toml: the new command or version of ann holds from the next start on",
        "event.toml: the new command or version of bob holds from the next start on",
    ]
    edited.edit()
    assert edited.notes == []
    edited.state.change(Roster(1, withdrawn=("cyd",)))
    edited.edit(ann="ann 0", bob="bob", cyd="cyd")
    assert edited.notes == [
        "event.toml: the new command or version of ann holds from the next start on",
        "event.toml: cyd is withdrawn and stays so; give it a new name to let it play again",
    ]
    edited.edit(top='withdrawn = ["cyd"]')
    assert edited.notes == []


def test_who_is_new_and_not_frozen_does_not_join(edited: Edited) -> None:
    freeze(read_event(edited.path).bots, edited.folder)
    event = edited.edit(**PLAYING, dee="dee v7")
    assert event is not None and [bot.name for bot in event.bots] == [*PLAYING]
    assert edited.notes == [
        "freeze.json was written anew: what it holds is what may be played from now on",
        "dee is not in freeze.json and does not join; `donuts freeze event.toml` lets it in",
    ]
    freeze(read_event(edited.path).bots, edited.folder)
    edited.notes.clear()
    event = edited.watch.look()
    assert event is not None and [bot.name for bot in event.bots] == [*PLAYING, "dee"]
    assert len(edited.notes) == 1
    (joined,) = changes(event, edited.state, 4, lambda _: 0)
    dee = Changed("dee", "7", started(event.bots[3], edited.folder))
    assert joined == Roster(5, added=("dee",), changed=(dee,))


def test_a_bot_may_leave_the_file_of_an_event_that_needs_more_of_them(tmp_path: Path, salted: Path) -> None:
    """How many there must be is asked of a beginning; who is not there any more is withdrawn."""
    swiss = '[format]\nkind = "swiss"\nrounds = 2'
    path = written(tmp_path, salted, swiss, **PLAYING)
    assert run(path)[0].ending is Ending.OVER
    for there in (("ann", "bob"), ("bob",)):
        written(tmp_path, salted, swiss, **{name: PLAYING[name] for name in there})
        assert run(path)[0].ending is Ending.OVER
        assert set(read_kept(tmp_path / "event-records").state.withdrawn()) == set(PLAYING) - set(there)
    with pytest.raises(ConfigFault, match="1 of them; an event takes at least 2"):
        read_event(written(tmp_path, salted, swiss + "\n", 'records = "elsewhere"', bob=PLAYING["bob"]))


def test_an_event_that_began_before_commands_were_kept_tells_of_versions_alone(edited: Edited) -> None:
    event = read_event(written(edited.folder, edited.salted, ann="ann 0 v2", bob="bob 0", cyd="cyd"))
    known = describe(event, "x")
    old = msgspec.structs.replace(known, bots=(Listed("ann", "1"), Listed("bob"), Listed("cyd")))
    old = msgspec.json.decode(msgspec.json.encode(old), type=Description)
    roster, told = mended(event, old, edited.state)
    assert roster is not None and [bot.name for bot in roster.changed] == ["ann"]
    assert told == ("ann: version 1 became 2; its games so far count on",)
    assert mended(event, known, edited.state) == (None, ())


def test_an_event_may_be_moved_without_its_bots_being_others(tmp_path: Path) -> None:
    found = set()
    for name in ("here", "there"):
        team = tmp_path / name / "teams" / "ann"
        team.mkdir(parents=True)
        (team / "bot.py").touch()
        (team / "bot.toml").write_text('run = "bot.py -x"')
        (tmp_path / name / "bob").write_text("#!/bin/sh\n")
        (tmp_path / name / "bob").chmod(0o755)
        path = tmp_path / name / "event.toml"
        path.write_text('bots = ["teams/*", "./bob"]')
        event = read_event(path)
        found.add(tuple(started(bot, path.parent) for bot in event.bots))
    assert len(found) == 1
