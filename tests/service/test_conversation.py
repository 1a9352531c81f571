"""The service's end: chunks, order, floods, ends; any bytes get well-formed answers and nothing else."""

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_protocol.messages import Error, Message, State
from donuts_referee.service.conversation import RulesService
from service.speech import answers_in_msgpack, answers_in_text, in_msgpack, in_text

LAYOUT = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH"
QUERIES = [
    f"query {id} layout={LAYOUT} moves={moves}"
    for id, moves in ((7, ""), (3, "e3"), (3, "e3,a3"), (0, "a1"), (2**53 - 1, "f6"))
]
"""Ids are the asker's own: any, in any order, even twice."""
IDS = [7, 3, 3, 0, 2**53 - 1]

Write = Callable[[list[str]], bytes]
Read = Callable[[bytes], list[Message]]
BOTH = pytest.mark.parametrize(
    ("write", "read"),
    [(in_text, answers_in_text), (in_msgpack, answers_in_msgpack)],
    ids=["text", "msgpack"],
)


def said_to(service: RulesService, chunks: list[bytes]) -> bytes:
    return b"".join([service.receive(chunk) for chunk in chunks])


# --- order and chunks ---


@BOTH
def test_pipelined_queries_are_answered_in_order(write: Write, read: Read) -> None:
    answers = read(RulesService().receive(write(QUERIES * 50)))
    assert [answer.id for answer in answers] == IDS * 50
    assert all(isinstance(answer, State) for answer in answers)


@BOTH
def test_bytes_one_by_one_are_answered_as_soon_as_a_query_is_complete(write: Write, read: Read) -> None:
    service = RulesService()
    whole = RulesService().receive(write(QUERIES))
    said = b""
    for number, query in enumerate(QUERIES, start=1):
        data = write([query])
        for at in range(len(data) - 1):
            assert service.receive(data[at : at + 1]) == b""
        said += service.receive(data[-1:])
        assert len(read(said)) == number
    assert said == whole


@BOTH
@given(cuts=st.lists(st.integers(0, 1000), max_size=8))
def test_chunking_makes_no_difference(write: Write, read: Read, cuts: list[int]) -> None:
    data = write(QUERIES)
    edges = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    chunks = [data[a:b] for a, b in itertools.pairwise(edges)]
    assert said_to(RulesService(), chunks) == RulesService().receive(data)


def test_the_encoding_of_the_first_byte_holds() -> None:
    service = RulesService()
    assert answers_in_text(service.receive(in_text(QUERIES[:1])))[0].id == 7
    (said,) = answers_in_text(service.receive(in_msgpack(QUERIES[:1]) + b"\n"))
    assert isinstance(said, Error) and (said.id, said.code) == (None, "query")


# --- what is not asked is not answered ---


def test_blank_lines_comments_cr_and_a_bom_are_no_queries() -> None:
    query = QUERIES[1].encode()
    data = b"\xef\xbb\xbf" + query + b"\r\n\n\r\n# a comment \xff\n#\n" + query + b"\n"
    first, second = answers_in_text(RulesService().receive(data))
    assert first == second and isinstance(first, State)


def test_a_bom_is_one_at_the_very_start_only() -> None:
    service = RulesService()
    first, second = answers_in_text(service.receive(b"\n\xef\xbb\xbf" + in_text(QUERIES[:2])))
    assert isinstance(first, Error) and isinstance(second, State)


def test_nothing_asked_nothing_said() -> None:
    service = RulesService()
    assert service.receive(b"") == b""
    assert service.receive_eof() == b""
    assert service.status == 0


# --- floods ---


def test_a_line_of_4096_bytes_is_judged_and_one_of_4097_is_a_flood() -> None:
    padded = QUERIES[1] + " x_pad="
    fits = padded + "a" * (4096 - len(padded))
    (said,) = answers_in_text(RulesService().receive(in_text([fits])))
    assert isinstance(said, State)
    (said,) = answers_in_text(RulesService().receive(in_text([fits + "a"])))
    assert isinstance(said, Error) and (said.id, said.code) == (None, "flood")


@pytest.mark.parametrize("chunk", [1, 1000, 4096, 4097, 65_536, 10_000_000])
def test_a_line_that_is_too_long_is_skipped_to_its_end(chunk: int) -> None:
    flood = "query 1 " + "z" * 20_000
    data = in_text([QUERIES[0], flood, QUERIES[1], flood, QUERIES[2]])
    said = said_to(RulesService(), [data[at : at + chunk] for at in range(0, len(data), chunk)])
    codes = [answer.code if isinstance(answer, Error) else answer.id for answer in answers_in_text(said)]
    assert codes == [7, "flood", 3, "flood", 3]


