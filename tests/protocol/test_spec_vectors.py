"""The vectors, through both codecs and both sessions, and against a second, independent writer of both forms."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgpack
import msgspec
import pytest

from donuts_protocol import packed, text
from donuts_protocol.codes import WHY
from donuts_protocol.errors import InvalidMessage, RemoteProtocolError
from donuts_protocol.messages import FROM_BOT, FROM_REFEREE, SERVICE_ANSWERS, SERVICE_ASKS, Message
from donuts_protocol.session import Dropped, Noise, RefereeSession
from donuts_protocol.states import State

PROTOCOL = Path(__file__).parents[2] / "protocol"
TYPES: dict[str, tuple[type[Message], ...]] = {
    "bot": FROM_BOT,
    "referee": FROM_REFEREE,
    "asker": SERVICE_ASKS,
    "service": SERVICE_ANSWERS,
}
CODECS = {"text": text, "msgpack": packed}


def _vectors(name: str) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in (PROTOCOL / "vectors" / name).read_text(encoding="ascii").splitlines()
    ]


GOLDEN = _vectors("messages.jsonl")
REFUSALS = _vectors("refusals.jsonl")
ACCEPTANCES = _vectors("acceptances.jsonl")
STREAMS = _vectors("streams.jsonl")


def _label(vector: dict[str, Any]) -> str:
    return f"{vector.get('encoding', '')} {vector.get('situation', '')} {vector['name']}"


def _as_map(message: Message) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(message)
    return {key: list(v) if isinstance(v, tuple) else v for key, v in built.items() if v is not None}


# --- messages.jsonl -------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", GOLDEN, ids=_label)
def test_golden_message_is_read_and_written(vector: dict[str, Any]) -> None:
    types = TYPES[vector["from"]]
    line, payload = vector["text"].encode("ascii"), bytes.fromhex(vector["msgpack"])
    from_text, from_msgpack = text.decode(line, types), packed.decode(payload, types)
    assert _as_map(from_text) == _as_map(from_msgpack) == vector["message"]
    assert from_text == from_msgpack
    assert text.encode(from_msgpack) == line
    assert packed.encode(from_text) == payload


_ARGUMENTS = {"move": ("id", "sq"), "hello": (), "welcome": (), "bye": ()}
_DASHED = {"turn": ("last",), "end": ("winner",), "state": ("last",)}


def _second_writer(pairs: dict[str, Any]) -> tuple[str, frozenset[str]]:
    """A line of the message, by SPEC.md alone: the head, and the fields in any order."""
    verb = pairs["t"]
    arguments = _ARGUMENTS.get(verb, ("id",))
    fields = {key: pairs[key] for key in pairs if key != "t" and key not in arguments}
    for key in _DASHED.get(verb, ()):
        fields.setdefault(key, "-")
    if verb == "state" and "why" in fields:
        fields.setdefault("winner", "-")
    head = " ".join([verb, *(str(pairs.get(key, "-")) for key in arguments)])
    return head, frozenset(f"{key}={_second_value(value)}" for key, value in fields.items())


def _second_value(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(value)
    out = ""
    for byte in str(value).encode("utf-8"):
        plain = 0x21 <= byte <= 0x7E and chr(byte) not in "%,="
        out += chr(byte) if plain else f"%{byte:02X}"
    return out


@pytest.mark.parametrize("vector", GOLDEN, ids=_label)
def test_golden_bytes_are_what_a_second_writer_writes(vector: dict[str, Any]) -> None:
    head, fields = _second_writer(vector["message"])
    assert vector["text"].startswith(head)
    tokens = vector["text"][len(head) :].split()
    assert len(tokens) == len(fields) and frozenset(tokens) == fields
    assert msgpack.unpackb(bytes.fromhex(vector["msgpack"])) == vector["message"]


def test_every_message_and_every_field_has_a_golden_message() -> None:
    seen: dict[tuple[str, str], set[str]] = {}
    for vector in GOLDEN:
        seen.setdefault((vector["from"], vector["message"]["t"]), set()).update(vector["message"])
    for sender, types in TYPES.items():
        for kind in types:
            assert seen[sender, kind.verb] == {"t", *kind.__struct_fields__}


# --- schema ---------------------------------------------------------------------------------------

FOLDERS = {"bot": "bot", "referee": "referee", "asker": "service", "service": "service"}


def _validator(sender: str, verb: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((PROTOCOL / "schema" / FOLDERS[sender] / f"{verb}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("vector", GOLDEN, ids=_label)
def test_schema_validates_golden_message(vector: dict[str, Any]) -> None:
    _validator(vector["from"], vector["message"]["t"]).validate(vector["message"])


@pytest.mark.parametrize(
    "vector",
    [
        v
        for v in REFUSALS
        if v["encoding"] == "msgpack" and v["clause"] in ("DBP-4.1", "DBP-4.2", "DBP-3.8", "DBP-6.1")
    ],
    ids=_label,
)
def test_schema_refuses_what_the_reader_refuses(vector: dict[str, Any]) -> None:
    pairs = msgpack.unpackb(bytes.fromhex(vector["hex"]), strict_map_key=False)
    assert not _validator("bot", pairs["t"]).is_valid(pairs)


# --- refusals.jsonl and acceptances.jsonl ---------------------------------------------------------

_IDS_DECIDE = ("info for a closed question", "info for an id never issued")


@pytest.mark.parametrize("vector", REFUSALS, ids=_label)
def test_reader_refuses(vector: dict[str, Any]) -> None:
    codec = CODECS[vector["encoding"]]
    if vector["name"] in _IDS_DECIDE:
        assert codec.decode(bytes.fromhex(vector["hex"]), TYPES[vector["from"]]).verb == "info"
        return
    with pytest.raises(InvalidMessage) as fault:
        codec.decode(bytes.fromhex(vector["hex"]), TYPES[vector["from"]])
    assert fault.value.reason


@pytest.mark.parametrize("vector", ACCEPTANCES, ids=_label)
def test_reader_accepts(vector: dict[str, Any]) -> None:
    codec = CODECS[vector["encoding"]]
    message = codec.decode(bytes.fromhex(vector["hex"]), TYPES[vector["from"]])
    assert _as_map(message) == vector["message"]
    for writer in CODECS.values():  # what was read can be written, and reads the same
        assert writer.decode(writer.encode(message), TYPES[vector["from"]]) == message


# --- the same, and streams.jsonl, through a session -----------------------------------------------

_HELLO = "hello donuts=1-1 name=a caps=info"
_WELCOME = f"welcome donuts=1-1 session={'0' * 32} caps=info maxline=4096 ref=r/1"
_GAME = "game 731 you=o size=6 rings=15 main=60000 inc=100 margin=50 prep=10000 seed=1"
_TURN = (
    f"turn 732 game=731 ply=1 you=o size=6 rings=15 layout={'H' * 36} cells=x{'.' * 35} last=a1 "
    "legal=b1,c1,d1,e1,f1 clock=60100 oclock=60000 inc=100 limit=60100 margin=50 spent=0"
)


def _framed(payload: bytes, encoding: str) -> bytes:
    return payload + b"\n" if encoding == "text" else len(payload).to_bytes(4, "big") + payload


def _situation(name: str, encoding: str) -> RefereeSession:
    """A session in one of the situations of vectors/README.md."""
    session = RefereeSession(first_id=731)
    if name == "first":
        return session

    def hear(line: str) -> None:
        message = text.decode(line.encode(), FROM_BOT)
        session.receive(_framed(CODECS[encoding].encode(message), encoding), 0)
        assert session.next_event() == message

    def say(line: str) -> None:
        message: Any = text.decode(line.encode(), FROM_REFEREE)
        if message.verb in ("game", "turn"):
            assert session.next_id() == message.id
        session.send(message)

    hear(_HELLO)
    say(_WELCOME)
    say(_GAME)
    hear("ready 731")
    say(_TURN)
    if name == "idle":
        hear("move 732 e1")
    return session


def _outcomes(session: RefereeSession, reads: Iterator[bytes], eof: bool) -> list[str | dict[str, Any]]:
    """What the session makes of the bytes, in the words of the vectors."""
    found: list[str | dict[str, Any]] = []

    def drain() -> bool:
        try:
            while (event := session.next_event()) is not None:
                match event:
                    case Dropped(why=why):
                        found.append(why)
                    case Noise():
                        found.append("noise")
                    case _:
                        found.append(_as_map(event))
        except RemoteProtocolError as fault:
            assert fault.clause == WHY[fault.why].clause
            found.append(fault.why)
            return False
        return True

    for data in reads:
        session.receive(data, 0)
        if not drain():
            return found
    if eof:
        session.receive_eof(0)
        if drain():  # the rest meant nothing: what counts is that the process ended (DBP-9.7, DBP-9.11)
            found.append("start" if session.state is State.CONNECTED else "crash")
    return found


@pytest.mark.parametrize(
    ("vector", "situation"),
    [
        pytest.param(vector, situation, id=f"{situation} {_label(vector)}")
        for vector in REFUSALS
        for situation in vector["expect"]
    ],
)
def test_session_makes_of_a_refusal(vector: dict[str, Any], situation: str) -> None:
    session = _situation(situation, vector["encoding"])
    data = _framed(bytes.fromhex(vector["hex"]), vector["encoding"])
    assert _outcomes(session, iter([data]), False) == [vector["expect"][situation]]


@pytest.mark.parametrize("vector", STREAMS, ids=_label)
def test_session_makes_of_a_stream_in_any_cut(vector: dict[str, Any]) -> None:
    data = b"".join(bytes.fromhex(part) * times for part, times in vector["parts"])
    for size in (len(data) or 1, 1, 7, 4096):
        if size == 1 and len(data) > 20_000:
            continue
        session = _situation(vector["situation"], vector["encoding"])
        reads = (data[at : at + size] for at in range(0, len(data), size))
        assert _outcomes(session, reads, vector["eof"]) == vector["expect"], f"reads of {size}"
