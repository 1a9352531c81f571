"""What an audit says of an event: that it holds, or the first line that does not, however it came not to."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from competition.kept_event import EVENT, described, simulate
from donuts_referee.competition.audit import jury
from donuts_referee.competition.audit.auditing import audit
from donuts_referee.competition.audit.finding import Audit
from donuts_referee.competition.chain import Seal, link, root, split, write_seal
from donuts_referee.competition.description import FILE
from donuts_referee.competition.event import Knockout, RoundRobin, Swiss
from donuts_referee.competition.state import Roster
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import ReadFault
from donuts_referee.records.record import Record, decode, encode
from records.played import Ending

ENDINGS = {
    3: Ending("crash", 5),
    5: Ending("timeout", 4),
    7: Ending("illegal", 6, "i9"),
    8: Ending("resign", 7),
}
BOTS = ("alpha", "beta", "gamma")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event of 12 games, with endings of many kinds."""
    return simulate(tmp_path_factory.mktemp("sound"), described(BOTS, RoundRobin(cycles=2)), ENDINGS)


@pytest.fixture
def event(sound: Path, tmp_path: Path) -> Path:
    """A copy of it to be changed."""
    for path in sound.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def test_one_encounter_is_settled_and_several_are(tmp_path):
    for bots, says in ((BOTS[:2], "1 encounter is settled"), (BOTS, "3 encounters are settled")):
        found = check(simulate(tmp_path / str(len(bots)), described(bots)))
        assert f"the schedule is that of the event; {says}" in found.checked


def lines_of(folder: Path) -> list[bytes]:
    return (folder / JOURNAL).read_bytes().splitlines(keepends=True)


def check(folder: Path) -> Audit:
    return audit(folder, workers=0)


@pytest.mark.parametrize("format", [RoundRobin(), Swiss(), Knockout()], ids=lambda one: type(one).__name__)
def test_an_event_holds(format, tmp_path):
    folder = simulate(tmp_path, described((*BOTS, "delta", "epsilon"), format), {4: Ending("abort", 3)})
    found = check(folder)
    assert (found.holds, found.fault) == (True, None)
    assert found.games == len(lines_of(folder)) > 4
    assert found.voids == 1
    assert found.event == EVENT
    assert found.chain is not None and lines_of(folder)[-1].endswith(found.chain.encode() + b'"}\n')
    assert found.unchecked == ()


def test_bots_that_came_and_went_are_followed(tmp_path):
    changes = {3: Roster(3, added=("delta",)), 5: Roster(4, withdrawn=("gamma",))}
    folder = simulate(tmp_path, described(BOTS, RoundRobin()), changes=changes)
    found = check(folder)
    assert (found.holds, found.fault) == (True, None)
    assert found.lines == found.games + 2
    lines = lines_of(folder)
    at = next(number for number, line in enumerate(lines) if line.startswith(b'{"roster"'))
    (folder / JOURNAL).write_bytes(
        b"".join([*lines[:at], lines[at].replace(b"delta", b"omega"), *lines[at + 1 :]])
    )
    assert check(folder).place == f"journal.jsonl:{at + 1}"


def test_every_ending_is_judged_right(sound):
    found = check(sound)
    assert (found.holds, found.fault) == (True, None)
    assert {decode(line).verdict.why for line in lines_of(sound)} > {"crash", "timeout", "illegal", "resign"}


# --- a chain that was left as it was -------------------------------------------------------------------------------


def _edited(at: int, before: bytes, after: bytes) -> Callable[[list[bytes]], list[bytes]]:
    def change(lines: list[bytes]) -> list[bytes]:
        assert before in lines[at]
        return [*lines[:at], lines[at].replace(before, after, 1), *lines[at + 1 :]]

    return change


