"""One scripted match per row of the table of ends and faults; time is virtual, nothing sleeps."""

import pytest

from donuts_engine.board import Board
from donuts_engine.outcome import outcome
from donuts_engine.position import Position
from donuts_engine.rules import play as place
from donuts_engine.squares import NAMES
from donuts_referee.channels.link import Exit, StartFailure
from donuts_referee.table.control import TimeControl
from donuts_referee.table.events import GameStarted, MatchOver, MovePlayed, Warned
from table.scripted import GONE, LAYOUT, MS, ScriptedBot, VirtualExchange, play

MOVETIME = TimeControl.each("0.1")


def replayed(game):
    position = Position.start(Board(game.layout), game.rings)
    for square in game.moves:
        position = place(position, NAMES[game.size].index(square))
    return position


def test_two_honest_bots_play_to_the_end_by_the_rules():
    played = play(ScriptedBot("a"), ScriptedBot("b"), games=2, each_move=True)
    assert [game.verdict.why in ("five", "group") for game in played.games] == [True, True]
    for game in played.games:
        end = replayed(game)
        result = outcome(end)
        assert result is not None
        assert (game.cells, game.verdict.winner, game.verdict.why) == (end.cells, result.winner, result.why)
        assert len(game.turns) == len(game.moves)
        assert all(turn.used == 1 * MS and turn.spent == 1 for turn in game.turns)
    assert [game.x.bot for game in played.games] == ["a", "b"]
    moves = [event for event in played.events if isinstance(event, MovePlayed)]
    assert len(moves) == sum(len(game.moves) for game in played.games)
    assert isinstance(played.events[-1], MatchOver)
    assert played.score.games == 2 and sum(played.score.points) == 2.0


def test_the_words_of_an_honest_game_are_in_order_and_the_bot_stays_for_the_second_one():
    bot = ScriptedBot("a")
    play(bot, ScriptedBot("b"), games=2)
    verbs = [line.split()[0] for line in bot.heard]
    assert verbs[:3] == ["welcome", "game", "turn"]
    assert verbs.count("game") == verbs.count("end") == 2
    assert verbs[-1] == "bye" and bot.heard[-1] == "bye why=done"
    assert len(bot.links) == 1
    ids = [int(line.split()[1]) for line in bot.heard if line.split()[0] in ("game", "turn")]
    assert ids == sorted(set(ids))
    assert [line.rsplit("more=", 1)[1][0] for line in bot.heard_of("end")] == ["1", "0"]


def test_the_opening_is_placed_for_both_and_the_first_turn_follows_it():
    bot, other = ScriptedBot("a"), ScriptedBot("b")
    start = Position.start(Board(LAYOUT), 15)
    first = start.legal[3]
    second = place(start, first).legal[0]
    played = play(bot, other, opening=(first, second))
    assert "ply=2" in bot.heard_of("turn")[0]
    assert played.games[0].moves[:2] == played.games[0].opening
    assert len(played.games[0].turns) == len(played.games[0].moves) - 2


def test_clocks_in_the_turns_are_those_of_the_record():
    bot, other = ScriptedBot("a", think=790), ScriptedBot("b", think=10)
    played = play(bot, other)
    second = bot.heard_of("turn")[1]
    assert "clock=59410 oclock=60090" in second and second.endswith("margin=50 spent=790")
    own = [turn for turn in played.games[0].turns if turn.side == "x"]
    assert [turn.clock for turn in own[:2]] == [59_310, 58_620]


