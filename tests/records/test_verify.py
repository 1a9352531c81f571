"""A record that holds is found to hold, and one wrong value anywhere is found."""

import re

import pytest
from hypothesis import given
from msgspec.structs import replace

from donuts_referee.records.record import Record
from donuts_referee.records.sheet import Sheet
from donuts_referee.records.verify import replay
from donuts_referee.table.adjudication import Adjudication, Resignation
from donuts_referee.table.finished import Verdict
from records.played import Ending, games, played

MATCH = "20260104-101500-000000-0badcafe"


def check(record: Record):
    return replay(Sheet.of(record), record)


@given(games())
def test_played_games_hold(game):
    record = Record.of(game, MATCH)
    found = check(record)
    assert found.faults == ()
    assert found.holds
    assert [step.square for step in found.steps] == list(record.moves)
    assert found.last.cells == record.cells
    assert replay(Sheet.of(record)).holds


def test_flips_are_those_between_the_positions():
    record = Record.of(played(3), MATCH)
    found = check(record)
    for before, step in zip([found.start, *(one.position for one in found.steps)], found.steps, strict=False):
        changed = {
            at
            for at, (a, b) in enumerate(zip(before.cells, step.position.cells, strict=True))
            if a not in (".", b)
        }
        assert len(changed) == len(step.flips)
    assert any(step.flips for step in found.steps)


def _other_square(record: Record) -> tuple[str, ...]:
    taken = record.moves[3]
    return (*record.moves[:8], taken, *record.moves[9:])


WRONG = {
    "a taken square": (lambda r: {"moves": _other_square(r)}, "ply 8: .* is taken"),
    "a square off the board": (lambda r: {"moves": ("a7", *r.moves[1:])}, "ply 0: "),
    "a move too many": (lambda r: {"moves": (*r.moves, "a1")}, "the game is over|is taken"),
    "a move too few": (lambda r: {"moves": r.moves[:-1]}, "by the rules the game goes on"),
    "the other winner": (
        lambda r: {"verdict": replace(r.verdict, winner="xo"[r.verdict.winner == "x"])},
        "but by the rules it is",
    ),
    "another ending": (
        lambda r: {"verdict": Verdict(winner="x", why="timeout", text="")},
        "the game was over",
    ),
    "other cells": (lambda r: {"cells": r.cells.replace(".", "x", 1)}, "cells are"),
    "another row": (lambda r: {"five": ("a1", "a2")}, "five is a1,a2, but the rows are"),
    "other groups": (lambda r: {"groups": (0, 0)}, r"groups are \(0, 0\)"),
    "a layout too short": (lambda r: {"layout": r.layout[:-1]}, "layout: "),
    "the other size": (lambda r: {"size": 9}, "size is 9, but the layout has 6 x 6"),
    "too many rings": (lambda r: {"rings": 19}, "rings: "),
    "another opening": (lambda r: {"opening": ("f6",), "turns": r.turns[1:]}, "the opening f6 is not"),
    "a lost turn": (lambda r: {"turns": r.turns[1:]}, "turn 1 is ply 1 of o, but ply 0 of x is due"),
    "another answer": (
        lambda r: {"turns": (replace(r.turns[0], sq="f6"), *r.turns[1:])},
        "ply 0: the answer was f6, the move is",
    ),
    "a wrong charge": (
        lambda r: {"turns": (*r.turns[:4], replace(r.turns[4], spent=r.turns[4].spent + 1), *r.turns[5:])},
        "ply 4: limit, margin, spent, clock are",
    ),
    "a wrong clock": (
        lambda r: {"turns": (*r.turns[:-1], replace(r.turns[-1], clock=1))},
        "limit, margin, spent, clock are",
    ),
    "a wrong margin": (
        lambda r: {"turns": (replace(r.turns[0], margin=49), *r.turns[1:])},
        "ply 0: limit, margin",
    ),
}


@pytest.mark.parametrize(("change", "says"), WRONG.values(), ids=WRONG)
def test_one_wrong_value_is_found(change, says):
    record = Record.of(played(3), MATCH)
    found = check(replace(record, **change(record)))
    assert not found.holds
    assert any(re.search(says, one) for one in found.faults), found.faults


