"""The messages whose bytes are published in vectors/messages.jsonl: every verb, its edge values, what may be absent.

A message is written here as its msgpack map: "none" is an absent key (DBP-4.3).
"""

from collections.abc import Iterator
from typing import Any

MAX = 2**53 - 1
LAYOUT6 = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH"
LAYOUT9 = "HVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAH"
EMPTY6, EMPTY9 = "." * 36, "." * 81
ALL6 = [column + row for row in "123456" for column in "abcdef"]
ALL9 = [column + row for row in "123456789" for column in "abcdefghi"]
SESSION = "9f0c2b6e5d1a48739f0c2b6e5d1a4873"

Case = tuple[str, str, dict[str, Any]]
"""Name, who sends it, the map."""


def cases() -> Iterator[Case]:
    """All golden messages in a fixed order."""
    for party, found in (
        ("bot", _from_bot()),
        ("referee", _from_referee()),
        ("asker", _queries()),
        ("service", _states()),
    ):
        for name, message in found:
            yield name, party, message


def _from_bot() -> Iterator[tuple[str, dict[str, Any]]]:
    hello: dict[str, Any] = {"t": "hello", "donuts": "1-1", "name": "my bot"}
    yield "hello, least", hello
    yield (
        "hello, all fields",
        hello
        | {
            "donuts": "1-3",
            "ver": "0.3",
            "author": "Ada, Byron & co",
            "caps": ["info", "x_2"],
            "seat": "s3cret=+/",
            "session": SESSION,
            "tc": "10+0.1",
        },
    )
    yield "hello, a wish for a time a game", hello | {"tc": "60"}
    yield "hello, a wish for no clock", hello | {"tc": "inf"}
    yield "hello, no capabilities", hello | {"caps": []}
    yield "hello, empty strings", hello | {"ver": "", "author": ""}
    yield "hello, largest versions", hello | {"donuts": "0-999999"}
    yield "hello, name of one dash", hello | {"name": "-"}
    yield "hello, name of one character", hello | {"name": "é"}
    yield "hello, name of 40 characters in 120 bytes", hello | {"name": "ド" * 40}
    yield "hello, name outside the basic plane", hello | {"name": "\U0001f369 bot"}
    yield "hello, name of all that is escaped in ASCII", hello | {"name": " %,="}
    yield (
        "hello, name of ASCII signs that are not escaped",
        hello | {"name": "!\"#$&'()*+-./:;<>?@[\\]^_`{|}~"},
    )
    yield "ready, least id", {"t": "ready", "id": 0}
    yield "ready, greatest id", {"t": "ready", "id": MAX}
    yield "move, least", {"t": "move", "id": 732, "sq": "e1"}
    yield (
        "move, all fields",
        {
            "t": "move",
            "id": 732,
            "sq": "i9",
            "eval": 1000,
            "proof": "win",
            "nodes": MAX,
            "depth": 12,
            "pv": ["i9", "a1", "c3"],
            "text": "five in 3, surely: 100%",
        },
    )
    yield (
        "move, least values",
        {
            "t": "move",
            "id": 0,
            "sq": "a1",
            "eval": 0,
            "proof": "loss",
            "nodes": 0,
            "depth": 0,
            "pv": [],
            "text": "",
        },
    )
    yield "move, text of 200 characters", {"t": "move", "id": 732, "sq": "f6", "text": "ü" * 200}
    yield "resign", {"t": "resign", "id": 732}
    yield "info, least", {"t": "info", "id": 732}
    yield (
        "info, all fields",
        {
            "t": "info",
            "id": 732,
            "eval": 480,
            "proof": "draw",
            "nodes": 127,
            "depth": 128,
            "pv": ["c1"],
            "text": "-",
        },
    )
    yield "pong", {"t": "pong", "id": 65536}
    yield "error from a bot, id", {"t": "error", "id": 732, "code": "unknown_verb", "text": "what is 'tern'?"}
    yield "error from a bot, no id", {"t": "error"}
    yield "bye from a bot", {"t": "bye"}
    yield "bye from a bot, text", {"t": "bye", "text": "out of memory"}


