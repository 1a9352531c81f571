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


def ends(bot):
    return [line.split("more=")[1][0] for line in bot.heard_of("end")]


def test_more_says_whether_a_game_really_follows():
    good = ScriptedBot("good")
    play(ScriptedBot("once").on("turn", 1, (1, GONE)), good, on_fault="void")
    assert ends(good) == ["1", "0"]
    good = ScriptedBot("good")
    play(ScriptedBot("bad").on("turn", 1, (1, GONE)), good, games=6, on_fault="stop")
    assert ends(good) == ["0"]
    parent = ScriptedBot("parent").on("turn", 2, (1, b"debug\n" * 11))
    parent.again = False
    play(parent, ScriptedBot("good"), games=4)
    assert ends(parent) == ["0"]


def test_a_bot_that_cannot_be_started_again_ends_a_match_that_would_replay_its_game():
    parent = ScriptedBot("parent").on("turn", 2, (1, GONE))
    parent.again = False
    played = play(parent, ScriptedBot("good"), on_fault="void")
    assert [game.verdict.why for game in played.games] == ["crash"]
    assert played.score.stopped == "parent cannot be started again"
    assert len(parent.links) == 1


def test_each_bot_is_sent_away_with_its_own_code():
    x = ScriptedBot("x").on("start", 1, (1, b"hello name=x\n"))
    o = ScriptedBot("o").on("start", 1, (1, b"hello donuts=2-3 name=o\n"))
    play(x, o)
    assert [bot.heard_of("bye")[0] for bot in (x, o)] == ["bye why=start", "bye why=version min=1 max=1"]


def test_a_game_that_was_never_announced_does_not_repeat_the_noise_of_the_last_one():
    probe = play(ScriptedBot("p"), ScriptedBot("q"))
    length = len(probe.games[0].moves)
    turn = (length + 1) // 2
    x, o = ScriptedBot("p"), ScriptedBot("q")
    last = x if length % 2 else o
    last.on("turn", 1, (1, b"debug\nmove {id} {legal}\n")).on(
        "turn", turn, (1, b"move {id} {legal}\n"), (1, GONE)
    )
    played = play(x, o, games=2)
    sides = [next(s for s in (game.x, game.o) if s.bot == last.name) for game in played.games]
    assert [side.noise for side in sides] == [1, 0]
