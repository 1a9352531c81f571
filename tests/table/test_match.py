"""Policies, interrupts and the order of events over the games of a match, on virtual time."""

import pytest

from donuts_engine.board import Board
from donuts_referee.channels.drive import drive
from donuts_referee.table.entrant import MatchRules, Setting
from donuts_referee.table.events import GameStarted
from donuts_referee.table.match import match
from table.scripted import GONE, LAYOUT, MS, ScriptedBot, VirtualExchange, play


def test_void_on_fault_plays_again_and_at_last_the_loss_stands():
    once = ScriptedBot("once").on("turn", 1, (1, GONE))
    played = play(once, ScriptedBot("good"), on_fault="void")
    assert [(g.number, g.verdict.why, g.verdict.void) for g in played.games[:1]] == [(1, "crash", True)]
    assert len(played.games) == 2 and played.games[1].verdict.why in ("five", "group")
    always = ScriptedBot("always").on("turn", 0, (1, GONE))
    played = play(always, ScriptedBot("good"), on_fault="void")
    assert [g.verdict.void for g in played.games] == [True, True, True, False]
    assert played.ends()[-1] == ("o", "crash")


def test_void_on_fault_leaves_illegal_moves_a_loss():
    bad = ScriptedBot("bad").on("turn", 1, (1, b"move {id} i9\n"))
    played = play(bad, ScriptedBot("good"), on_fault="void")
    assert played.ends() == [("o", "illegal")]


def test_stop_on_fault_ends_the_match_with_the_loss():
    bad = ScriptedBot("bad").on("turn", 1, (1, GONE))
    played = play(bad, ScriptedBot("good"), games=6, on_fault="stop")
    assert played.ends() == [("o", "crash")]
    assert played.score.stopped == "crash in game 1"


def test_an_interrupt_makes_the_running_game_void_and_keeps_the_others():
    exchange = VirtualExchange()
    first = play(ScriptedBot("a"), ScriptedBot("b"))
    exchange.interrupt_at = exchange.time + round(first.games[0].seconds * 1e9) + 8 * MS
    played = play(ScriptedBot("a"), ScriptedBot("b"), games=3, exchange=exchange)
    assert [g.verdict.why for g in played.games] == [first.games[0].verdict.why, "abort"]
    assert played.score.interrupted and played.score.voids == 1


def test_a_bot_that_cannot_be_started_again_ends_the_match():
    parent = ScriptedBot("parent").on("turn", 2, (1, b"debug\n" * 11))
    parent.again = False
    played = play(parent, ScriptedBot("good"), games=4)
    assert len(played.games) == 1
    assert played.score.stopped == "parent cannot be started again"


def test_the_referees_own_failure_is_void_and_is_not_hidden():
    exchange = VirtualExchange()
    events = []

    def broken(link, line):
        raise ZeroDivisionError("bug")

    bot = ScriptedBot("bot")
    original = bot.react
    bot.react = lambda link, line: broken(link, line) if line.startswith("turn") else original(link, line)
    setting = Setting(board=Board(LAYOUT), rings=15, seed=1)
    steps = match(
        bot.entrant(exchange),
        ScriptedBot("o").entrant(exchange),
        [setting],
        MatchRules(),
        exchange.now,
        events.append,
    )
    with pytest.raises(ZeroDivisionError):
        drive(steps, exchange)
    game = next(event.game for event in events if hasattr(event, "game"))
    assert (game.verdict.why, game.verdict.winner, game.verdict.void) == ("referee", "-", True)
    assert all(link.reaped for link in bot.links)


def test_events_come_in_order():
    played = play(ScriptedBot("a"), ScriptedBot("b"), games=2)
    kinds = [type(event).__name__ for event in played.events]
    assert kinds == ["GameStarted", "GameOver", "GameStarted", "GameOver", "MatchOver"]
    started = [event for event in played.events if isinstance(event, GameStarted)]
    assert [(event.x, event.o, event.number, event.of) for event in started] == [
        ("a", "b", 1, 2),
        ("b", "a", 2, 2),
    ]
