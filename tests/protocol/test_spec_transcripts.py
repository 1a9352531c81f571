"""The transcripts are played: both ends, both encodings, every arrow of the table of states."""

import re

import pytest

from donuts_protocol.states import ROWS
from protocol.transcript import SPEC, Arrow, Conversation, Play, conversations

ALL = conversations()


@pytest.mark.parametrize("conversation", ALL, ids=[c.title for c in ALL])
def test_conversation_is_what_the_sessions_do(conversation: Conversation) -> None:
    for encoding in conversation.encodings:
        Play(conversation, encoding).run()


def test_every_arrow_of_the_table_is_walked_and_no_other() -> None:
    walked: set[Arrow] = set()
    for conversation in ALL:
        play = Play(conversation, "text")
        play.run()
        walked |= play.walked
    table = {(row.state, row.sender, row.verb) for row in ROWS}
    assert len(table) == len(ROWS), "a row stands twice"
    assert table - walked == set()


def test_the_example_of_the_spec_is_one_of_them() -> None:
    (example,) = re.findall(r"^```dbp-example\n(.*?)^```$", SPEC.read_text(encoding="utf-8"), re.M | re.S)
    (tour,) = [c for c in ALL if c.title == "the tour"]
    assert [f"{s.kind}: {s.line}" for s in tour.steps] == example.splitlines()


@pytest.mark.parametrize(
    "clause",
    [f"DBP-5.{n}" for n in (1, 3, 4, 5, 6, 7, 8, 9)]
    + [f"DBP-7.{n}" for n in range(2, 9)]
    + [f"DBP-9.{n}" for n in (2, 3, 4, 5, 9, 10, 11, 12, 13)]
    + ["DBP-12.1", "DBP-12.4"],
)
def test_a_conversation_is_about(clause: str) -> None:
    assert any(clause in conversation.clauses for conversation in ALL)
