"""Moves are judged as exhaustive search does, marked for what they gave away, and counted for whom they count."""

import pytest
from msgspec import structs

from analysis.made import LAYOUT, found, random_game, scripted, sheet
from donuts_engine.rules import play
from donuts_engine.squares import index
from donuts_referee.analysis.bots import BotFigures, Tally
from donuts_referee.analysis.faults import Unplayable
from donuts_referee.analysis.game import Analysed, analysed, positions, remarks
from donuts_referee.analysis.searching import Effort, Searchers
from donuts_referee.records.sheet import Sheet
from donuts_referee.table.adjudication import Adjudication
from engine.solver.reached import exhaustive

LEFT = 6
"""Rings to place in positions that exhaustive search has time for."""

VALUE = {1: "win", 0: "draw", -1: "loss"}


def judged(game: Sheet, script: str) -> Analysed:
    return analysed(found(game), positions(game), scripted(game, script))


def test_late_moves_are_what_exhaustive_search_says() -> None:
    marks = []
    drawn = (random_game(seed, rings) for rings in (9, 15) for seed in range(150))
    games = [game for game in drawn if len(game.moves) > 2 * game.rings - LEFT]
    for game in (*games[:8], *games[-8:]):
        late = [position for position in positions(game) if 2 * position.rings - position.ply <= LEFT]
        solved = {}
        with Searchers(Effort(memory=1 << 20, plies=True)) as searchers:
            searchers.solve(late, solved.update)
        told = analysed(found(game), positions(game), solved.get)
        assert all(
            not move.known and not move.mark and move.keeping == () for move in told.moves[: -len(late)]
        )
        known = {}
        for position, move in zip(late, told.moves[-len(late) :], strict=True):
            value, plies = exhaustive(position, known)
            after, rest = exhaustive(play(position, index(move.square, 6)), known)
            assert (move.before, move.plies_before) == (VALUE[value], plies)
            assert (move.after, move.plies_after) == (VALUE[-after], rest + 1)
            values = {
                name: exhaustive(play(position, square), known)
                for name, square in zip(position.legal_names, position.legal, strict=True)
            }
            assert set(move.keeping) == {name for name, (one, _) in values.items() if one == -value}
            assert values[move.keeping[0]][1] + 1 == plies
            assert move.legal == len(values)
            marks.append((value + after, move.mark))
    assert {step: {mark for given, mark in marks if given == step} for step in (0, 1, 2)} == {
        0: {""},
        1: {"?"},
        2: {"??"},
    }


MOVES = ("a1", "b1", "c1", "d1", "e1", "f1")
FREE = sheet(MOVES, layout="H" * 36)
"""Every move from the second to the fifth has one answer fewer; the sixth is forced."""


def test_each_step_down_has_its_mark() -> None:
    told = judged(FREE, "WW WD DL WL LL WW")
    assert [move.mark for move in told.moves] == ["", "?", "?", "??", "", ""]
    assert [move.mattered for move in told.moves] == [True, True, True, True, False, False]
    assert told.moves[5].legal == 1
    assert [(ply, one.glyph, one.text) for ply, one in remarks(told)] == [
        (1, 2, f"win to draw, best {told.moves[1].keeping[0]}"),
        (2, 2, f"draw to loss, best {told.moves[2].keeping[0]}"),
        (3, 4, f"win to loss, best {told.moves[3].keeping[0]}"),
    ]


def rows(*games: Analysed) -> dict[str, BotFigures]:
    tally = Tally()
    for game in games:
        tally.add(game)
    return {row.bot: row for row in tally.rows()}


