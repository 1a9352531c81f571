"""An arena that does what a test says: one ROUTER, one bot in a process of its own, one word after the other."""

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import zmq
from zmq.utils.z85 import encode

from client.referee import Referee
from donuts_protocol.invitation import Invitation
from donuts_protocol.messages import Hello
from donuts_protocol.session import Dropped, Noise, RefereeSession

LONG = 100_000
"""ms after which a test gives up waiting"""

ANSWERS = {"ready", "move", "resign", "info", "pong"}
"""verbs of what a bot may say before it sees that its connection was lost"""


def _verb(frame: bytes) -> str:
    """The verb of a message in either encoding."""
    if frame[:1].isalpha():
        return frame.split(b" ")[0].decode("ascii")
    return str(msgspec.msgpack.decode(frame)["t"])


class Keys(NamedTuple):
    """A CURVE key pair, in Z85."""

    public: str
    secret: str

    @classmethod
    def fresh(cls) -> "Keys":
        public, secret = zmq.curve_keypair()
        return cls(public.decode(), secret.decode())


class ScriptedArena(Referee):
    """The referee's end of a bot that dials in; over all its connections the session is one, as an arena's is."""

    def __init__(self, endpoint: str = "tcp://127.0.0.1:*", keys: Keys | None = None) -> None:
        self.endpoint = endpoint
        self.session = RefereeSession(transport="zmq")
        self.token = ""
        self.known: set[str] = set()
        """public keys of the bots that may come in; where it is empty, all may"""
        self._address = b""
        self._greeted: set[bytes] = set()
        """addresses that said hello"""
        self._keys = keys
        self.open()

    def open(self) -> None:
        """Bind, the second time where it was bound before."""
        self._context = zmq.Context()
        self._zap = self._context.socket(zmq.REP)
        self._zap.bind("inproc://zeromq.zap.01")
        self._router = self._context.socket(zmq.ROUTER)
        self._router.setsockopt(zmq.LINGER, 500)
        self._router.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self._router.setsockopt(zmq.HEARTBEAT_IVL, 1000)
        self._router.setsockopt(zmq.HEARTBEAT_TIMEOUT, LONG)  # else it is the interval
        if self._keys is not None:
            self._router.setsockopt(zmq.CURVE_SERVER, 1)
            self._router.setsockopt(zmq.CURVE_SECRETKEY, self._keys.secret.encode())
            self._router.setsockopt(zmq.ZAP_DOMAIN, b"arena")
        self._router.bind(self.endpoint)
        self.endpoint = self._router.getsockopt(zmq.LAST_ENDPOINT).rstrip(b"\0").decode()
        self._poller = zmq.Poller()
        self._poller.register(self._router, zmq.POLLIN)
        self._poller.register(self._zap, zmq.POLLIN)

    def close(self) -> None:
        """Go down: every connection is cut; nothing where it is down."""
        if not self._router.closed:
            self._router.unbind(self.endpoint)  # first: who is cut off finds no listener that is about to go
        self._router.close()
        self._zap.close()
        self._context.term()

    def drop(self) -> None:
        """Cut every connection and come back at once at the same place."""
        self.close()
        self.open()

    def say(self, message: Any) -> None:
        """Send a message to the bot's present address."""
        self.say_frame(self.session.send(message))

    def say_frame(self, *frames: bytes) -> None:
        """Send a message of these frames to the bot's present address."""
        self._router.send_multipart((self._address, *frames))

    def frame(self, wait: int = LONG) -> tuple[bytes, bytes] | None:
        """The next address and frame; None when `wait` ms have passed. Doorkeeping goes on meanwhile."""
        end = time.monotonic() + wait / 1000
        while (left := end - time.monotonic()) > 0 or wait == 0:
            ready = dict(self._poller.poll(max(0, left * 1000)))
            if self._zap in ready:
                self._admit()
            if self._router in ready:
                address, frame = self._router.recv_multipart()
                return address, frame
            if wait == 0:
                break
        return None

    def _admit(self) -> None:
        version, number, _, _, _, _, key = self._zap.recv_multipart()
        status = b"200" if not self.known or encode(key).decode() in self.known else b"400"
        self._zap.send_multipart((version, number, status, b"", b"", b""))

    def hear(self) -> Any:
        """What the bot says next on its present connection."""
        while (event := self.session.next_event()) is None:
            got = self.frame()
            assert got is not None, "the bot says nothing"
            address, frame = got
            if self._too_late(address, frame):
                continue
            assert address == self._address, f"another connection says {frame!r}"
            self.session.receive(frame, time.monotonic_ns())
        assert not isinstance(event, Dropped | Noise), event
        return event

    def greet(self, token: str = "a" * 32) -> Hello:
        """Take the hello of a fresh connection, say welcome with this token; goes on with the session of that token."""
        hello = self.admit()
        if token == self.token:
            self.session.rejoin(self._newcomer)
            self.session.state = self._newcomer.state
        else:
            self.session, self.token = self._newcomer, token
        self.welcome(token)
        return hello

    def admit(self) -> Hello:
        """Take the hello of a fresh connection; what still comes from an old one is passed over."""
        old = self._address
        while (got := self.frame()) is not None and (got[0] == old or self._too_late(*got)):
            pass
        assert got is not None, "the bot does not dial in"
        self._address, frame = got
        self._greeted.add(self._address)
        self._newcomer = RefereeSession(transport="zmq")
        self._newcomer.receive(frame, time.monotonic_ns())
        hello = self._newcomer.next_event()
        assert isinstance(hello, Hello), hello
        return hello

    def _too_late(self, address: bytes, frame: bytes) -> bool:
        """Whether a bot said this before it saw that its connection was lost.

        ZeroMQ then has connected again by itself, and says it where no hello was said; an arena listens to none of
        it (DBP-11.9), and the bot hangs up there.
        """
        return address not in self._greeted and _verb(frame) in ANSWERS

    def send_away(self, *words: Any) -> None:
        """Say the words instead of welcome."""
        self.session = self._newcomer
        for word in words:
            self.say(word)

    def invitation(self, keys: Keys | None = None, **more: str) -> Invitation:
        """What a join file for this arena says; `keys` are the bot's own."""
        if keys is not None and self._keys is not None:
            own = {"server_key": self._keys.public, "public_key": keys.public, "secret_key": keys.secret}
            more = own | more
        return Invitation(self.endpoint, **more)


