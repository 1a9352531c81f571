"""From a start to `ready`: every way in which a bot does not get ready, on virtual time."""

import pytest

from donuts_referee.channels.link import Exit, Shortage, StartFailure
from donuts_referee.table.control import TimeControl
from table.scripted import GONE, MS, SHUT, ScriptedBot, play

MOVETIME = TimeControl.each("0.1")


def test_a_program_that_cannot_be_started_twice_is_not_tried_again():
    bad = ScriptedBot("bad")
    bad.failing_starts = {n: StartFailure("./bad is not executable; chmod +x it", 126) for n in range(1, 9)}
    played = play(bad, ScriptedBot("good"), games=4)
    assert played.ends() == [("o", "start"), ("x", "start"), ("o", "start"), ("x", "start")]
    assert len(bad.links) == 2
    assert "not executable" in played.games[0].verdict.text
    told = (
        "start: not tried again after 2 failures, the last: ./bad is not executable; chmod +x it (exit 126)"
    )
    assert [game.verdict.text for game in played.games[2:]] == [told, told]
    assert played.games[0].x.exit_status == 126
    assert played.score.starts == 4


@pytest.mark.parametrize("lacking", ["first", "second"])
@pytest.mark.parametrize("on_fault", ["forfeit", "void", "stop"])
@pytest.mark.parametrize("nth", [1, 2])
def test_a_start_that_the_system_refuses_is_the_referees_fault_and_ends_the_match(lacking, on_fault, nth):
    """Nobody is charged with it, whichever bot could not be started, and no policy plays the game again (DBP-9.14)."""
    bots = {"first": ScriptedBot("first"), "second": ScriptedBot("second")}
    short, other = bots[lacking], next(bot for name, bot in bots.items() if name != lacking)
    for bot in bots.values():
        bot.on("end", 1, (1, b"bye\n"))  # both are started again for the second game
    short.failing_starts = {nth: Shortage("cannot start ./short: no more open files; raise the limit")}
    played = play(bots["first"], bots["second"], games=4, on_fault=on_fault)
    game = played.games[-1]
    assert len(played.games) == nth
    assert (game.verdict.why, game.verdict.void, game.verdict.winner, game.verdict.fault) == (
        "referee",
        True,
        "-",
        None,
    )
    assert game.verdict.text == "referee at ply 0: cannot start ./short: no more open files; raise the limit"
    assert (game.x.exit_status, game.o.exit_status) == (None, None)
    score = played.score
    assert (score.failed, score.stopped) == (True, game.verdict.text)
    assert (score.faults, score.starts, score.voids, score.games) == (0, 0, 1, nth)
    assert len(short.links) == nth
    for line in other.heard_of("end")[nth - 1 :]:
        assert "result=void" in line and "why=referee" in line and line.endswith("more=0")


def test_a_failed_start_beside_a_shortage_is_not_charged():
    bad, short = ScriptedBot("bad"), ScriptedBot("short")
    bad.failing_starts = {1: StartFailure("./bad is not executable", 126)}
    short.failing_starts = {1: Shortage("no more processes")}
    played = play(bad, short, games=2)
    assert played.ends() == [("-", "referee")]
    assert (played.score.faults, played.score.losses, played.score.starts) == (0, 0, 0)


@pytest.mark.parametrize("on_fault", ["forfeit", "void"])
def test_a_bot_that_cannot_be_had_again_does_not_hide_the_shortage(on_fault):
    parent, short = ScriptedBot("parent"), ScriptedBot("short")
    parent.again = False
    short.failing_starts = {1: Shortage("no more processes")}
    played = play(parent, short, games=2, on_fault=on_fault)
    assert (played.ends(), played.score.stopped) == (
        [("-", "referee")],
        "referee at ply 0: no more processes",
    )


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


@pytest.mark.parametrize(("verb", "ply"), [("game", 0), ("turn", 0)])
def test_a_bot_that_closed_its_stdin_is_unread_and_told_so(verb, ply):
    """Not before a second, within which it may turn out to have ended (DBP-10.10)."""
    bad = ScriptedBot("bad").on(verb, 1, (0, SHUT))
    played = play(bad, ScriptedBot("good"), games=2)
    game = played.games[0]
    assert (game.verdict.winner, game.verdict.why) == ("o", "unread")
    told = "the bot closed its stdin, so it can be sent nothing, and lived on for 1000 ms"
    assert game.verdict.text == f"unread at ply {ply}: {told}"
    assert played.games[1].verdict.why in ("five", "group")  # the next process has a stdin of its own


def test_a_bot_that_closed_its_stdin_and_ended_has_crashed():
    bad = ScriptedBot("bad").on("turn", 1, (0, SHUT), (900, GONE))
    bad.exit = Exit(4, None)
    game = play(bad, ScriptedBot("good")).games[0]
    assert (game.verdict.why, game.verdict.text) == ("crash", "crash at ply 0: exit status 4")


def test_a_full_stdin_is_not_told_as_a_closed_one_after_the_bot_was_started_again():
    bad = ScriptedBot("bad").on("turn", 1, (0, SHUT))
    original = bad.react

    def stop_reading(link, line):
        if line.startswith("turn") and len(bad.links) == 2:
            link.full = True
        else:
            original(link, line)

    bad.react = stop_reading
    first, second = play(bad, ScriptedBot("good"), games=2).games
    assert "closed its stdin" in first.verdict.text
    assert second.verdict.text.endswith("stdin was full for 1000 ms; the bot does not read")


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


def test_a_bye_that_crosses_game_is_no_fault_but_a_second_one_is_a_failed_start():
    once = ScriptedBot("once").on("game", 1, (1, b"bye\n"))
    assert play(once, ScriptedBot("good")).games[0].verdict.why in ("five", "group")
    assert len(once.links) == 2
    always = ScriptedBot("always").on("game", 0, (1, b"bye\n"))
    assert play(always, ScriptedBot("good")).ends() == [("o", "start")]
    assert len(always.links) == 2