def test_the_figures_of_a_game() -> None:
    told = rows(judged(FREE, "WW WD DL WL LL WW"))
    assert told["ann"] == BotFigures(
        bot="ann",
        games=1,
        moves=3,
        choices=2,
        kept=1,
        accuracy=0.5,
        mistakes=1,
        blunders=0,
        per_game=1.0,
        won_positions=1,
        converted=1,
        conversion=1.0,
        unknown=0,
    )
    bob = told["bob"]
    assert (bob.choices, bob.kept, bob.mistakes, bob.blunders, bob.per_game) == (2, 0, 1, 1, 2.0)
    assert (bob.won_positions, bob.converted, bob.conversion) == (1, 0, 0.0)
    assert list(told) == ["ann", "bob"]


def test_an_opening_counts_for_nobody() -> None:
    told = rows(judged(FREE._replace(opening=4), "WL WL WL WL LL LL"))
    assert [(row.moves, row.choices, row.mistakes + row.blunders) for row in told.values()] == [(1, 0, 0)] * 2
    assert told["ann"].accuracy is None
    assert (told["ann"].won_positions, told["bob"].won_positions) == (
        1,
        1,
    )  # either's loss is the other's win
    assert rows(judged(FREE._replace(opening=6), "WL " * 6))["bob"].games == 0


def test_void_games_and_unknown_moves_count_for_nothing() -> None:
    void = judged(FREE._replace(void=True, winner="-"), "WL WL WL WL LL WW")
    assert rows(void) == {}
    tally = Tally()
    tally.add(void)
    assert (tally.games, tally.voids) == (1, 1)
    half = rows(judged(FREE, "?? WL ?? WW ?? WW"))
    assert (half["ann"].games, half["ann"].unknown, half["ann"].per_game) == (0, 3, None)
    assert (half["bob"].moves, half["bob"].blunders, half["bob"].unknown) == (3, 1, 0)
    assert (half["ann"].won_positions, half["bob"].won_positions) == (0, 1)


@pytest.mark.parametrize(("winner", "converted"), [("x", 1), ("o", 0), ("-", 0)])
def test_a_won_position_is_converted_by_the_verdict_however_it_came(winner: str, converted: int) -> None:
    asked = structs.replace(FREE.conditions, adjudication=Adjudication(solver=True))
    game = FREE._replace(winner=winner, why="adjudicated", fault=None, conditions=asked)
    ann = rows(judged(game, "WW LL WW LL WW LL"))["ann"]
    assert (ann.won_positions, ann.converted) == (1, converted)


def test_a_bot_that_plays_itself_has_both_sides_counted() -> None:
    told = rows(judged(FREE._replace(o="ann"), "WW WD DL WL LL WW"))
    assert (told["ann"].moves, told["ann"].games, told["ann"].choices) == (6, 2, 4)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (sheet(("a1", "a1")), "a1 is taken"),
        (sheet(("a1", "z9")), "z9"),
        (sheet((), layout="HH"), "layout has 2 letters"),
        (sheet((), rings=19), "rings is 19"),
    ],
)
def test_what_cannot_be_played_over_is_said(game: Sheet, said: str) -> None:
    with pytest.raises(Unplayable, match="the game cannot be played over: .*" + said):
        positions(game)


FIVE = next(game for game in map(random_game, range(9)) if game.why == "five")


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (FIVE._replace(winner="xo"[FIVE.winner == "x"]), "the verdict is five, winner ., but by the rules"),
        (FIVE._replace(moves=FIVE.moves[:-1], marks=FIVE.marks[:-1]), "but by the rules the game goes on"),
        (FIVE._replace(void=True, winner="-"), "the verdict is five, winner -, but by the rules"),
        (FREE._replace(size=9), "size is 9, but the layout has 6 x 6 squares"),
        (FREE._replace(opening=7), "the opening is 7 placements, but there are only 6"),
    ],
)
def test_what_does_not_hold_is_not_believed(game: Sheet, said: str) -> None:
    with pytest.raises(Unplayable, match="the record does not hold: .*" + said):
        positions(game)


def test_a_game_without_a_move_has_nothing_to_say() -> None:
    assert analysed(found(sheet(())), positions(sheet((), LAYOUT)), lambda position: None).moves == ()
