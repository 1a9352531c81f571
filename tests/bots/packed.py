"""Speaks msgpack; the word after the mark names what it does at its second turn as x: trailing, length or wrong type (`type`)."""

import struct
import sys

import msgpack
from plain import Plain, raw

VICE = sys.argv[2] if len(sys.argv) > 2 else "none"


class Bot(Plain):
    def send(self, message, after=b""):
        payload = msgpack.packb(message) + after
        raw(struct.pack(">I", len(payload)) + payload)

    def sin(self, id, turn):
        answer = {"t": "move", "id": id, "sq": self.pick(turn)}
        if VICE == "trailing":
            self.send(answer, after=b"\xc0")
        elif VICE == "length":
            raw(struct.pack(">I", 70000))
        elif VICE == "type":
            self.send(answer | {"eval": "good"})
        else:
            self.send(answer)

    def pick(self, turn):
        return super().pick(turn | {"legal": ",".join(turn["legal"])})

    def run(self):
        self.send({"t": "hello", "donuts": "1-1", "name": "packed"})
        while head := sys.stdin.buffer.read(4):
            asked = msgpack.unpackb(sys.stdin.buffer.read(struct.unpack(">I", head)[0]))
            if asked["t"] == "game":
                self.seed = asked["seed"]
                self.send({"t": "ready", "id": asked["id"]})
            elif asked["t"] == "turn" and asked["you"] == "x" and asked["ply"] == 2:
                self.sin(asked["id"], asked)
            elif asked["t"] == "turn":
                self.send({"t": "move", "id": asked["id"], "sq": self.pick(asked)})
            elif asked["t"] == "ping":
                self.send({"t": "pong", "id": asked["id"]})
            elif asked["t"] == "bye":
                break


Bot().run()