def test_a_flood_is_answered_before_its_end_and_only_once() -> None:
    service = RulesService()
    assert service.receive(b"z" * 4096) == b""
    (said,) = answers_in_text(service.receive(b"z"))
    assert isinstance(said, Error) and said.code == "flood"
    assert service.receive(b"z" * 1_000_000) == b""
    assert service.receive_eof() == b""
    assert service.status == 0


@pytest.mark.parametrize("length", [0, 4097, 2**32 - 1])
def test_a_msgpack_length_that_cannot_be_ends_the_service(length: int) -> None:
    service = RulesService()
    data = in_msgpack(QUERIES[:2]) + length.to_bytes(4, "big") + in_msgpack(QUERIES)
    *answers, last = answers_in_msgpack(service.receive(data))
    assert [answer.id for answer in answers] == IDS[:2]
    assert isinstance(last, Error) and (last.id, last.code) == (None, "flood")
    assert service.status == 2
    assert service.receive(in_msgpack(QUERIES)) == b""
    assert service.receive_eof() == b""
    assert service.status == 2


@pytest.mark.parametrize(
    "payload", [b"\x01", b"\xc1", b"\x80", b"\x81\xa1t\xa5query", b"\x80\x80", b"\x81\xa1t\xc0"]
)
def test_a_payload_that_is_no_query_is_refused_and_the_next_is_served(payload: bytes) -> None:
    data = len(payload).to_bytes(4, "big") + payload + in_msgpack(QUERIES[:1])
    first, second = answers_in_msgpack(RulesService().receive(data))
    assert isinstance(first, Error) and (first.id, first.code) == (None, "query")
    assert isinstance(second, State)


# --- the end ---


def test_a_last_line_without_its_lf_is_refused() -> None:
    service = RulesService()
    assert service.receive(QUERIES[0].encode()) == b""
    (said,) = answers_in_text(service.receive_eof())
    assert isinstance(said, Error) and (said.id, said.code) == (7, "query") and "LF" in (said.text or "")
    assert service.status == 0


@pytest.mark.parametrize("rest", [b" ", b"\r", b"# comment"])
def test_a_last_line_that_asks_nothing_needs_no_lf(rest: bytes) -> None:
    service = RulesService()
    assert service.receive(b"\n" + rest) == b""
    assert service.receive_eof() == b""


def test_a_payload_that_is_cut_off_is_refused() -> None:
    service = RulesService()
    assert service.receive(in_msgpack(QUERIES)[:10]) == b""
    (said,) = answers_in_msgpack(service.receive_eof())
    assert isinstance(said, Error) and (said.id, said.code) == (None, "query")
    assert service.status == 0


# --- any bytes ---

TOKENS = st.sampled_from(
    [
        b"query",
        b" ",
        b"1",
        b"layout=",
        LAYOUT.encode(),
        b"moves=",
        b"cells=",
        b"." * 36,
        b"last=",
        b"you=x",
        b"-",
        b"size=9",
        b"rings=18",
        b"e3,a3",
        b"%",
        b"\n",
        b"\r\n",
        b"#",
        b"\xff",
        b"%00",
        b"x" * 5000,
        b"=",
        b",",
    ]
)


@given(
    st.lists(st.one_of(TOKENS, st.binary(max_size=40)), max_size=40).map(b"".join),
    st.integers(1, 500),
)
def test_any_text_gets_well_formed_answers_only(data: bytes, chunk: int) -> None:
    data = b"\n" + data
    service = RulesService()
    said = said_to(service, [data[at : at + chunk] for at in range(0, len(data), chunk)])
    answers = answers_in_text(said + service.receive_eof())
    assert all(isinstance(answer, State | Error) for answer in answers)
    assert len(answers) <= data.count(b"\n") + 1
    assert service.status == 0


@given(
    st.lists(st.binary(min_size=1, max_size=200), min_size=1, max_size=10),
    st.binary(max_size=6),
    st.integers(1, 500),
)
def test_any_payloads_get_one_well_formed_answer_each(payloads: list[bytes], rest: bytes, chunk: int) -> None:
    data = b"".join(len(payload).to_bytes(4, "big") + payload for payload in payloads)
    service = RulesService()
    said = said_to(service, [data[at : at + chunk] for at in range(0, len(data), chunk)])
    answers = answers_in_msgpack(said)
    assert len(answers) == len(payloads)
    assert service.status is None
    more = answers_in_msgpack(service.receive(rest) + service.receive_eof())
    assert all(isinstance(answer, Error) for answer in more)
