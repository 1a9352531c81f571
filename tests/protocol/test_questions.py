"""One counter, never used twice, and what every id stood for."""

import sys

import pytest

from donuts_protocol.errors import LocalProtocolError
from donuts_protocol.messages import Cancel, Ping
from donuts_protocol.questions import FIRST_BELOW, Questions
from protocol.driving import GAME


def asked(first=7, times=1):
    questions = Questions(first)
    for _ in range(times):
        questions.ask(Ping(id=questions.allot()))
    return questions


def test_ids_rise_one_by_one_from_the_first():
    questions = Questions(7)
    assert [questions.allot() for _ in range(3)] == [7, 8, 9]


def test_they_begin_at_random():
    first = {Questions().allot() for _ in range(50)}
    assert len(first) > 40 and all(0 <= id < FIRST_BELOW for id in first)


@pytest.mark.parametrize("first", [-1, FIRST_BELOW])
def test_they_begin_below_the_bound(first):
    with pytest.raises(ValueError, match="2\\^30"):
        Questions(first)
    assert Questions(FIRST_BELOW - 1).allot() == FIRST_BELOW - 1


def test_what_was_asked_is_remembered():
    questions = Questions(731)
    questions.ask(
        type(GAME)(**{f: getattr(GAME, f) for f in GAME.__struct_fields__} | {"id": questions.allot()})
    )
    questions.close()
    questions.ask(Ping(id=questions.allot()))
    assert [questions.kind_of(id) for id in (730, 731, 732, 733)] == ["", "game", "ping", ""]


def test_an_id_is_used_once():
    questions = asked()
    with pytest.raises(LocalProtocolError, match="fresh id"):
        questions.ask(Ping(id=6))
    questions.close()
    with pytest.raises(LocalProtocolError, match="fresh id"):
        questions.ask(Ping(id=7))
    first = questions.allot()
    questions.allot()
    with pytest.raises(LocalProtocolError, match="fresh id"):
        questions.ask(Ping(id=first))


def test_a_ping_cannot_be_cancelled():
    with pytest.raises(LocalProtocolError, match="cancel"):
        asked().withdraw(Cancel(id=7))


def test_a_million_questions_take_about_a_megabyte():
    questions = asked(times=1_000)
    assert sys.getsizeof(questions._codes) < 2_000
    assert questions.kind_of(7 + 999) == "ping" and questions.kind_of(7 + 1000) == ""