# --- one row per fault -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verb", "nth", "reaction", "why", "text"),
    [
        ("turn", 2, b"move {id} z9\n", "malformed", ""),
        ("turn", 2, b"move {id} i9\n", "illegal", "off the 6 x 6 board"),
        ("turn", 2, b"move {id}\n", "malformed", ""),
        ("turn", 2, b"move 99999999999 a1\n", "protocol", ""),
        ("turn", 2, b"resign {id}\n", "resign", "gave up"),
        ("turn", 2, b"bye\n", "resign", "said bye"),
        ("turn", 2, b"hello donuts=1-1 name=again\n", "protocol", ""),
        ("turn", 2, b"x" * 5000 + b"\n", "flood", ""),
        ("turn", 2, b"debug\n" * 11, "protocol", ""),
        ("turn", 2, GONE, "crash", "exit status 0"),
        ("turn", 2, b"move {id} \xff\n", "malformed", ""),
    ],
)
def test_a_fault_on_turn_is_a_loss_with_its_code(verb, nth, reaction, why, text):
    bad = ScriptedBot("bad").on(verb, nth, (5, reaction))
    played = play(bad, ScriptedBot("good"), games=2)
    first, second = played.games
    assert (first.verdict.winner, first.verdict.why) == ("o", why)
    assert text in first.verdict.text and f"{why}" in first.verdict.text
    assert first.verdict.fault == (None if why == "resign" else "x")
    assert second.verdict.why in ("five", "group")


def test_an_occupied_square_and_one_off_the_line_are_illegal_and_the_error_quotes_them():
    for square, reason in (("a1", "taken"), ("c6", "not on the line")):
        bad = ScriptedBot("bad").on("turn", 2, (5, b"move {id} %s\n" % square.encode()))
        played = play(bad, ScriptedBot("good"))
        assert played.ends() == [("o", "illegal")]
        assert f"{square} is {reason}" in played.games[0].verdict.text.replace(
            "not on the line of", "not on the line"
        )
        assert square in bad.heard_of("error")[0]


@pytest.mark.parametrize(
    "silence", [(), ((40, b"# thinking\n"), (90, b"# still\n"), (140, b"# soon\n"), (149.9, b"# ...\n"))]
)
def test_a_silent_bot_loses_at_limit_and_margin_and_comments_gain_nothing(silence):
    slow = ScriptedBot("slow").on("turn", 1, *silence)
    played = play(slow, ScriptedBot("good"), games=2, control=MOVETIME)
    game = played.games[0]
    assert (game.verdict.winner, game.verdict.why) == ("o", "timeout")
    assert game.verdict.text == "timeout at ply 0: used 150 of 100 ms + 50 margin; referee late by 0"
    assert game.turns[-1].used == 150 * MS
    assert slow.heard_of("cancel")[0].endswith("why=timeout")
    assert len(slow.heard_of("ping")) == 1 and len(slow.links) == 1


@pytest.mark.parametrize(("think", "why"), [(150, None), (150.000001, "timeout")])
def test_the_last_nanosecond_of_the_margin_counts(think, why):
    slow = ScriptedBot("slow").on("turn", 1, (think, b"move {id} {legal}\n"))
    game = play(slow, ScriptedBot("good"), control=MOVETIME).games[0]
    assert (game.verdict.why == "timeout") is (why is not None)


def test_an_answer_that_was_readable_when_a_late_referee_woke_up_is_in_time():
    slow = ScriptedBot("slow")
    exchange = VirtualExchange()
    slow.on("turn", 1, (120, b"move {id} {legal}\n"))
    original = slow.react

    def late(link, line):
        if line.startswith("turn") and not slow.heard_of("turn")[1:]:
            exchange.lag = 400
        original(link, line)

    slow.react = late
    game = play(slow, ScriptedBot("good"), control=MOVETIME, exchange=exchange).games[0]
    assert game.verdict.why in ("five", "group")
    assert game.turns[0].used == 150 * MS
    assert game.turns[0].lateness == 370 * MS


def test_an_illegal_move_that_comes_late_is_a_timeout():
    slow = ScriptedBot("slow").on("turn", 1, (200, b"move {id} z9\n"))
    played = play(slow, ScriptedBot("good"), control=MOVETIME, games=2)
    assert played.ends()[0] == ("o", "timeout")


def test_a_late_reply_is_dropped_and_counted_when_it_comes_in_the_next_turn():
    slow = ScriptedBot("slow").on("turn", 1, (151, b"move {id} {legal}\n")).on("ping", 1, (1, b"pong {id}\n"))
    played = play(slow, ScriptedBot("good"), control=MOVETIME, games=2)
    assert played.ends()[0] == ("o", "timeout")
    assert played.games[1].verdict.why in ("five", "group")
    assert any(isinstance(event, Warned) and event.why == "late" for event in played.events)


