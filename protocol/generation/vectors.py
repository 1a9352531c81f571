"""The files of vectors/: golden messages, refusals, acceptances and streams as JSON lines (see vectors/README.md)."""

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from donuts_protocol import packed, text
from donuts_protocol.fields import shape
from donuts_protocol.messages import FROM_BOT, FROM_REFEREE, SERVICE_ANSWERS, SERVICE_ASKS, Message
from generation.acceptances import acceptances, streams
from generation.golden_messages import cases
from generation.refusals import refusals
from generation.refusals_packed import packed_refusals

SENDERS: dict[str, tuple[type[Message], ...]] = {
    "bot": FROM_BOT,
    "referee": FROM_REFEREE,
    "asker": SERVICE_ASKS,
    "service": SERVICE_ANSWERS,
}


def vector_files() -> dict[str, str]:
    """File name below vectors/ -> content."""
    return {
        "messages.jsonl": _lines(_golden(*case) for case in cases()),
        "refusals.jsonl": _lines(
            {
                "name": r.name,
                "clause": r.clause,
                "encoding": r.encoding,
                "from": r.sender,
                "hex": r.data.hex(),
                "expect": {
                    situation: outcome
                    for situation, outcome in (("turn", r.turn), ("idle", r.idle), ("first", r.first))
                    if outcome
                },
            }
            for r in (*refusals(), *packed_refusals())
        ),
        "acceptances.jsonl": _lines(
            {
                "name": a.name,
                "clause": a.clause,
                "encoding": a.encoding,
                "from": a.sender,
                "hex": a.data.hex(),
                "message": a.message,
            }
            for a in acceptances()
        ),
        "streams.jsonl": _lines(
            {
                "name": s.name,
                "clause": s.clause,
                "encoding": s.encoding,
                "situation": s.situation,
                "parts": [[data.hex(), times] for data, times in s.parts],
                "eof": s.eof,
                "expect": list(s.expected),
            }
            for s in streams()
        ),
    }


def message_of(pairs: dict[str, Any], sender: str) -> Message:
    """The typed message of a map in which an absent key is "none"."""
    (kind,) = [kind for kind in SENDERS[sender] if kind.verb == pairs["t"]]
    nothing: dict[str, Any] = dict.fromkeys(shape(kind).nullable)
    return msgspec.convert(nothing | pairs, kind)


def _golden(name: str, sender: str, pairs: dict[str, Any]) -> dict[str, Any]:
    message = message_of(pairs, sender)
    return {
        "name": name,
        "from": sender,
        "message": {key: value for key, value in pairs.items() if value is not None},
        "text": text.encode(message).decode("ascii"),
        "msgpack": packed.encode(message).hex(),
    }


def _lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows)
