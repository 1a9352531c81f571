"""Mutation fuzzing of both ends, both encodings and both transports, from the golden messages; standard library only.

    python tests/protocol/fuzz.py --seconds 60 [--seed N]

Every round wounds a few golden messages, cuts the bytes anywhere and lets a session judge them. A round fails where
anything but a RemoteProtocolError comes out, where a session goes on after a final fault, where another cutting gives
other events, or where a message that was read does not survive being written. The seed of a round repeats it.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path

from donuts_protocol import packed, text
from donuts_protocol.errors import InvalidMessage
from donuts_protocol.messages import FROM_BOT, FROM_REFEREE, SERVICE_ANSWERS, SERVICE_ASKS

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from protocol import driving

GOLDEN = Path(__file__).resolve().parents[2] / "protocol" / "vectors" / "messages.jsonl"
TYPES = {"bot": FROM_BOT, "referee": FROM_REFEREE, "asker": SERVICE_ASKS, "service": SERVICE_ANSWERS}
SPICES = (
    *(
        b" ",
        b"  ",
        b"=",
        b",",
        b"%",
        b"%00",
        b"%C3",
        b"%E2%80%AE",
        b"-",
        b"\n",
        b"\r\n",
        b"#",
        b"\t",
        b"\x00",
        b"\xff",
    ),
    *(
        b"\xef\xbb\xbf",
        b"\xc0",
        b"\xc2",
        b"\xca\x00\x00\x00\x00",
        b"\xdc\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\x81",
    ),
    *(
        b"\x91" * 5,
        b"\x82\xa1t\x00\xa1t\x00",
        b"0",
        b"007",
        b"9007199254740992",
        b"731",
        b"732",
        b"733",
        b"x" * 4096,
    ),
)


@cache
def golden() -> tuple[tuple[str, bytes, bytes], ...]:
    """(sender, text, msgpack) of every golden message."""
    rows = [json.loads(line) for line in GOLDEN.read_text(encoding="ascii").splitlines()]
    return tuple((row["from"], row["text"].encode(), bytes.fromhex(row["msgpack"])) for row in rows)


def wounded(payload: bytes, dice: random.Random) -> bytes:
    """The bytes with zero to three wounds."""
    body = bytearray(payload)
    for _ in range(dice.choice((0, 1, 1, 2, 3))):
        at = dice.randint(0, len(body))
        match dice.randrange(6):
            case 0:
                body[at : at + 1] = bytes([dice.randrange(256)])
            case 1:
                del body[at : at + dice.choice((1, 1, 2, 8))]
            case 2:
                body[at:at] = dice.choice(SPICES)
            case 3:
                body[at:at] = body[at : at + dice.randint(1, 12)]
            case 4 if body:
                body[min(at, len(body) - 1)] ^= 1 << dice.randrange(8)
            case _:
                body[at:] = dice.choice(golden())[dice.choice((1, 2))][at:]
    return bytes(body)


def cut(stream: bytes, dice: random.Random) -> list[bytes]:
    """The bytes in pieces."""
    cuts = sorted(dice.randint(0, len(stream)) for _ in range(dice.randrange(6)))
    return [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]


def fuzz_session(dice: random.Random, tally: Counter[str]) -> None:
    """One session, one stream."""
    encoding, transport = dice.choice(driving.ENCODINGS), dice.choice(driving.TRANSPORTS)
    situation, role = dice.choice(driving.SITUATIONS), dice.choice(("bot", "referee"))
    mine = [row for row in golden() if row[0] == role] if dice.random() < 0.8 else golden()
    payloads = []
    for _ in range(dice.randint(1, 5)):
        _, line, pack = dice.choice(mine)
        payload = line if encoding == "text" else pack
        for id in (b"731", b"732", b"733"):
            payload = payload.replace(id, str(dice.choice(driving.ASKED)).encode())
        payloads.append(wounded(payload, dice))
    eof = dice.random() < 0.5
    # The bytes that come from a bot are read by the referee's session, and the other way round.
    open_session = driving.referee if role == "bot" else driving.bot
    if transport == "zmq":
        frames = [payload + dice.choice((b"", b"", b"\n", b"\r\n")) for payload in payloads]
        found = driving.judged(open_session(situation, encoding, transport), frames, eof=eof)
    else:
        stream = b"".join(
            payload + dice.choice((b"\n", b"\n", b"\r\n", b""))
            if encoding == "text"
            else (len(payload) if dice.random() < 0.95 else dice.randrange(6000)).to_bytes(4, "big") + payload
            for payload in payloads
        )
        found = driving.judged(open_session(situation, encoding, transport), cut(stream, dice), eof=eof)
        whole = driving.judged(open_session(situation, encoding, transport), [stream], eof=eof)
        assert found == whole, (stream, found, whole)
    final = [event for event in found if isinstance(event, tuple) and event[1] in driving.FINAL]
    assert len(final) <= 1, found
    for event in found:
        tally["message" if not isinstance(event, tuple | str) else str(event)] += 1


def fuzz_codec(dice: random.Random, tally: Counter[str]) -> None:
    """One line or payload, read as each kind of sender's."""
    sender, line, pack = dice.choice(golden())
    codec, payload = (text, line) if dice.random() < 0.5 else (packed, pack)
    payload = wounded(payload, dice)
    try:
        message = codec.decode(payload, TYPES[sender])
    except InvalidMessage as fault:
        assert fault.reason.isprintable(), (payload, fault.reason)
        tally["invalid"] += 1
        return
    tally["decoded"] += 1
    for other in (text, packed):
        assert other.decode(other.encode(message), TYPES[sender]) == message, payload


def run(*, seconds: float | None = None, rounds: int | None = None, seed: int = 0) -> Counter[str]:
    """Rounds until the time or their number is up, one in any case however slow the machine.

    AssertionError or a stray exception names the seed that failed.
    """
    until = None if seconds is None else time.monotonic() + seconds
    tally: Counter[str] = Counter()
    while (rounds is None or tally["rounds"] < rounds) and (
        until is None or not tally["rounds"] or time.monotonic() < until
    ):
        this = f"{seed}:{tally['rounds']}"
        dice = random.Random(this)
        try:
            fuzz_session(dice, tally)
            fuzz_codec(dice, tally)
        except Exception as failure:
            failure.add_note(f"in round {this}")
            raise
        tally["rounds"] += 1
    return tally


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description="Fuzz the sessions and codecs of DBP from the golden messages."
    )
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=None, help="repeat the rounds of an earlier run")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", flush=True)
    for what, count in run(seconds=options.seconds, seed=seed).most_common():
        print(f"{count:9} {what}")


if __name__ == "__main__":
    main()
