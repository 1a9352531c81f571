"""`packed.py VICE`: an honest bot that speaks msgpack, with one thing wrong: float, text_id, trailing, widths, last."""

import struct
import sys

import msgpack
from honest import raw

VICE = sys.argv[1] if len(sys.argv) > 1 else "none"


def send(message, after=b""):
    payload = msgpack.packb(message) + after
    raw(struct.pack(">I", len(payload)) + payload)


def answer(asked):
    legal = asked["legal"]
    if VICE == "last" and asked["last"] is None:
        raise ValueError
    move = {"t": "move", "id": asked["id"], "sq": legal[len(legal) // 2]}
    if VICE == "float":
        move["eval"] = 0.5
    if VICE == "text_id":
        move["id"] = str(move["id"])
    send(move, b"\xc0" if VICE == "trailing" else b"")


send({"t": "hello", "donuts": "1-1", "name": "packed"})
while head := sys.stdin.buffer.read(4):
    payload = sys.stdin.buffer.read(struct.unpack(">I", head)[0])
    asked = msgpack.unpackb(payload)
    if VICE == "widths" and b"\xa3ply\xcf" in payload:
        raise ValueError("ply is no fixint")
    if asked["t"] == "game":
        send({"t": "ready", "id": asked["id"]})
    elif asked["t"] == "turn":
        answer(asked)
    elif asked["t"] == "ping":
        send({"t": "pong", "id": asked["id"]})
    elif asked["t"] == "bye":
        break