BROKEN = {
    "a move": (_edited(4, b'"moves":["', b'"moves":["a1","'), "5", "the chain is broken"),
    "a verdict": (_edited(2, b'"winner":"', b'"winner": "'), "3", "the chain is broken"),
    "a time": (_edited(3, b'"used":', b'"used":1'), "4", "the chain is broken"),
    "two lines that changed places": (
        lambda all: [*all[:5], all[6], all[5], *all[7:]],
        "6",
        "the chain is broken",
    ),
    "a line taken out": (lambda all: [*all[:3], *all[4:]], "4", "the chain is broken"),
    "the first line taken out": (lambda all: all[1:], "1", "the chain is broken"),
    "a line that is there twice": (lambda all: [*all[:4], all[3], *all[4:]], "5", "the chain is broken"),
    "the end cut off": (lambda all: all[:-2], "11", "2 of 12 lines are gone from the end"),
    "a line cut off in its middle": (lambda all: [*all[:-1], all[-1][:500]], "13", "1 of 12 lines are gone"),
    "everything gone": (lambda all: [], "1", "12 of 12 lines are gone"),
    "a link taken off": (_edited(6, b',"chain":"', b',"train":"'), "7", "no chain at its end"),
    "another link": (lambda all: [*all[:8], all[8][:-70] + b"0" * 67 + all[8][-3:], *all[9:]], "9", "chain"),
    "no JSON any more": (lambda all: [*all[:8], b"#" + all[8], *all[9:]], "9", "the chain is broken"),
}


@pytest.mark.parametrize(("change", "line", "says"), BROKEN.values(), ids=BROKEN)
def test_a_changed_journal_is_told_at_its_line(change, line, says, event):
    (event / JOURNAL).write_bytes(b"".join(change(lines_of(event))))
    found = check(event)
    assert not found.holds
    assert found.place == f"journal.jsonl:{line}"
    assert says in (found.fault or "")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.data())
def test_no_byte_of_a_journal_is_without_meaning(small, tmp_path, data):
    whole = (small / JOURNAL).read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    flip = data.draw(st.integers(1, 255))
    for path in small.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    changed = bytearray(whole)
    changed[at] ^= flip
    (tmp_path / JOURNAL).write_bytes(changed)
    found = check(tmp_path)
    assert not found.holds
    assert (
        found.place == f"journal.jsonl:{1 + whole[:at].count(10)}"
        or flip ^ whole[at] == 10
        or whole[at] == 10
    )


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulate(tmp_path_factory.mktemp("small"), described(("alpha", "beta")))


# --- a chain that was made anew: what is left to find ----------------------------------------------------------------


def chained(folder: Path, records: list[Record]) -> None:
    """Write a journal of these games whose chain and seal are whole."""
    chain = root((folder / FILE).read_bytes())
    with (folder / JOURNAL).open("wb") as file:
        for record in records:
            body = encode(record)[:-1]
            chain = link(chain, body)
            file.write(body + f',"chain":"{chain}"}}\n'.encode())
    write_seal(folder, Seal(len(records), chain))


def records_of(folder: Path) -> list[Record]:
    return [decode(line) for line in lines_of(folder)]


def _turn(at: int, **values: object) -> Callable[[Record], Record]:
    def change(record: Record) -> Record:
        turns = list(record.turns)
        turns[at] = replace(turns[at], **values)
        return replace(record, turns=tuple(turns))

    return change


def _verdict(**values: object) -> Callable[[Record], Record]:
    return lambda record: replace(record, verdict=replace(record.verdict, **values))


