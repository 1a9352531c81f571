"""The bridge without a socket or a process: order, answers, deaths and pauses, on a clock that the test moves."""

import pytest

from donuts_protocol.messages import Error, Move, Ping, Pong, Ready, Resign
from joining.scene import HELLO, A, B, Scene, end


def test_nothing_is_dialled_before_hello_and_hello_has_the_seat() -> None:
    scene = Scene(token="t0ken", name="alice", tc="1+0")
    scene.bridge.begin(scene.now)
    scene.writes(b"# a comment", b"", b"noise")
    assert scene.done == ["start"]
    scene.writes(HELLO)
    assert scene.done == ["start", "dial"] and scene.frames == []
    hello = scene.connects()
    assert (hello.name, hello.seat, hello.tc, hello.caps) == ("alice", "t0ken", "1+0", ("info",))
    assert scene.hears() == []
    scene.welcomes()
    assert scene.hears() == ["welcome"]
    assert scene.told == ["seated at tcp://127.0.0.1:7464 as alice"]


def test_frames_pass_unchanged_in_both_directions() -> None:
    scene = Scene()
    game = scene.playing()
    scene.bridge.receive(scene.arena.send(scene.turn(game)) + b" x_later=1", scene.now)
    assert scene.bot.pop().endswith(b" x_later=1")
    line = b"move %d a1 x_mine=%%20\r" % scene.arena.question
    scene.writes(b"# thinking", b"", b"print", b"info %d depth=3" % scene.arena.question, line)
    assert scene.frames == [b"print", b"info %d depth=3" % scene.arena.question, line]
    assert isinstance(scene.answers()[-1], Move)


def test_a_verb_of_a_later_edition_passes_if_it_is_one_line() -> None:
    scene = Scene().seated()
    scene.bridge.receive(b"weather x=1\n", scene.now)
    scene.bridge.receive(b"weather \nmove 1 a1", scene.now)
    scene.bridge.receive(b"", scene.now)
    assert scene.bot == [b"weather x=1"]


def test_what_is_said_before_welcome_is_kept_for_the_arena() -> None:
    scene = Scene()
    scene.bridge.begin(scene.now)
    scene.writes(HELLO, b"chatter")
    scene.connects()
    assert scene.frames == []
    scene.welcomes()
    assert scene.frames == [b"chatter"]


def test_a_line_too_long_becomes_a_frame_too_long_even_over_the_next_connection() -> None:
    scene = Scene().seated()
    scene.bridge.lost(scene.now)
    scene.bridge.hear(b"z" * 10_000, scene.now)
    scene.connects()
    scene.welcomes()
    assert scene.frames == [b"z" * 4096 + b"."]
    scene.writes(b"more")
    assert len(scene.frames) == 1


# --- lost connections -------------------------------------------------------------------------------------------------


def test_the_bot_does_not_hear_of_a_connection_that_was_made_anew() -> None:
    scene = Scene()
    game = scene.playing()
    scene.says(turn := scene.turn(game))
    scene.hears()
    scene.back()
    scene.says(turn)
    assert scene.hears() == []
    scene.writes(b"move %d b1" % turn.id)
    assert scene.answers() == [Move(id=turn.id, sq="b1")]
    scene.says(end(game))
    assert scene.hears() == ["end"]


@pytest.mark.parametrize("answer", [b"move %d b1", b"resign %d"])
def test_an_answer_that_was_lost_is_sent_again(answer: bytes) -> None:
    scene = Scene()
    game = scene.playing()
    scene.says(turn := scene.turn(game))
    scene.writes(answer % turn.id)
    scene.frames.clear()  # it never arrived
    scene.back()
    scene.hears()
    scene.says(turn)
    assert isinstance(scene.answers()[0], Move | Resign) and scene.hears() == []


def test_a_malformed_answer_that_was_lost_is_sent_again() -> None:
    scene = Scene()
    game = scene.playing()
    scene.says(turn := scene.turn(game))
    scene.bridge.lost(scene.now)
    scene.writes(b"move %d nowhere" % turn.id)
    assert scene.frames == []
    scene.connects()
    scene.welcomes()
    scene.says(turn)
    assert scene.frames == [b"move %d nowhere" % turn.id]


def test_an_answer_that_crossed_the_question_sent_again_goes_out_once() -> None:
    scene = Scene()
    game = scene.playing()
    scene.says(turn := scene.turn(game))
    scene.back()
    scene.writes(b"move %d a1" % turn.id)
    scene.says(turn)
    assert scene.answers() == [Move(id=turn.id, sq="a1")]
    scene.says(ping := Ping(id=scene.arena.next_id()))
    scene.writes(b"pong %d" % ping.id)
    assert scene.answers() == [Pong(id=ping.id)]


