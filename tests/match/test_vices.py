"""Every vice, played for real through the command line: the verdict, the record, the other game, and nothing left."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from match.arena import BOTS, SECRET, Arena, Played, strings, unsafe
from match.vices import BY_THE_RULES, VICES, Vice

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the vices are POSIX programs")

COUNTS = ("noise", "late", "state", "rate")


@pytest.mark.parametrize("vice", VICES, ids=str)
def test_the_vice_gets_its_why_and_the_other_game_goes_on(vice: Vice, arenas: list[Arena]) -> None:
    time = () if {"--movetime", "--tc"} & set(vice.options) else ("--movetime", "30")
    for played in _each_play(arenas, vice.bot, vice.against, "--json", "--seed", "7", *time, *vice.options):
        assert played.exit == vice.exit, played.err
        _check_verdicts(vice, played)
        _check_records(vice, played)
        assert played.hellos("1") == vice.hellos
        _check_nothing_is_unsafe(played)
    assert [arena.left_behind() for arena in arenas] == [[], []]


def test_every_program_of_tests_bots_is_played() -> None:
    programs = {path.name for path in BOTS.iterdir() if path.is_file()}
    played = {vice.bot.split()[0] for vice in VICES} | {vice.against for vice in VICES}
    assert played - programs == {"missing"}
    assert programs - played == set()


def _each_play(arenas: list[Arena], *words: str) -> list[Played]:
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda arena: arena.play(*words), arenas))


def _check_verdicts(vice: Vice, played: Played) -> None:
    verdicts = played.of("verdict")
    whys = [why for why in (vice.why, vice.then) if why is not None]
    assert [each["game"] for each in verdicts] == [1, 2][: len(whys)]
    for verdict, why, side in zip(verdicts, whys, "xo", strict=False):
        if why == BY_THE_RULES:
            assert verdict["why"] in ("five", "group"), verdict
            assert verdict["fault"] is None
        else:
            assert verdict["why"] == why, verdict
            assert verdict["winner"] == {"x": "o", "o": "x"}[side]
            assert verdict["fault"] == (None if why == "resign" else side)
        assert verdict["void"] is False
    for pattern in vice.says:
        assert re.search(pattern, verdicts[0]["text"]), verdicts[0]["text"]
    if vice.ply is not None:
        assert verdicts[0]["ply"] == vice.ply
    warned = [(each["game"], each["side"], each["why"]) for each in played.of("warning")]
    expected = [(1, "x", why) for why in COUNTS if why in vice.counts]
    expected += [(2, "o", why) for why in COUNTS if why in vice.counts_then]
    expected += [(game, side, "late") for game, side in vice.late]
    if vice.crossing:
        warned = [each for each in warned if each != (2, "x", "late")]
    assert warned == expected
    score = played.events[-1]
    assert score["event"] == "score"
    points = sum(
        {side: 1.0, "-": 0.5}.get(each["winner"], 0.0) for each, side in zip(verdicts, "xo", strict=False)
    )
    assert score["score"] == {"1": points, "2": len(whys) - points}


def _check_records(vice: Vice, played: Played) -> None:
    verdicts, records = played.of("verdict"), played.records
    assert [each["id"] for each in records] == [each["record"] for each in verdicts]
    for record, verdict in zip(records, verdicts, strict=True):
        assert {key: record["verdict"].get(key) for key in ("winner", "why", "text", "fault")} == {
            key: verdict[key] for key in ("winner", "why", "text", "fault")
        }
        placed = [each["move"] for each in played.of("move") if each["game"] == verdict["game"]]
        assert record["moves"] == placed
    mine = records[0]["x"]
    assert {key: mine[key] for key in COUNTS if mine[key]} == vice.counts
    for then in records[1:]:
        assert {key: then["o"][key] for key in COUNTS if then["o"][key]} == vice.counts_then
    if vice.status is not None or vice.signal is not None or vice.hellos == 1:
        assert (mine["exit_status"], mine["exit_signal"]) == (vice.status, vice.signal)
    if vice.sent is not None:
        assert (mine["exit_status"], mine["exit_signal"], mine["sent_signal"]) == (None, None, vice.sent)
    if "noise" in vice.counts:
        assert mine["first_noise"]
    honest = records[0]["o"]
    assert not any(honest[key] for key in COUNTS)
    assert honest["name"] == "plain" or vice.ply == 0


def _check_nothing_is_unsafe(played: Played) -> None:
    """No word of a bot reaches a terminal, a record or a PGN file that could move a cursor or turn the text."""
    assert unsafe(played.out) == []
    assert unsafe(played.err) == []
    for text in strings(played.events) + strings(played.records):
        assert unsafe(text, allowed="") == []
    assert unsafe((played.folder / "records" / "games.pgn").read_text()) == []


def _record(played: Played, game: int = 1) -> dict:
    return played.records[game - 1]


def test_noise_is_shown_once_with_the_line_and_a_hint(arena: Arena) -> None:
    played = arena.play("noise10.py", "plain.py", "--seed", "7", "--games", "1")
    assert played.exit == 0
    told = played.out + played.err
    assert told.count("debug") == 1
    assert "debug 0" in told
    assert "stderr" in told
    assert "debug 0" in _record(played)["x"]["first_noise"]


@pytest.mark.parametrize(
    "bot", ["noise_bytes.py", "exit3.py", "hello_raw_escape.py", "move_bytes.py", "move_escape.py"]
)
@pytest.mark.parametrize("view", [(), ("--watch",)], ids=["lines", "watch"])
def test_people_are_shown_nothing_that_is_unsafe(bot: str, view: tuple[str, ...], arena: Arena) -> None:
    played = arena.play(bot, "plain.py", "--seed", "7", "--games", "1", *view)
    assert unsafe(played.out) == []
    assert unsafe(played.err) == []
    assert "\\x" in played.out + played.err or "%1B" in played.out + played.err


def test_a_bot_sees_a_scrubbed_environment_and_three_descriptors(arena: Arena) -> None:
    played = arena.play("shows_environment.py", "plain.py", "--games", "1", "--movetime", "30")
    told = _record(played)["x"]["stderr"]
    names = set(re.findall(r"env (\w+)=", told))
    assert "PATH" in names
    assert {n for n in names if not n.startswith("LC_")} <= {"PATH", "HOME", "LANG", "TMPDIR", "TZ"}
    assert SECRET not in told
    assert "fds 0,1,2\\x0a" in told
    assert "session True group True" in told


def test_stderr_is_drained_and_its_head_and_tail_are_kept(arena: Arena) -> None:
    played = arena.play("stderr_flood.py", "plain.py", "--games", "1", "--movetime", "30", "--json")
    record = _record(played)
    own = sum(turn["side"] == "x" for turn in record["turns"])
    assert record["x"]["stderr_bytes"] == own * ((10 * 20 + 1) * 1024 + 1)
    assert 10_000 < len(record["x"]["stderr"]) < 100_000
    assert "bytes ..." in record["x"]["stderr"]


def test_the_answer_before_the_exit_counts(arena: Arena) -> None:
    played = arena.play("reply_exit.py", "plain.py", "--games", "1", "--movetime", "30", "--json")
    record = _record(played)
    assert record["turns"][2]["sq"] == record["moves"][2]
    assert record["verdict"]["why"] == "crash"


@pytest.mark.parametrize("bot", ["silent.py", "dribble.py"])
def test_a_bot_that_does_not_answer_gets_no_extra_time(bot: str, arenas: list[Arena]) -> None:
    for played in _each_play(arenas, bot, "plain.py", "--games", "1", "--movetime", "5", "--json"):
        record = _record(played)
        assert (record["verdict"]["why"], record["verdict"]["winner"]) == ("timeout", "o"), record["verdict"]
        last = record["turns"][-1]
        assert (last["limit"], last["margin"], last.get("sq")) == (5000, 50, None)
        over = last["used"] - (last["limit"] + last["margin"]) * 1_000_000
        assert over >= 0
        assert over - last.get("lateness", 0) <= 2_000_000, (
            "what exceeds limit and margin is the referee's own lateness"
        )


def test_with_strict_a_fault_is_an_exit_code(arena: Arena) -> None:
    assert arena.play("occupied.py", "plain.py", "--strict").exit == 1
    assert arena.play("noise10.py", "plain.py", "--strict").exit == 0


def test_a_bot_that_fails_twice_is_not_tried_again(arena: Arena) -> None:
    played = arena.play("exits_at_once.sh", "plain.py", "--games", "4", "--json")
    verdicts = played.of("verdict")
    assert [each["why"] for each in verdicts] == ["start"] * 4
    assert ["not tried again" in each["text"] for each in verdicts] == [False, False, True, True]
    assert played.exit == 3


def test_void_on_fault_plays_the_game_again(arena: Arena) -> None:
    played = arena.play("exit3.py", "plain.py", "--games", "2", "--json", "--on-fault", "void")
    verdicts = [(each["game"], each["why"], each["void"]) for each in played.of("verdict")]
    assert verdicts[0] == (1, "crash", True)
    assert [each for each in verdicts if each[0] == 1][-1] == (1, "crash", False), (
        "in the end the loss stands"
    )
    assert verdicts[-1][0] == 2 and verdicts[-1][1] in ("five", "group")


def test_stop_on_fault_ends_the_match(arena: Arena) -> None:
    played = arena.play("exit3.py", "plain.py", "--games", "4", "--json", "--on-fault", "stop")
    assert [(each["game"], each["why"]) for each in played.of("verdict")] == [(1, "crash")]
    assert played.of("score")[0]["stopped"]
