"""A game is ended before its rules end it exactly when the operator asked for it and what was asked for is the case."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.table.adjudication import Adjudication, AdjudicationError, Resignation, agreed
from donuts_referee.table.control import TimeControl
from table.scripted import GONE, ScriptedBot, play

AGREED = Adjudication(resignation=Resignation(eval=900, plies=3))


def reporting(name: str, *evals: int | None) -> ScriptedBot:
    """An honest bot whose n-th move reports the n-th of these, and whose later moves the last one."""
    bot = ScriptedBot(name)
    for nth, eval in enumerate(evals, 1):
        report = b"" if eval is None else b" eval=%d" % eval
        every = nth == len(evals)
        bot.on("turn", 0 if every else nth, (1, b"move {id} {legal}" + report + b"\n"))
    return bot


def only(played):
    (game,) = played.games
    return game


# --- agreement -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "o", "winner"), [(900, 100, "x"), (1000, 0, "x"), (100, 900, "o"), (0, 1000, "o")]
)
def test_a_game_of_which_both_say_who_wins_is_given_to_that_side(x, o, winner):
    first, second = reporting("a", x), reporting("b", o)
    game = only(play(first, second, adjudication=AGREED))
    verdict = game.verdict
    assert (verdict.winner, verdict.why, verdict.fault, verdict.void) == (winner, "adjudicated", None, False)
    assert len(game.moves) == len(game.turns) == 6
    assert f"adjudicated at ply 6: both say that {winner} wins, each in its last 3 answers" in verdict.text
    assert f"x reported {x},{x},{x}; o reported {o},{o},{o} permille" in verdict.text
    assert len(verdict.text) <= 200
    assert (
        "result=win" in first.heard_of("end")[0]
        if winner == "x"
        else "result=loss" in first.heard_of("end")[0]
    )
    assert all(
        "why=adjudicated" in bot.heard_of("end")[0] and not bot.heard_of("cancel") for bot in (first, second)
    )


@pytest.mark.parametrize(
    ("x", "o"),
    [
        ((899,), (0,)),
        ((1000,), (101,)),
        ((1000,), (1000,)),
        ((0,), (0,)),
        ((None,), (0,)),
        ((1000,), (None,)),
    ],
)
def test_a_game_of_which_they_do_not_both_say_it_goes_on_to_its_end(x, o):
    assert only(play(reporting("a", *x), reporting("b", *o), adjudication=AGREED)).verdict.why in (
        "five",
        "group",
    )


def test_one_report_in_between_begins_the_count_anew_and_the_loser_may_be_the_last_to_agree():
    game = only(play(reporting("a", 950), reporting("b", 50, 500, 60), adjudication=AGREED))
    assert (game.verdict.why, len(game.moves)) == ("adjudicated", 10)
    assert "x reported 950,950,950; o reported 60,60,60" in game.verdict.text
    game = only(play(reporting("a", 950, 950, 500, 950), reporting("b", 50), adjudication=AGREED))
    assert (game.verdict.why, len(game.moves)) == ("adjudicated", 11)
    one = Adjudication(resignation=Resignation(eval=900, plies=1))
    game = only(play(reporting("a", 500, 900), reporting("b", 100), adjudication=one))
    assert (game.verdict.winner, len(game.moves)) == ("x", 3)
    assert "each in its last answer: x reported 900; o reported 100" in game.verdict.text


def test_many_reports_are_not_all_said():
    game = only(play(reporting("a", 950), reporting("b", 50), adjudication=Adjudication(Resignation(900, 5))))
    assert "x reported ...,950,950,950,950; o reported ...,50,50,50,50 permille" in game.verdict.text
    assert len(game.verdict.text) <= 200


def test_placements_of_the_opening_are_nobodys_answers():
    game = only(play(reporting("a", 50), reporting("b", 950), adjudication=AGREED, opening=(0,)))
    assert (game.verdict.winner, len(game.moves), len(game.turns)) == ("o", 7, 6)


evals = st.none() | st.integers(0, 1000)


@given(st.lists(evals, max_size=12), st.integers(501, 1000), st.integers(1, 4), st.sampled_from("xo"))
def test_agreement_is_what_the_clause_says(reports, high, plies, you):
    other = "o" if you == "x" else "x"
    told = {other: reports[::-1][::2][:plies], you: reports[::-1][1::2][:plies]}
    expected = None
    for winner, loser in (("x", "o"), ("o", "x")):
        whole = len(told["x"]) == len(told["o"]) == plies and None not in told["x"] + told["o"]
        if whole and min(told[winner]) >= high and max(told[loser]) <= 1000 - high:
            expected = winner
    assert agreed(Resignation(high, plies), reports, you) == expected


@given(st.integers(501, 1000), st.integers(1, 4), st.sampled_from("xo"), st.data())
def test_agreement_is_found_where_it_is(high, plies, winner, data):
    wins, loses = st.integers(high, 1000), st.integers(0, 1000 - high)
    before = data.draw(st.lists(evals, max_size=3))
    last = [data.draw(wins if at % 2 else loses) for at in range(2 * plies)]  # the winner moved last
    assert agreed(Resignation(high, plies), [*before, *last], "o" if winner == "x" else "x") == winner
    last = [data.draw(loses if at % 2 else wins) for at in range(2 * plies)]  # the loser moved last
    assert agreed(Resignation(high, plies), [*before, *last], winner) == winner


# --- length and value ----------------------------------------------------------------------------------------------


def test_a_game_with_its_most_placements_is_a_draw():
    first = ScriptedBot("a")
    game = only(play(first, ScriptedBot("b"), adjudication=Adjudication(max_plies=5)))
    assert (game.verdict.winner, game.verdict.why, game.verdict.void) == ("-", "adjudicated", False)
    assert (len(game.moves), len(game.turns)) == (5, 5)
    assert (
        game.verdict.text == "adjudicated at ply 5: a draw, since no game is to have more than 5 placements"
    )
    assert "result=draw" in first.heard_of("end")[0]


def test_an_opening_as_long_as_that_leaves_no_turn():
    game = only(
        play(ScriptedBot("a"), ScriptedBot("b"), adjudication=Adjudication(max_plies=1), opening=(0,))
    )
    assert (game.verdict.why, len(game.turns)) == ("adjudicated", 0)


@pytest.mark.parametrize(("value", "text"), [("x", "won by x"), ("o", "won by o"), ("-", "a draw")])
def test_a_known_value_is_the_result(value, text):
    asked = []

    def oracle(position):
        asked.append(position.ply)
        return value if position.ply == 4 else None

    game = only(
        play(ScriptedBot("a"), ScriptedBot("b"), adjudication=Adjudication(solver=True), oracle=oracle)
    )
    assert (game.verdict.winner, game.verdict.why, len(game.moves)) == (value, "adjudicated", 4)
    assert game.verdict.text == f"adjudicated at ply 4: the solver knows that the position is {text}"
    assert asked == [0, 1, 2, 3, 4]


def test_no_oracle_is_asked_where_none_was_asked_for_nor_is_one_needed():
    def oracle(position):
        raise AssertionError("asked")

    for adjudication in (None, Adjudication(max_plies=99)):
        game = only(play(ScriptedBot("a"), ScriptedBot("b"), adjudication=adjudication, oracle=oracle))
        assert game.verdict.why in ("five", "group")
    game = only(play(ScriptedBot("a"), ScriptedBot("b"), adjudication=Adjudication(solver=True)))
    assert game.verdict.why in ("five", "group")


def test_who_knows_goes_before_who_believes_and_both_before_the_length():
    everything = Adjudication(Resignation(900, 3), max_plies=6, solver=True)
    one, two = reporting("a", 1000), reporting("b", 0)
    assert (
        only(
            play(one, two, adjudication=everything, oracle=lambda p: "o" if p.ply == 6 else None)
        ).verdict.winner
        == "o"
    )
    one, two = reporting("a", 1000), reporting("b", 0)
    assert only(play(one, two, adjudication=everything, oracle=lambda p: None)).verdict.winner == "x"


def test_the_rules_of_the_game_go_before_all():
    by_rules = only(play(reporting("a", 500), reporting("b", 500)))
    plies = len(by_rules.moves)
    game = only(play(reporting("a", 500), reporting("b", 500), adjudication=Adjudication(max_plies=plies)))
    assert (game.verdict, game.moves) == (by_rules.verdict, by_rules.moves)


# --- beside faults ---------------------------------------------------------------------------------------------------


def test_an_answer_that_ends_the_game_stands_before_a_fault_that_came_with_it():
    bot = ScriptedBot("a").on("turn", 2, (1, b"move {id} {legal}\n"), (1, GONE))
    played = play(bot, ScriptedBot("b"), games=2, adjudication=Adjudication(max_plies=3))
    first, second = played.games
    assert (first.verdict.why, len(first.moves)) == ("adjudicated", 3)
    assert (second.verdict.why, second.verdict.fault) == ("crash", "o")


def test_a_fault_before_the_first_turn_is_judged_and_not_adjudicated():
    bot = ScriptedBot("a").on("game", 1, (1, GONE))
    game = only(play(bot, ScriptedBot("b"), adjudication=Adjudication(max_plies=1), opening=(0,)))
    assert (game.verdict.why, game.verdict.winner) == ("crash", "o")


def test_a_match_goes_on_and_counts_an_adjudicated_game():
    played = play(
        reporting("a", 1000), reporting("b", 0), games=2, adjudication=AGREED, control=TimeControl.each("1")
    )
    assert played.ends() == [("x", "adjudicated"), ("o", "adjudicated")]
    assert (played.score.wins, played.score.faults, played.score.voids) == (2, 0, 0)


def test_what_may_end_a_game_stands_among_its_conditions():
    assert (
        only(play(reporting("a", 1000), reporting("b", 0), adjudication=AGREED)).conditions.adjudication
        == AGREED
    )
    assert only(play(ScriptedBot("a"), ScriptedBot("b"))).conditions.adjudication is None


# --- as an operator writes it ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ((), None),
        (("resign",), Adjudication(Resignation(900, 3))),
        (("resign=950",), Adjudication(Resignation(950, 3))),
        (("resign=950,2", "plies=60"), Adjudication(Resignation(950, 2), 60)),
        (("plies=60", "solver"), Adjudication(None, 60, True)),
    ],
)
def test_what_an_operator_writes_is_read(words, asked):
    assert Adjudication.parse(words) == asked


@given(
    st.builds(
        Adjudication,
        st.none() | st.builds(Resignation, st.integers(501, 1000), st.integers(1, 99)),
        st.none() | st.integers(1, 999),
        st.booleans(),
    )
)
def test_what_is_written_is_read_the_same(asked):
    assert (Adjudication.parse(str(asked).split()) or Adjudication()) == asked


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("resign=500", "an eval of 500 says of no side that it wins; give 501 to 1000"),
        ("resign=1001,3", "give 501 to 1000"),
        ("resign=900,0", "0 answers of each side say nothing; give 1 or more"),
        ("resign=", "'resign=' is not understood; write resign, resign=EVAL,PLIES"),
        ("resign=900,3,1", "is not understood"),
        ("resign=9²", "is not understood"),
        ("plies", "'plies' is not understood"),
        ("plies=0", "a game of 0 placements is none"),
        ("plies=1,2", "is not understood"),
        ("solver=1", "is not understood"),
        ("\x1b[2J", r"'\x1b[2J' is not understood"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_in_one_line(word, says):
    with pytest.raises(AdjudicationError) as refused:
        Adjudication.parse([word])
    assert says in str(refused.value) and str(refused.value).isprintable()


def test_nothing_is_asked_for_twice():
    with pytest.raises(AdjudicationError, match="resign is asked for twice"):
        Adjudication.parse(["resign", "resign=950"])
