"""How a seat outlives its bots and the arena's byes: deaths, pauses and last words, on a clock that the test moves."""

import pytest

from donuts_protocol.messages import Bye, Error, Leave, Ping, Ready
from donuts_referee.channels.link import Exit, Shortage, StartFailure
from donuts_referee.joining.sentences import died
from joining.scene import HELLO, A, B, Scene, end

# --- a bot that ends --------------------------------------------------------------------------------------------------


def test_a_death_in_a_game_is_a_bye_and_a_new_session_when_the_end_has_come() -> None:
    scene = Scene()
    game = scene.playing()
    scene.says(scene.turn(game))
    scene.hears()
    scene.dies()
    what = "the bot ended with exit status 3"
    assert scene.answers() == [Error(id=None, code="crash", text=what), Leave(text=what)]
    assert scene.done == ["end", "start"]
    scene.writes(HELLO)
    scene.says(end(game))
    assert scene.hears() == [] and scene.done == ["end", "start"]
    scene.says(Bye(why="done"))
    assert scene.done == ["end", "start", "drop", "dial"] and scene.bridge.finish is None
    assert scene.connects().session is None


def test_an_arena_that_says_nothing_about_the_game_is_not_waited_for() -> None:
    scene = Scene(games=1)
    scene.playing()
    scene.dies()
    scene.passes(1)
    assert scene.bridge.finish == (("", True)), "the game that was lost counts"


def test_a_death_while_the_arena_is_away_ends_the_session() -> None:
    scene = Scene()
    game = scene.playing()
    scene.says(scene.turn(game))
    scene.bridge.lost(scene.now)
    scene.dies()
    scene.writes(HELLO)
    assert scene.connects().session is None and scene.frames == []


def test_between_games_the_next_process_takes_the_seat_and_what_was_asked() -> None:
    scene = Scene().seated()
    scene.says(Ping(id=scene.arena.next_id()))
    scene.dies()
    scene.says(game := scene.game())
    assert scene.hears() == ["ping"] and scene.done == ["end", "start"]
    scene.writes(HELLO)
    assert scene.hears() == ["welcome", "game"] and "dial" not in scene.done and scene.told[1:] == []
    scene.dies()  # before it is ready: no game was played
    scene.writes(HELLO)
    assert scene.hears() == ["welcome", "game"] and scene.answers() == []
    scene.writes(b"ready %d" % game.id)
    assert scene.answers() == [Ready(id=game.id)]


def test_a_process_that_greets_otherwise_dials_anew_in_the_same_session() -> None:
    scene = Scene().seated()
    scene.dies()
    scene.writes(HELLO + b" ver=2")
    assert scene.done[-1] == "dial"
    hello = scene.connects()
    assert (hello.ver, hello.session) == ("2", A)
    scene.welcomes()
    assert scene.hears() == ["welcome"]


def test_three_deaths_without_a_game_are_enough() -> None:
    scene = Scene().seated()
    for _ in range(2):
        scene.dies()
        scene.writes(HELLO)
    scene.says(game := scene.game())
    scene.writes(b"ready %d" % game.id)
    scene.says(end(game.id))  # a game, after which the count begins anew
    for _ in range(2):
        scene.dies()
        scene.writes(HELLO)
    assert scene.bridge.finish is None
    scene.answers()
    scene.dies()
    finish = scene.bridge.finish
    assert finish is not None and not finish.good
    assert finish.text == (
        "the bot ended with exit status 3, 3 times without a finished game; stderr ends: no weights"
    )
    assert [type(one) for one in scene.answers()] == [Leave]


def test_no_hello_in_time_is_final_the_first_time_only() -> None:
    scene = Scene()
    scene.bridge.begin(scene.now)
    scene.passes(29.9)
    assert scene.bridge.finish is None
    scene.passes(0.2)
    assert scene.bridge.finish is not None and "no hello within 30000 ms" in scene.bridge.finish.text
    scene = Scene().seated()
    scene.dies()
    scene.dies()
    assert scene.bridge.finish is None and scene.done == ["end", "start", "end", "end", "start"]


@pytest.mark.parametrize("kind", [StartFailure, Shortage])
def test_a_program_that_cannot_be_started_is_final(kind) -> None:
    scene = Scene().seated()
    scene.kind = kind
    scene.refusal = "cannot start x: it is not executable"
    scene.dies()
    assert scene.bridge.finish == ("cannot start x: it is not executable", False)


@pytest.mark.parametrize(
    ("exit_", "told"),
    [
        (Exit(3, None), "the bot ended with exit status 3"),
        (Exit(None, 11), "the bot was killed by SIGSEGV"),
        (
            Exit(None, 15, sent=15, closed=True),
            "the bot closed its stdout and lived on, for which it was ended with SIGTERM",
        ),
        (
            Exit(0, None, closed=True),
            "the bot closed its stdout and lived on until its stdin closed, then exit status 0",
        ),
        (Exit(None, None), "the bot closed its stdout"),
    ],
)
def test_a_death_is_told_from_an_end_that_was_ours(exit_, told) -> None:
    assert died(exit_) == told


# --- the arena says bye -----------------------------------------------------------------------------------------------


def test_pauses_after_bye_double_and_a_game_makes_them_short_again() -> None:
    scene = Scene().seated()
    for pause in (1, 2, 4):
        scene.says(Bye(why="drain"))
        assert scene.hears() == ["bye"] and scene.done == ["drop", "end"]
        scene.passes(pause - 0.01)
        assert scene.done == ["drop", "end"]
        scene.passes(0.01)
        scene.writes(HELLO)
        assert scene.done == ["drop", "end", "start", "dial"]
        scene.connects()
        scene.welcomes(B if scene.token == A else A)
        assert scene.hears() == ["welcome"]
        scene.done.clear()
    scene.says(game := scene.game())
    scene.writes(b"ready %d" % game.id)
    scene.says(end(game.id))
    scene.says(Bye(why="drain"))
    assert scene.told[-1].endswith("in 1 s")


def test_a_bot_that_was_not_greeted_waits_through_a_busy_arena() -> None:
    scene = Scene()
    scene.bridge.begin(scene.now)
    scene.writes(HELLO)
    scene.connects()
    scene.arena = scene.newcomer
    scene.says(Bye(why="busy"))
    scene.passes(1)
    assert scene.done == ["start", "dial", "drop", "dial"] and scene.hears() == []


def test_done_is_the_good_end() -> None:
    scene = Scene().seated()
    scene.says(Bye(why="done"))
    assert scene.hears() == ["bye"] and scene.done == ["drop", "end"]
    assert scene.bridge.finish == ("", True)


def test_a_version_is_named() -> None:
    scene = Scene().seated()
    scene.says(Bye(why="version", min=2, max=3))
    assert scene.bridge.finish == (
        "the arena speaks DBP 2-3, which the bot does not; build the bot for it",
        False,
    )


def test_a_time_control_that_is_not_offered_is_told_to_people() -> None:
    scene = Scene().seated()
    scene.says(Error(id=None, code="tc", text="60+0.1 or \\inf"))
    assert scene.hears() == []
    assert scene.told[-1] == "the arena does not offer this time control: 60+0.1 or \\\\inf"


def test_the_operator_parts_from_both_sides() -> None:
    scene = Scene()
    scene.playing()
    scene.bridge.stop()
    assert scene.answers() == [Leave(text="stopped by its operator")]
    assert scene.bot == [b"bye why=abort"] and scene.done == ["drop", "end"]