def test_a_bot_that_does_not_answer_the_ping_is_replaced():
    slow = ScriptedBot("slow").on("turn", 1).on("ping", 1)
    played = play(slow, ScriptedBot("good"), control=MOVETIME, games=2)
    assert played.ends()[0] == ("o", "timeout")
    assert len(slow.links) == 2


def test_two_replies_to_one_turn_play_the_first_and_count_the_second():
    bad = ScriptedBot("bad").on("turn", 2, (5, b"move {id} {legal}\nmove {id} {legal}\n"))
    game = play(bad, ScriptedBot("good")).games[0]
    assert game.verdict.why in ("five", "group")
    assert (game.x.late, game.o.late) == (1, 0)


def test_a_reply_in_two_pieces_is_timed_by_its_last():
    slow = ScriptedBot("slow").on("turn", 1, (10, b"move {id} "), (60, b"{legal}\n"))
    slow_turn = ScriptedBot.react

    game = play(slow, ScriptedBot("good")).games[0]
    assert slow_turn is ScriptedBot.react
    assert game.turns[0].used == 60 * MS


def test_an_answer_read_together_with_the_end_of_the_process_stands_and_then_the_crash_is_judged():
    bad = ScriptedBot("bad").on("turn", 2, (5, b"move {id} {legal}\n"), (5, GONE))
    bad.exit = Exit(None, 11)
    game = play(bad, ScriptedBot("good")).games[0]
    assert (game.verdict.winner, game.verdict.why) == ("o", "crash")
    assert "killed by SIGSEGV" in game.verdict.text
    assert len(game.moves) == 3 and game.turns[-1].sq is not None


def test_a_bot_that_dies_off_turn_loses_at_once_and_the_turn_is_cancelled():
    bad = ScriptedBot("bad").on("turn", 1, (1, b"move {id} {legal}\n"), (50, GONE))
    good = ScriptedBot("good", think=500)
    played = play(bad, good, games=2)
    assert played.ends()[0] == ("o", "crash")
    assert good.heard_of("cancel")[0].endswith("why=crash")
    assert played.games[1].verdict.why in ("five", "group")
    assert len(bad.links) == 2


def test_a_reply_without_its_line_feed_at_eof_is_malformed():
    bad = ScriptedBot("bad").on("turn", 2, (5, b"move {id} {legal}"), (6, GONE))
    played = play(bad, ScriptedBot("good"), games=2)
    assert played.ends()[0] == ("o", "malformed")
    assert played.games[1].verdict.why in ("five", "group")


def test_both_dead_in_one_wake_up_is_void():
    x = ScriptedBot("x").on("turn", 2, (5, GONE))
    o = ScriptedBot("o").on("turn", 1, (1, b"move {id} {legal}\n"), (6, GONE))
    played = play(x, o)
    game = played.games[0]
    assert (game.verdict.winner, game.verdict.why, game.verdict.void, game.verdict.fault) == (
        "-",
        "crash",
        True,
        "xo",
    )
    assert played.score.voids == 1 and played.score.points == (0, 0)


# --- starting ----------------------------------------------------------------------------------------------------


def test_a_program_that_cannot_be_started_twice_is_not_tried_again():
    bad = ScriptedBot("bad")
    bad.failing_starts = {n: StartFailure("./bad is not executable; chmod +x it", 126) for n in range(1, 9)}
    played = play(bad, ScriptedBot("good"), games=4)
    assert played.ends() == [("o", "start"), ("x", "start"), ("o", "start"), ("x", "start")]
    assert len(bad.links) == 2
    assert "not executable" in played.games[0].verdict.text
    assert "not tried again" in played.games[3].verdict.text
    assert played.games[0].x.exit_status == 126
    assert played.score.starts == 4