def test_a_legal_answer_that_was_judged_illegal_is_found():
    record = Record.of(played(3, ending=Ending("illegal", 4, "a1")), MATCH)
    before = check(record).before(4)
    legal, wrong = (
        before.legal_names[0],
        next(n for n in ("a1", "b2", "c3", "d4") if n not in before.legal_names),
    )
    assert check(replace(record, turns=(*record.turns[:-1], replace(record.turns[-1], sq=wrong)))).holds
    found = check(replace(record, turns=(*record.turns[:-1], replace(record.turns[-1], sq=legal))))
    assert any("was answered, is legal and was not played" in one for one in found.faults)


SHORT = Adjudication(max_plies=7)
SURE = Adjudication(Resignation(501, 1))


def adjudicated(asked: Adjudication) -> Record:
    record = Record.of(played(12, adjudication=asked), MATCH)
    assert record.verdict.why == "adjudicated"
    return record


def under(record: Record, asked: Adjudication | None, **changed: object) -> Record:
    """The same game, as if this had been asked for."""
    return replace(record, conditions=replace(record.conditions, adjudication=asked), **changed)


def faults(record: Record) -> str:
    """What is wrong with it; a sheet, as PGN gives it, shows no more."""
    found, from_sheet = check(record).faults, replay(Sheet.of(record)).faults
    assert set(from_sheet) <= set(found)
    return "\n".join(found)


@pytest.mark.parametrize("asked", [SHORT, SURE, Adjudication(Resignation(501, 1), 7)])
def test_an_adjudicated_game_holds_if_what_was_asked_for_is_the_case(asked):
    assert faults(adjudicated(asked)) == ""


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (None, "nothing was asked for that ends a game before its rules do"),
        (Adjudication(max_plies=8), r"by what was asked for \(plies=8\) the game goes on"),
        (
            Adjudication(max_plies=5),
            "ply 5 was asked for, but the game was over: adjudicated at ply 5: a draw",
        ),
        (Adjudication(Resignation(1000, 9)), r"by what was asked for \(resign=1000,9\) the game goes on"),
    ],
)
def test_an_adjudicated_game_that_was_not_to_end_there_is_found(asked, says):
    assert re.search(says, faults(under(adjudicated(SHORT), asked)))


def test_an_adjudicated_game_with_another_winner_is_found():
    record = adjudicated(SHORT)
    wrong = replace(record, verdict=replace(record.verdict, winner="x"))
    assert "winner x, but by what was asked for (plies=7) adjudicated at ply 7: a draw" in faults(wrong)
    record = adjudicated(SURE)
    wrong = replace(record, verdict=replace(record.verdict, winner="xo"[record.verdict.winner == "x"]))
    assert f"both say that {record.verdict.winner} wins" in faults(wrong)


def test_other_reports_than_those_that_were_given_are_found():
    record = adjudicated(SURE)
    wrong = replace(record, turns=(*record.turns[:-1], replace(record.turns[-1], eval=None)))
    assert "(resign=501,1) the game goes on" in faults(wrong)


def test_what_a_solver_knew_is_taken_on_trust_where_one_was_asked_for():
    record = adjudicated(SHORT)
    assert faults(under(record, Adjudication(solver=True), verdict=replace(record.verdict, winner="o"))) == ""


def test_a_game_that_went_on_after_it_was_to_end_is_found_whatever_ended_it():
    whole = Record.of(played(3), MATCH)
    assert "ply 7 was asked for, but the game was over" in faults(under(whole, SHORT))
    late = Record.of(played(3, ending=Ending("timeout", 7)), MATCH)
    found = check(under(late, SHORT)).faults
    assert any("ply 7 was asked for, but the game was over" in one for one in found)


@pytest.mark.parametrize("changed", [{"void": True}, {"fault": "x"}])
def test_an_adjudicated_game_counts_and_nobody_is_at_fault(changed):
    record = adjudicated(SHORT)
    assert "counts and nobody is at fault" in faults(
        replace(record, verdict=replace(record.verdict, **changed))
    )
