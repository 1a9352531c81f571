"""Balanced openings: exact draws, in the order of the seed, kept in the folder, the same after an update, verified."""

import json
from pathlib import Path

import pytest

from competition.running_event import run
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.solved import Solved, head, record, shipped
from donuts_engine.solver import Solver
from donuts_engine.squares import index
from donuts_engine.tiles import TileSet
from donuts_referee.competition.audit.auditing import audit
from donuts_referee.competition.balanced import FILE, RARE, balanced, read_listing
from donuts_referee.competition.books import EventBooks, OtherEvent
from donuts_referee.competition.config import ConfigFault, read_event
from donuts_referee.competition.openings import Opening, opening
from donuts_referee.records.faults import ReadFault
from donuts_referee.records.journal import JournalReader
from donuts_referee.web.export import export

TILES = TileSet.shipped()
BOTS = 'bots = ["donuts:greedy", "donuts:random"]\n'
SIX = "[games]\nsize = 6\n"
TEXT = f'openings = "balanced"\n{BOTS}{SIX}'
TABLE = '[openings]\nboards = "balanced"\n'
NAMED = f'{TABLE}table = "t"\n{SIX}'


def write(folder: Path, text: str = TEXT) -> Path:
    path = folder / "event.toml"
    path.write_text(text)
    return path


def solved(path: Path, boards: dict[int, str], rings: int = 15) -> Path:
    start = head(TILES, rings)
    path.write_bytes(start + b"".join(record(start, number, letters) for number, letters in boards.items()))
    return path


def starts(path: Path, count: int) -> list[Opening]:
    event = read_event(path)
    return [opening(event, number) for number in range(1, count + 1)]


def test_each_opening_is_a_draw_and_the_solver_agrees(tmp_path: Path) -> None:
    path = write(tmp_path)
    event = read_event(path)
    known = shipped()
    total = sum(known[number].count("D") for number in known)
    assert len(event.openings.entries) == total
    begun = starts(path, total)
    assert len({(start.board, start.placements) for start in begun}) == total  # none twice before all came
    for start in begun:
        (square,) = start.placements
        assert start.board_number is not None and start.board == TILES.board(start.board_number)
        assert known[start.board_number][square] == "D"
    after = play(Position.start(begun[0].board, 15), begun[0].placements[0])
    assert Solver(after.board).value(after) == "draw"


def test_the_seed_decides_the_order_and_nothing_else_does(tmp_path: Path) -> None:
    first = starts(write(tmp_path), 8)
    assert starts(write(tmp_path, BOTS + TABLE + SIX), 8) == first
    other = starts(write(tmp_path, "seed = 2\n" + TEXT), 8)
    assert [start.placements for start in other] != [start.placements for start in first]


def test_an_event_plays_them_with_sides_swapped_and_verifies(tmp_path: Path) -> None:
    path = write(tmp_path, TEXT + "[format]\ncycles = 2\n")
    run(path)
    folder = tmp_path / "event-records"
    kept = json.loads((folder / FILE).read_bytes())
    assert kept["solved"] == shipped().version == json.loads((folder / "event.json").read_bytes())["solved"]
    assert {row["value"] for row in kept["openings"]} == {"draw"}
    begun = starts(path, 2)
    games = [entry.record for entry in JournalReader(folder / "journal.jsonl")]
    assert len(games) == 4
    for game in games:
        assert game.place is not None
        start = begun[game.place.encounter - 1]
        assert (game.layout, game.board) == (start.board.layout, start.board_number)
        assert tuple(index(square, 6) for square in game.opening) == start.placements
    assert {(game.place.encounter, game.x.bot) for game in games if game.place} == {
        (encounter, bot) for encounter in (1, 2) for bot in ("greedy", "random")
    }
    found = audit(folder)
    assert (
        found.holds
        and "every encounter has the board and the first plies that the seed gives it" in found.checked
    )
    export(folder, tmp_path / "event.zip")
    assert audit(tmp_path / "event.zip").checked[0:2] == found.checked[0:2]
    kept["openings"][0]["placements"] = ["f6"]
    (folder / FILE).write_text(json.dumps(kept))
    forged = audit(folder)
    assert (forged.place, forged.fault) == (FILE, "not the openings that event.json means")
    (folder / FILE).write_text("{")
    assert audit(folder).place == FILE


def test_an_event_goes_on_with_what_it_began_with(tmp_path: Path) -> None:
    """More boards are solved by then; the openings stay. Other boards are another event."""
    draw, other = "W" * 35 + "D", "D" + "W" * 35
    solved(tmp_path / "t", {5: draw, 900: draw})
    path = write(tmp_path, BOTS + NAMED)
    before = starts(path, 4)
    with EventBooks(read_event(path)):
        pass
    solved(tmp_path / "t", {5: draw, 7: other, 900: draw})
    assert starts(path, 4) == before
    with EventBooks(read_event(path)) as books:
        assert books.resumed
    solved(tmp_path / "t", {5: other, 900: draw})
    with pytest.raises(OtherEvent, match=r"the openings are others; solved was [0-9a-f]{16} and is"):
        EventBooks(read_event(path))