class Caller:
    """A bot that dials in, as a process; its stderr is read as it comes."""

    def __init__(self, words: list[str], folder: Path, env: dict[str, str]) -> None:
        left_out = ("PYTHONUNBUFFERED", "DONUTS_SEAT")
        self.process = subprocess.Popen(
            [sys.executable, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            text=True,
            env={name: value for name, value in os.environ.items() if name not in left_out} | env,
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._seen: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._folder = folder

    def _read(self) -> None:
        for line in self.process.stderr:
            self._lines.put(line)
        self._lines.put(None)

    def lines(self) -> Iterator[str]:
        """The lines of stderr as they come."""
        while (line := self._lines.get(timeout=LONG / 1000)) is not None:
            self._seen.append(line)
            yield line

    def tells(self, fragment: str) -> str:
        """Wait for a line on stderr that holds this; returns it."""
        for line in self.lines():
            if fragment in line:
                return line
        raise AssertionError(f"{fragment!r} is not in {self._seen}")

    def release(self, name: str) -> None:
        """Make the file of this name appear where the bot runs."""
        (self._folder / name).touch()

    def rest(self) -> tuple[int, str, str]:
        """Wait for the process; returns its exit status, its stdout, and its whole stderr."""
        for _ in self.lines():
            pass
        out = self.process.stdout.read()
        return self.process.wait(timeout=30), out, "".join(self._seen)

    def stop(self) -> None:
        """Whatever became of the test: no process is left."""
        self.process.kill()
        self.process.wait(timeout=60)
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