FORGED = {
    "a move": (1, lambda r: replace(r, moves=(*r.moves[:-1], "a1")), "ply|cells"),
    "who won by the rules": (1, lambda r: _verdict(winner="xo"[r.verdict.winner == "x"])(r), "by the rules"),
    "the sentence": (1, _verdict(text="five at ply 99: x has a1"), "ply 99"),
    "the squares of the sentence": (1, lambda r: _verdict(text=r.verdict.text + ",a1")(r), "but it is"),
    "who crashed": (3, _verdict(fault="x", winner="x"), "x at fault, but the winner is x"),
    "a crash that is nobody's": (3, _verdict(fault=None), "nobody is named at fault"),
    "a crash that does not count": (3, _verdict(void=True, winner="-"), "on_fault is forfeit"),
    "a crash of both that counts": (3, _verdict(fault="xo"), "not void, as it must be"),
    "a crash at another ply": (3, _verdict(text="crash at ply 4: exit status 3"), "ended at ply 5"),
    "an ending that is none": (3, _verdict(why="late"), "no ending of a game"),
    "a crash called a timeout": (3, _verdict(why="timeout", text="timeout at ply 5: used"), "timeout"),
    "who was late": (
        5,
        lambda r: _verdict(fault=r.verdict.winner, winner=r.verdict.fault)(r),
        "no such turn",
    ),
    "how late": (
        5,
        _verdict(text="timeout at ply 4: used 199 of 100 ms + 50 margin; referee late by 3"),
        "but it is",
    ),
    "a time that was in time": (5, _turn(-1, used=1000), "limit, margin, spent|used 1000 ns"),
    "an illegal square": (7, _turn(-1, sq="i8"), "what came is"),
    "what is legal": (7, lambda r: _verdict(text=r.verdict.text[:-1] + "9")(r), "but it is"),
    "who resigned": (
        8,
        lambda r: _verdict(winner="xo"[r.verdict.winner == "x"])(r),
        "resigned, but the winner",
    ),
    "an answer": (9, _turn(3, raw="move 1006 a1"), "what came is 'move 1006 a1'"),
    "what a bot said of its chances": (9, _turn(3, eval=1000), "eval 1000, but what came"),
    "the time used": (9, _turn(2, used=200_000_000), "limit, margin, spent, clock"),
    "the clock": (9, _turn(2, clock=77), "limit, margin, spent, clock"),
    "the time control": (
        9,
        lambda r: replace(r, conditions=replace(r.conditions, margin=49)),
        "margin is 49, but event.json says 50|limit, margin",
    ),
    "the seed": (11, lambda r: replace(r, seed=5), "the seed is 5, but encounter 6"),
    "the seed of one game of two": (
        12,
        lambda r: replace(r, seed=5),
        "begins otherwise than that on line 11",
    ),
    "the board's number": (11, lambda r: replace(r, board=5), "not those that encounter 6 has by the seed"),
    "another event": (4, lambda r: replace(r, place=replace(r.place, event="other")), "not one of the event"),
    "no event": (4, lambda r: replace(r, place=None), "not one of the event"),
    "a leg played twice": (
        4,
        lambda r: replace(r, x=r.o, o=r.x, place=replace(r.place, leg=1)),
        "leg 1 of .* twice",
    ),
    "a leg 3": (4, lambda r: replace(r, place=replace(r.place, leg=3)), "no such game"),
    "who played": (4, lambda r: replace(r, x=replace(r.x, bot="delta")), "in one game and"),
    "an encounter far off": (
        12,
        lambda r: replace(r, place=replace(r.place, encounter=40)),
        "encounter 40 has|not in the schedule|seed is",
    ),
}


@pytest.mark.parametrize(("line", "change", "says"), FORGED.values(), ids=FORGED)
def test_a_forged_game_is_told_at_its_line(line, change, says, event):
    import re

    records = records_of(event)
    records[line - 1] = change(records[line - 1])
    chained(event, records)
    found = check(event)
    assert not found.holds
    assert found.place == f"journal.jsonl:{line}"
    assert re.search(says, found.fault or ""), found.fault


def test_a_journal_that_is_chained_anew_and_holds_is_taken(event):
    chained(event, records_of(event))
    assert check(event).holds


def test_a_game_that_is_there_twice_is_told(event):
    records = records_of(event)
    chained(event, [*records, records[3]])
    found = check(event)
    assert (found.place, found.holds) == ("journal.jsonl:13", False)
    assert "is there twice, on line 4 too" in (found.fault or "")


def test_pairs_that_the_schedule_does_not_have_are_told(event):
    other = {"alpha": "beta", "beta": "alpha", "gamma": "gamma"}
    records = [
        replace(r, x=replace(r.x, bot=other[r.x.bot]), o=replace(r.o, bot=other[r.o.bot]))
        for r in records_of(event)
    ]
    chained(event, records)
    found = check(event)
    assert (found.place, found.holds) == ("journal.jsonl:1", False)
    assert "by the schedule" in (found.fault or "")


CHANGED = {
    "id": ("20260104-101500-000000-0badcaff", "journal.jsonl:1", "of the event"),
    "seed": (2, "journal.jsonl:1", "the seed is"),
    "tc": ("0.2/move", "journal.jsonl:1", "event.json says 0.2/move"),
    "margin": (49, "journal.jsonl:1", "event.json says 49"),
    "rings": (14, "journal.jsonl:1", "event.json says 14"),
    "size": (9, "journal.jsonl:1", "6"),
    "on_fault": ("void", "journal.jsonl:3", "event.json says on_fault is void"),
    "adjudication": ("plies=20", "journal.jsonl:1", "event.json says plies=20"),
}


