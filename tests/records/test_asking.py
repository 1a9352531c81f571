"""One turn asked again waits and judges as a game does: on virtual time, each end beside that of a game."""

import re

import pytest

from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_referee.channels.drive import drive
from donuts_referee.channels.link import Exit
from donuts_referee.probing import HELLO, Asked, Question, ask
from donuts_referee.table.clock import SideClock
from donuts_referee.table.control import TimeControl
from donuts_referee.table.finished import Conditions, FinishedGame
from table.scripted import GONE, LAYOUT, MS, SHUT, ScriptedBot, VirtualExchange, play

CONTROL = TimeControl.each("0.1")
LIMIT, MARGIN = 100 * MS, 50 * MS


def probed(bot: ScriptedBot, control: TimeControl = CONTROL) -> Asked:
    """The first turn of a game, asked again."""
    exchange = VirtualExchange()
    asked = Question(
        position=Position.start(Board(LAYOUT), 15),
        conditions=Conditions(
            main=control.main,
            inc=control.inc,
            movemax=control.movemax,
            margin=control.margin,
            prep=control.prep,
        ),
        allowed=SideClock(control).begin(),
        oclock=control.main,
        spent=0,
        seed=7,
        opp="other",
        moves=(),
        id=None,
        sq=None,
    )
    told = drive(ask(asked, bot.entrant(exchange), exchange.now), exchange)
    assert all(link.reaped for link in bot.links)
    return told


def played(bot: ScriptedBot, control: TimeControl = CONTROL) -> FinishedGame:
    """The same turn in a game."""
    return play(bot, ScriptedBot("other"), control=control).games[0]


def late(bot: ScriptedBot, lag: float, verb: str = "turn") -> ScriptedBot:
    """Let the referee not be scheduled for `lag` ms, once, while the bot answers its first such line."""
    original = bot.react

    def react(link, line):
        original(link, line)
        if line.split()[0] == verb and len([one for one in bot.heard if one.split()[0] == verb]) <= 1:
            link.exchange.lag = lag

    bot.react = react
    return bot


@pytest.mark.parametrize(
    ("think", "lag", "used"),
    [
        (20, 0, 20 * MS),
        (150, 0, LIMIT + MARGIN),
        (20, 500, LIMIT + MARGIN),  # readable in time, read 350 ms too late
        (150, 1, LIMIT + MARGIN),
        (149, 1, LIMIT + MARGIN),
        (149, 3, LIMIT + MARGIN),
        (160, 30, LIMIT + MARGIN),  # came too late, but was there when the wait ended
    ],
)
def test_an_answer_that_was_readable_has_never_used_more_than_limit_and_margin(think, lag, used):
    """DBP-8.9, in an asking as in a game."""
    told = probed(late(ScriptedBot("slow").on("turn", 1, (think, b"move {id} {legal}\n")), lag))
    assert (told.why, told.used) == (None, used)
    game = played(late(ScriptedBot("slow").on("turn", 1, (think, b"move {id} {legal}\n")), lag))
    assert game.turns[0].used == used


ENDS = {
    "timeout": [()],
    "unread": [((0, SHUT),)],
    "crash": [((5, GONE),)],
    "illegal": [((5, b"move {id} i9\n"),)],
    "malformed": [((5, b"move {id} z\n"),)],
    "resign": [((5, b"resign {id}\n"),), ((5, b"bye\n"),)],
    "protocol": [((5, b"move 99999 a1\n"),)],
    "flood": [((5, b"x" * 5000),)],
}


@pytest.mark.parametrize(("why", "reactions"), [(why, one) for why in ENDS for one in ENDS[why]])
@pytest.mark.parametrize("unclocked", [False, True])
def test_an_asking_ends_as_the_game_would(why, reactions, unclocked):
    if why == "timeout" and unclocked:
        return
    # a stdin that is closed is told of after a second: the clock must not be up before
    control = TimeControl.parse("inf") if unclocked else CONTROL if why != "unread" else TimeControl.each("3")

    def bot() -> ScriptedBot:
        bad = ScriptedBot("bad").on("turn", 1, *reactions)
        bad.exit = Exit(0, None, closed=True)
        return bad

    told, game = probed(bot(), control), played(bot(), control)
    assert (told.why, game.verdict.why) == (why, why)
    if reactions != ((5, b"bye\n"),):
        assert plain(told.text) == plain(game.verdict.text)


def plain(text: str) -> str:
    """Without the ids, which are drawn, and without the place, which not every sentence names."""
    return re.sub(r"\A\w+ at ply 0: |\d{6,}", "", text)


def test_a_stdin_that_stays_full_is_unread_after_a_second_in_both():
    def bot() -> ScriptedBot:
        bad = ScriptedBot("bad")
        original = bad.react

        def stop_reading(link, line):
            if line.startswith("turn"):
                link.full = True
            else:
                original(link, line)

        bad.react = stop_reading
        return bad

    told, game = probed(bot()), played(bot())
    assert (told.why, told.text) == (game.verdict.why, game.verdict.text)
    assert told.text == "unread at ply 0: stdin was full for 1000 ms; the bot does not read"


@pytest.mark.parametrize(
    ("verb", "within", "answer"),
    [("start", HELLO / MS, b"hello donuts=1-1 name=slow\n"), ("game", CONTROL.prep, b"ready {id}\n")],
)
def test_what_is_readable_when_a_late_wait_ends_has_come_in_time(verb, within, answer):
    in_time = late(ScriptedBot("slow").on(verb, 1, (within + 1, answer)), 2, verb)
    assert probed(in_time).why is None
    too_late = ScriptedBot("slow").on(verb, 1, (within + 1, answer))
    assert probed(too_late).why == "start"