@pytest.mark.parametrize(
    ("script", "text"),
    [
        (("start", ()), "flushed"),
        (("start", ((1, b"hi there\n"),)), "no valid hello"),
        (("start", ((1, b"hello name=x\n"),)), "start"),
        (("start", ((5, GONE),)), "ended before hello"),
        (("game", ()), "no ready within"),
    ],
)
def test_a_bot_that_does_not_get_ready_loses_by_start(script, text):
    bad = ScriptedBot("bad").on(script[0], 1, *script[1])
    bad.exit = Exit(1, None)
    played = play(bad, ScriptedBot("good"), games=2)
    game = played.games[0]
    assert (game.verdict.winner, game.verdict.why) == ("o", "start")
    assert text in game.verdict.text
    assert played.games[1].verdict.why in ("five", "group")
    assert len(bad.links) == 2


def test_no_common_version_is_told_and_lost():
    bad = ScriptedBot("bad").on("start", 1, (1, b"hello donuts=7-9 name=bad\n"))
    played = play(bad, ScriptedBot("good"), games=2)
    assert played.ends()[0] == ("o", "version")
    assert bad.heard_of("bye")[0] == "bye why=version min=1 max=1"


def test_neither_ready_is_void():
    x, o = ScriptedBot("x").on("start", 1), ScriptedBot("o").on("start", 1)
    played = play(x, o)
    assert (played.games[0].verdict.winner, played.games[0].verdict.why) == ("-", "start")
    assert played.games[0].verdict.void and played.score.voids == 1


def test_the_slower_start_of_the_other_is_waited_for_before_both_are_judged():
    x = ScriptedBot("x").on("start", 1, (5, GONE))
    o = ScriptedBot("o").on("start", 1, (5000, GONE))
    assert play(x, o).games[0].verdict.void


def test_a_crash_before_the_first_turn_keeps_its_own_code():
    bad = ScriptedBot("bad").on("game", 1, (1, GONE))
    played = play(bad, ScriptedBot("good"), games=2)
    assert played.ends()[0] == ("o", "crash")
    assert played.games[1].verdict.why in ("five", "group")


def test_bye_between_games_is_no_fault():
    leaver = ScriptedBot("leaver").on("end", 1, (1, b"bye\n"), (2, GONE))
    played = play(leaver, ScriptedBot("good"), games=2)
    assert [why in ("five", "group") for _, why in played.ends()] == [True, True]
    assert len(leaver.links) == 2


def test_a_crash_together_with_the_last_move_is_charged_to_the_next_game():
    probe = ScriptedBot("p")
    length = len(play(probe, ScriptedBot("q")).games[0].moves)
    last = ScriptedBot("p") if length % 2 else ScriptedBot("q")
    last.on("turn", (length + 1) // 2, (1, b"move {id} {legal}\n"), (1, GONE))
    pair = (last, ScriptedBot("q")) if length % 2 else (ScriptedBot("p"), last)
    played = play(*pair, games=3)
    assert played.games[0].verdict.why in ("five", "group")
    assert played.games[1].verdict.why == "crash"
    assert getattr(played.games[1], played.games[1].verdict.fault).bot == last.name
    assert played.games[2].verdict.why in ("five", "group")


def test_a_bot_that_does_not_read_is_unread_after_a_second():
    bad = ScriptedBot("bad")
    original = bad.react

    def stop_reading(link, line):
        if line.startswith("turn"):
            link.full = True
        else:
            original(link, line)

    bad.react = stop_reading
    game = play(bad, ScriptedBot("good")).games[0]
    assert (game.verdict.winner, game.verdict.why) == ("o", "unread")
    assert "1000 ms" in game.verdict.text


def test_the_clock_of_a_turn_starts_when_the_kernel_has_all_of_it():
    bot = ScriptedBot("bot")
    original = bot.react

    def slow_pipe(link, line):
        if line.startswith("turn") and len(bot.heard_of("turn")) == 1:
            link.full = True
            link.drain(300)
            number = line.split()[1].encode()
            link.say(310, b"move %s a1\n" % number)
        else:
            original(link, line)

    bot.react = slow_pipe
    game = play(bot, ScriptedBot("good"), control=MOVETIME).games[0]
    assert game.turns[0].used == 10 * MS


# --- policies and endings of a match -------------------------------------------------------------------------------


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
    from donuts_referee.channels.drive import drive
    from donuts_referee.table.entrant import MatchRules, Setting
    from donuts_referee.table.match import match

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