@pytest.mark.parametrize("key", CHANGED)
def test_a_changed_description_is_told_at_the_first_game_that_gainsays_it(key, event):
    value, place, says = CHANGED[key]
    description = msgspec.json.decode((event / FILE).read_bytes())
    (event / FILE).write_bytes(msgspec.json.encode(description | {key: value}))
    found = check(event)
    assert (found.place, found.holds) == ("journal.jsonl:1", False)
    assert "event.json is that of another event" in (found.fault or "")
    chained(event, records_of(event))
    found = check(event)
    assert not found.holds
    assert found.place == place
    assert says in (found.fault or "")


def test_a_description_that_is_none_is_told(event):
    (event / FILE).write_bytes(b"{}")
    found = check(event)
    assert (found.place, found.holds) == ("event.json", False)


def test_a_seal_that_names_another_line_is_told_at_that_line(event):
    write_seal(event, Seal(5, "0" * 64))
    found = check(event)
    assert (found.place, found.holds) == ("journal.jsonl:5", False)


def test_without_a_seal_it_is_said_that_the_end_cannot_be_told(event):
    (event / "journal.seal").unlink()
    (event / JOURNAL).write_bytes(b"".join(lines_of(event)[:-2]))
    assert "games.pgn:" in (check(event).place or "")  # which has the games yet
    (event / "games.pgn").unlink()
    found = check(event)
    assert found.holds
    assert "missing at the end cannot be told" in found.unchecked[0]


# --- journals of no event -------------------------------------------------------------------------------------------


def test_a_plain_journal_is_verified_and_said_to_have_no_chain(event):
    plain = [encode(replace(record, place=None)) + b"\n" for record in records_of(event)]
    (event / FILE).unlink()
    (event / JOURNAL).write_bytes(b"".join(plain))
    for path in (event, event / JOURNAL):
        found = check(path)
        assert (found.fault, found.games, found.chain, found.event) == (None, 12, None, None)
        assert "the journal has no chain" in found.unchecked[0]
    (event / JOURNAL).write_bytes(
        b"".join([*plain[:4], plain[4].replace(b'"used":', b'"used":9999', 1), *plain[5:]])
    )
    assert check(event).place == "journal.jsonl:5"


def test_lines_that_were_never_finished_count_for_nothing(event):
    lines = lines_of(event)
    (event / JOURNAL).write_bytes(
        b"".join([*lines[:4], lines[4][:300] + b" #torn\n", *lines[4:], lines[3][:99]])
    )
    found = check(event)
    assert (found.holds, found.games) == (True, 12)
    assert "never finished" in found.unchecked[-1]


def test_the_first_of_several_faults_is_named_by_many_workers_too(event, monkeypatch):
    monkeypatch.setattr(jury, "FEW", 0)
    monkeypatch.setattr(jury, "BATCH", 2)
    records = records_of(event)
    for line in (10, 6):
        records[line - 1] = _turn(2, clock=77)(records[line - 1])
    chained(event, records)
    lines = lines_of(event)
    (event / JOURNAL).write_bytes(b"".join([*lines[:10], lines[11], lines[10]]))
    found = audit(event, workers=2)
    assert (found.holds, found.place) == (False, "journal.jsonl:6")


def test_what_is_not_there_is_no_finding(tmp_path):
    for path in (tmp_path, tmp_path / "event.zip"):
        with pytest.raises(ReadFault):
            check(path)


def test_a_line_longer_than_any_record_is_told(event, monkeypatch):
    monkeypatch.setattr("donuts_referee.competition.audit.sources.LONGEST", 4096)
    longest = next(at for at, line in enumerate(lines_of(event), 1) if len(line) > 4097)
    found = check(event)
    assert (found.holds, found.place) == (False, f"journal.jsonl:{longest}")


def test_the_link_of_a_line_is_split_off_whole(sound):
    body, chain = split(lines_of(sound)[0][:-1]) or (b"", "")
    assert link(root((sound / FILE).read_bytes()), body) == chain