def _from_referee() -> Iterator[tuple[str, dict[str, Any]]]:
    welcome = {"t": "welcome", "donuts": "1-1", "session": SESSION, "caps": ["info"], "maxline": 4096}
    yield "welcome", welcome | {"ref": "donuts-arena/0.1"}
    yield "welcome to a seat", welcome | {"ref": "donuts-arena/0.1", "name": "alice#2"}
    yield "welcome, nothing granted", welcome | {"caps": [], "ref": "r/0"}
    game = {"t": "game", "id": 731, "you": "o", "size": 6, "rings": 15, "main": 60000, "inc": 100}
    game |= {"margin": 50, "prep": 10000, "seed": 4711}
    yield "game", game
    yield (
        "game, all fields",
        game
        | {
            "you": "x",
            "size": 9,
            "rings": 40,
            "main": 0,
            "inc": 250,
            "margin": 500,
            "movemax": 250,
            "opp": "naïve, 50%",
            "seed": MAX,
        },
    )
    yield (
        "game, no limit",
        game | {"main": 2147483647, "inc": 0, "rings": 1, "seed": 0, "prep": 0, "margin": 0},
    )
    turn = {"t": "turn", "id": 732, "game": 731, "ply": 0, "you": "x", "size": 6, "rings": 15}
    turn |= {"layout": LAYOUT6, "cells": EMPTY6, "legal": ALL6, "clock": 60100, "oclock": 60000}
    turn |= {"inc": 100, "limit": 60100, "margin": 50, "spent": 0}
    yield "turn, first of a game", turn
    yield (
        "turn",
        turn
        | {
            "ply": 1,
            "you": "o",
            "cells": ".........x" + "." * 26,
            "last": "d2",
            "legal": ["c1", "e3", "f4"],
            "oclock": 59310,
        },
    )
    yield (
        "turn, one legal square, sent again",
        turn
        | {
            "ply": 29,
            "cells": "xo" * 14 + "x" + "." * 7,
            "you": "o",
            "last": "e5",
            "legal": ["f5"],
            "clock": 0,
            "oclock": MAX,
            "limit": 0,
            "margin": 0,
            "spent": 1091,
            "resend": 1,
        },
    )
    yield (
        "turn, 9 x 9",
        turn
        | {
            "size": 9,
            "rings": 36,
            "layout": LAYOUT9,
            "cells": EMPTY9,
            "legal": ALL9,
            "resend": 0,
        },
    )
    yield "cancel", {"t": "cancel", "id": 732}
    yield "cancel, why", {"t": "cancel", "id": 732, "why": "timeout"}
    yield "ping", {"t": "ping", "id": 733}
    yield "error from the referee, id", {"t": "error", "id": 732, "code": "illegal", "text": "a1 is taken"}
    yield "error from the referee, no id", {"t": "error", "code": "hello"}
    end = {"t": "end", "id": 731, "result": "win", "winner": "o", "why": "five", "ply": 6}
    end |= {"cells": "." * 30 + "xooooo", "moves": ["c6", "b6", "e6", "f6", "a6", "d6"], "more": 0}
    yield "end, five", end | {"five": ["b6", "c6", "d6", "e6", "f6"]}
    yield "end, loss", end | {"result": "loss", "why": "resign", "winner": "x", "text": "resigned", "more": 1}
    yield (
        "end, draw",
        end | {"result": "draw", "why": "group"} | {"winner": None, "ply": 80, "cells": "xo" * 40 + "."},
    )
    yield (
        "end, adjudicated",
        end | {"why": "adjudicated", "text": "both say that o wins", "ply": 6, "more": 1},
    )
    yield (
        "end, void",
        end
        | {
            "result": "void",
            "winner": None,
            "why": "abort",
            "ply": 0,
            "cells": EMPTY9,
            "five": [],
            "moves": [],
        },
    )
    yield "bye from the referee", {"t": "bye"}
    yield "bye from the referee, done", {"t": "bye", "why": "done"}
    yield "bye from the referee, version", {"t": "bye", "why": "version", "min": 1, "max": 1}


def _queries() -> Iterator[tuple[str, dict[str, Any]]]:
    query = {"t": "query", "id": 1, "layout": LAYOUT6}
    yield "query, least", query
    yield "query, no moves yet", query | {"moves": []}
    yield "query, moves", query | {"size": 6, "rings": 2, "moves": ["d2", "c1", "b2", "c2"]}
    yield "query, cells", query | {"rings": 18, "cells": ".........x" + "." * 26, "last": "d2", "you": "o"}
    yield "query, empty cells", query | {"cells": EMPTY6, "you": "x"}
    yield "query, 9 x 9", {"t": "query", "id": MAX, "layout": LAYOUT9, "size": 9, "moves": ["i9", "a9"]}


def _states() -> Iterator[tuple[str, dict[str, Any]]]:
    state = {"t": "state", "id": 1, "ply": 0, "you": "x", "cells": EMPTY6, "legal": ALL6, "flips": []}
    yield "state, start", state
    yield (
        "state, running",
        state
        | {
            "ply": 1,
            "you": "o",
            "cells": ".........x" + "." * 26,
            "last": "d2",
            "legal": ["c1", "e3", "f4"],
            "flips": ["-"],
        },
    )
    yield (
        "state, over",
        state
        | {
            "ply": 4,
            "cells": "..o....ooo" + "." * 26,
            "last": "c2",
            "legal": [],
            "flips": ["-", "-", "-", "b2+d2"],
            "winner": "o",
            "why": "group",
        },
    )
    yield (
        "state, draw",
        state
        | {
            "ply": 2,
            "cells": "..o......x" + "." * 26,
            "last": "c1",
            "legal": [],
            "flips": ["-", "-"],
            "why": "group",
        },
    )
    yield (
        "state, eight rings flipped",
        state
        | {
            "ply": 1,
            "last": "c3",
            "legal": ["c4"],
            "flips": ["a1+c1+e1+a3+e3+a5+c5+e5"],
        },
    )
    yield "error from the service", {"t": "error", "id": 2, "code": "moves", "text": "b2 is taken"}
    yield "error from the service, no id", {"t": "error", "code": "flood"}