def fault(folder: Path, text: str) -> str:
    with pytest.raises(ConfigFault) as caught:
        read_event(write(folder, text))
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f'openings = "balanced"\n{BOTS}', "openings: balanced openings are of 6 x 6 boards; say size = 6"),
        (f"{TEXT}rings = 14\n", "with 14 rings, and none comes with the arena"),
        (BOTS + NAMED, "/t: no such file or directory"),
        (BOTS + NAMED.replace('"t"', '"event.toml"'), "is no file of solved boards"),
        (f"{BOTS}{TABLE}plies = 2\n{SIX}", "is not balanced; remove plies"),
        (f'{BOTS}{TABLE}order = "sequential"\n{SIX}', "remove order"),
        (f'{BOTS}[openings]\ntable = "t"\n{SIX}', "openings.table: balanced openings are taken from it"),
    ],
)
def test_what_cannot_be_balanced_is_said(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in fault(Path(), text)


def test_a_file_without_anything_balanced_or_of_other_rings_is_no_source(tmp_path: Path) -> None:
    text = BOTS + NAMED
    solved(tmp_path / "t", {5: "L" * 36})
    assert "on none of these solved boards is a first move a draw or a win" in fault(tmp_path, text)
    solved(tmp_path / "t", {5: "D" * 36}, rings=14)
    assert "with 15 rings, and these have 14" in fault(tmp_path, text)


def parsed(boards: dict[int, str], rings: int = 15) -> Solved:
    start = head(TILES, rings)
    data = start + b"".join(record(start, number, letters) for number, letters in boards.items())
    return Solved.parse(data, TILES, "file")


def test_where_draws_are_many_every_one_is_listed_and_nothing_else() -> None:
    kept = balanced(parsed({9: "WDL" * 12, 30: "LDW" * 12, 4: "W" * 36}))
    assert [row.placements for row in kept.openings][:3] == [("b1",), ("e1",), ("b2",)]
    assert [row.board for row in kept.openings] == [9] * 12 + [30] * 12
    assert {row.value for row in kept.openings} == {"draw"}


def won(count: int) -> str:
    return "W" * count + "L" * (36 - count)


@pytest.mark.parametrize(
    ("counts", "listed"),
    [
        (
            (9, 3, 4, 20, 9),
            (3, 4),
        ),  # of 9 there are two as well; the fewer the moves, the more the task tells
        ((3, 4, 4, 20, 9), (3, 4, 4)),
        ((5, 6, 7, 7), (6, 7, 7)),
    ],
)
def test_where_draws_are_few_there_are_wins_that_are_alike(
    counts: tuple[int, ...], listed: tuple[int, ...]
) -> None:
    boards = {number: won(count) for number, count in enumerate(counts, start=100)}
    lost = {number: won(0) for number in range(1000, 1000 + RARE - len(counts))}
    kept = balanced(parsed({**boards, **lost, 7: "L" * 35 + "D"}))
    draw, *tasks = kept.openings
    assert (draw.board, draw.value, draw.placements) == (7, "draw", ("f6",))
    assert tuple(row.keeping for row in tasks) == listed
    assert all(row.value == "x" and row.placements == () for row in tasks)
    assert all(boards[row.board].count("W") == row.keeping for row in tasks)


def test_a_draw_for_every_so_many_boards_is_enough() -> None:
    boards = {number: won(9) for number in range(1000, 999 + RARE)}
    assert [row.value for row in balanced(parsed({**boards, 7: "L" * 35 + "D"})).openings] == ["draw"]


@pytest.mark.parametrize(
    "row", [{"value": "x"}, {"value": "draw", "keeping": 3}, {"value": "x", "keeping": 0}]
)
def test_a_kept_list_says_of_each_win_and_of_nothing_else_how_many_moves_keep_it(
    row: dict[str, object],
) -> None:
    whole = {"board": 5, "layout": TILES.board(5).layout, "placements": [], **row}
    kept = {"solved": "", "rings": 15, "tiles": [], "openings": [whole]}
    with pytest.raises(ReadFault, match="keeping is of wins"):
        read_listing(json.dumps(kept).encode(), FILE)


def test_an_event_of_wins_is_played_kept_with_its_values_and_verified(tmp_path: Path) -> None:
    """And goes on with them when more boards are solved, of which others are alike."""
    table = {number: won(9) for number in (5, 900)}
    solved(tmp_path / "t", table, rings=18)
    path = write(tmp_path, f"{BOTS}{NAMED}rings = 18\n[format]\ncycles = 3\n")
    run(path)
    folder = tmp_path / "event-records"
    games = [entry.record for entry in JournalReader(folder / "journal.jsonl")]
    assert {(game.board, game.opening) for game in games} == {(5, ()), (900, ())}
    assert {game.x.bot for game in games if game.board == 5} == {"greedy", "random"}
    rows = read_listing((folder / FILE).read_bytes(), FILE).openings
    assert [(row.board, row.value, row.keeping) for row in rows] == [(5, "x", 9), (900, "x", 9)]
    assert audit(folder).holds
    before = starts(path, 4)
    solved(tmp_path / "t", {**table, **{number: won(4) for number in (1, 2, 3)}}, rings=18)
    assert starts(path, 4) == before
    with EventBooks(read_event(path)) as books:
        assert books.resumed
    forged = json.loads((folder / FILE).read_bytes())
    forged["rings"] = 15
    (folder / FILE).write_text(json.dumps(forged))
    assert audit(folder).fault == "not the openings that event.json means"
    forged["rings"] = 18
    forged["openings"][0]["keeping"] = 8
    (folder / FILE).write_text(json.dumps(forged))
    assert audit(folder).fault == "not the openings that event.json means"