def test_ready_is_kept_too() -> None:
    scene = Scene().seated()
    scene.says(game := scene.game())
    scene.bridge.lost(scene.now)
    scene.writes(b"ready %d" % game.id)
    scene.connects()
    scene.welcomes()
    scene.says(game)
    assert scene.answers() == [Ready(id=game.id)] and scene.hears() == ["game"]


def test_a_turn_that_never_arrived_is_passed_when_it_is_sent_again() -> None:
    scene = Scene()
    game = scene.playing()
    turn = scene.turn(game)
    scene.arena.send(turn)
    scene.back()
    scene.says(turn)
    assert scene.hears() == ["turn"]


def test_a_ping_waits_until_the_bot_has_answered_the_one_before() -> None:
    scene = Scene().seated()
    scene.says(first := Ping(id=scene.arena.next_id()))
    scene.back()
    scene.says(second := Ping(id=scene.arena.next_id()))
    assert scene.hears() == ["ping"]
    scene.writes(b"pong %d" % first.id)
    assert scene.frames == [] and scene.hears() == ["ping"]
    scene.writes(b"pong %d" % second.id)
    assert scene.answers() == [Pong(id=second.id)]


def test_a_game_that_waits_behind_nothing_drops_a_ping_that_waits() -> None:
    scene = Scene().seated()
    scene.says(Ping(id=scene.arena.next_id()))
    scene.back()
    scene.says(Ping(id=scene.arena.next_id()))
    scene.says(scene.game())
    assert scene.hears() == ["ping", "game"]


def test_a_game_whose_end_was_lost_is_ended_before_the_next_one() -> None:
    scene = Scene()
    game = scene.playing()
    scene.says(scene.turn(game))
    scene.arena.send(end(game))
    scene.back()
    scene.says(scene.game())
    assert scene.hears() == ["turn", "end", "game"]


def test_a_new_session_ends_the_game_and_old_answers_are_dropped() -> None:
    scene = Scene()
    game = scene.playing()
    scene.says(turn := scene.turn(game))
    scene.hears()
    scene.back(B)
    assert scene.bot[0].startswith(b"end %d result=void winner=- why=referee " % game)
    assert b" ply=0 cells=" + b"." * 36 + b" moves= " in scene.bot[0]
    scene.writes(b"move %d a1" % turn.id)
    assert scene.frames == []
    assert scene.told[-1].endswith("as puppet; the game before is gone")


def test_an_id_that_nobody_ever_issued_is_the_business_of_the_arena() -> None:
    scene = Scene().seated()
    scene.writes(b"move 9007199254740991 a1")
    assert len(scene.frames) == 1


def test_silence_makes_it_dial_again() -> None:
    scene = Scene().seated()
    scene.passes(14.9)
    assert scene.done == []
    scene.passes(0.2)
    assert scene.done == ["dial"]
    assert scene.connects().session == A


def test_an_arena_that_forgot_the_address_is_greeted_again_and_the_bot_does_not_hear_of_it() -> None:
    scene = Scene().seated()
    scene.says(Error(id=None, code="hello"))
    scene.passes(0)
    assert scene.done == ["dial"] and scene.hears() == []
    scene.connects()
    scene.welcomes()
    scene.says(Error(id=None, code="flood"))
    assert scene.hears() == ["error"]


def test_a_connection_that_breaks_before_welcome_is_tried_again_ever_more_slowly() -> None:
    scene = Scene()
    scene.bridge.begin(scene.now)
    scene.writes(HELLO)
    for pause in (1, 2, 4, 8, 16, 30, 30):
        scene.connects()
        scene.done.clear()
        scene.bridge.lost(scene.now)
        scene.passes(pause - 0.01)
        assert scene.done == ["drop"]
        scene.passes(0.01)
        assert scene.done == ["drop", "dial"]


def test_an_arena_that_breaks_the_protocol_is_not_quoted() -> None:
    scene = Scene().seated()
    scene.bridge.receive(b"welcome session=5ecret", scene.now)
    assert "broke the protocol" in scene.told[-1] and "5ecret" not in scene.told[-1]
    scene.passes(1)
    assert scene.done == ["drop", "dial"]


def test_an_arena_that_cannot_be_reached_is_mentioned_once() -> None:
    scene = Scene()
    scene.bridge.begin(scene.now)
    scene.writes(HELLO)
    scene.passes(600)
    assert scene.told == ["tcp://127.0.0.1:7464 does not answer, or wants (other) keys; trying on"]
