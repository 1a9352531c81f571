"""One scripted match per row of the table of ends and faults; time is virtual, nothing sleeps."""

import pytest

from donuts_engine.board import Board
from donuts_engine.outcome import outcome
from donuts_engine.position import Position
from donuts_engine.rules import play as place
from donuts_engine.squares import NAMES
from donuts_referee.channels.link import Exit
from donuts_referee.table.control import TimeControl
from donuts_referee.table.events import MatchOver, MovePlayed, Warned
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


@pytest.mark.parametrize(
    ("exit_", "told", "recorded"),
    [
        (Exit(3, None), "exit status 3", (3, None, None)),
        (Exit(None, 11), "killed by SIGSEGV", (None, 11, None)),
        (Exit(None, 15), "killed by SIGTERM", (None, 15, None)),
        (Exit(None, 50), "killed by signal 50", (None, 50, None)),
        (
            Exit(0, None, closed=True),
            "closed its stdout and lived on until its stdin closed, then exit status 0",
            (0, None, None),
        ),
        (
            Exit(None, 6, closed=True),
            "closed its stdout and lived on until its stdin closed, then killed by SIGABRT",
            (None, 6, None),
        ),
        (
            Exit(None, 15, sent=15, closed=True),
            "closed its stdout and lived on, for which it was ended with SIGTERM",
            (None, None, 15),
        ),
        (
            Exit(0, None, sent=15, closed=True),
            "closed its stdout and lived on, for which it was ended with SIGTERM",
            (0, None, 15),
        ),
        (
            Exit(None, 11, sent=15, closed=True),
            "closed its stdout and lived on, for which it was ended with SIGTERM",
            (None, 11, 15),
        ),
        (Exit(None, None), "the connection ended", (None, None, None)),
    ],
)
@pytest.mark.parametrize("when", ["in a turn", "before hello"])
def test_a_crash_says_and_records_what_the_bot_did_and_what_was_done_to_it(exit_, told, recorded, when):
    verb, prefix = {
        "in a turn": ("turn", "crash at ply 0: "),
        "before hello": ("start", "start: no hello, " if exit_.closed else "start: ended before hello, "),
    }[when]
    bad = ScriptedBot("bad").on(verb, 1, (1, GONE))
    bad.exit = exit_
    game = play(bad, ScriptedBot("good")).games[0]
    assert game.verdict.text == prefix + told
    assert (game.x.exit_status, game.x.exit_signal, game.x.sent_signal) == recorded


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


def test_a_resignation_stands_before_the_others_crash_which_counts_in_the_next_game():
    quitter = ScriptedBot("quitter").on("turn", 2, (5, b"resign {id}\n"))
    other = ScriptedBot("other").on("turn", 1, (1, b"move {id} {legal}\n"), (6, GONE))
    played = play(quitter, other, games=2)
    assert [game.verdict.why for game in played.games] == ["resign", "crash"]
    assert [game.verdict.winner for game in played.games] == ["o", "o"]
    assert played.games[1].verdict.fault == "x"


def test_the_raw_answer_and_the_time_of_a_malformed_one_are_kept():
    bad = ScriptedBot("bad").on("turn", 2, (7, b"move {id} \\x1b[31m\n"))
    game = play(bad, ScriptedBot("good")).games[0]
    assert game.verdict.why == "malformed"
    assert game.turns[-1].used == 7 * MS
    assert game.turns[-1].raw.startswith("move ") and game.turns[-1].sq is None


def test_what_a_report_says_stays_in_the_record():
    bot = ScriptedBot("bot").on(
        "turn", 1, (1, b"move {id} {legal} eval=513 depth=4 nodes=99 pv=a1,b2 text=hm\n")
    )
    turn = play(bot, ScriptedBot("good")).games[0].turns[0]
    assert (turn.eval, turn.depth, turn.nodes, turn.pv, turn.text) == (513, 4, 99, ("a1", "b2"), "hm")


def test_every_byte_both_ways_is_tapped_with_its_stamp():
    taken = []
    play(ScriptedBot("a"), ScriptedBot("b"), tap=lambda *what: taken.append(what))
    stamps = [at for _, at, _, _, _ in taken]
    assert stamps == sorted(stamps)
    words = [(bot, way, data.split()[0]) for _, _, bot, way, data in taken]
    first = [(way, word) for bot, way, word in words if bot == "1"]
    assert first[:4] == [("<", b"hello"), (">", b"welcome"), (">", b"game"), ("<", b"ready")]
    assert words[-1] == ("2", ">", b"bye")


def test_what_a_bot_says_by_error_or_bye_stands_in_the_record():
    bad = ScriptedBot("bad").on(
        "turn", 2, (5, b"error {id} code=exception text=no%20more%1b\nbye text=gone\n")
    )
    assert play(bad, ScriptedBot("good")).games[0].x.said == "bye: gone"
    bad = ScriptedBot("bad").on("turn", 2, (5, b"error {id} code=exception text=no%20more\n"), (6, GONE))
    game = play(bad, ScriptedBot("good")).games[0]
    assert (game.x.said, game.o.said) == ("error exception: no more", None)
