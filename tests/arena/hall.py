"""A real arena as a process of its own, and honest bots to sit down in it; all is waited for, nothing slept for."""

import json
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import zmq

from donuts_protocol.dialling import Dialling
from donuts_protocol.invitation import Invitation, parse
from donuts_protocol.messages import Bye, Game, Hello, Leave, Move, Ping, Pong, Ready, Turn
from donuts_referee.arena.control import ask
from donuts_referee.arena.status import Answer, Request, Status

PATIENCE = 60.0
"""Seconds after which what is waited for is taken to have failed; honest runs take a fraction of it."""

ASK_EVERY = 0.02
"""seconds between two questions to an arena whose status is to become another"""

ANY_PORT = "tcp://127.0.0.1:*"


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port of the loopback interface for a server that must be told which, or comes back to it: nobody else has it.

    A socket that does not listen holds it. Linux lets servers that reuse addresses, as those of ZeroMQ and Python do,
    listen beside it, and gives the port to no other socket meanwhile; elsewhere it is only likely to be free.
    """
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        port = int(holder.getsockname()[1])
        if sys.platform != "linux":
            holder.close()
        yield port


class Hall:
    """`donuts arena serve --json` in a folder."""

    program: tuple[str, ...] = ("-m", "donuts_referee")
    """the command `donuts`, for Python"""

    def __init__(self, folder: Path, config: str = "", *, port: int | None = None) -> None:
        self.folder = folder
        self.endpoints: list[str] = []
        """where it listens, as it said when it had begun"""
        self.records = folder / "donuts-arena"
        self.events: list[dict[str, Any]] = []
        self.err = ""
        self._changed = threading.Condition()
        self._config = folder / "arena.toml"
        if "endpoints" not in config:
            endpoint = ANY_PORT if port is None else f"tcp://127.0.0.1:{port}"
            arena = f'[arena]\nendpoints = ["{endpoint}"]\n'
            config = config.replace("[arena]\n", arena, 1) if "[arena]\n" in config else arena + config
        self._config.write_text(config)
        self._readers: list[threading.Thread] = []
        self.process: subprocess.Popen[bytes]

    @property
    def tcp(self) -> str:
        """Where bots dial in, once it listens."""
        [endpoint] = [each for each in self.endpoints if each.startswith("tcp:")]
        return endpoint

    @property
    def port(self) -> int:
        """The port of `tcp`."""
        return int(self.tcp.rpartition(":")[2])

    def start(self) -> None:
        """Start the process and wait until it listens."""
        self.process = subprocess.Popen(
            [sys.executable, *self.program, "arena", "serve", str(self._config), "--json"],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.err = ""
        works = (self._read_events, self._read_err)
        self._readers = [threading.Thread(target=work, daemon=True) for work in works]
        for reader in self._readers:
            reader.start()
        self.until(lambda: "seed: " in self.err or self.process.poll() is not None)
        said = re.search(r"^arena at (.+) \(", self.err, re.MULTILINE)
        assert said is not None and "seed: " in self.err, self.err
        self.endpoints = said[1].split(", ")

    def _read_events(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._changed:
                self.events.append(json.loads(line))
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def _read_err(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._changed:
                self.err += line.decode()
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def until(self, true: Callable[[], object], patience: float = PATIENCE) -> None:
        """Wait until what the arena printed makes `true` true."""
        with self._changed:
            assert self._changed.wait_for(true, patience), f"waited in vain; {self.events[-5:]} {self.err}"

    def of(self, kind: str, **like: object) -> list[dict[str, Any]]:
        """The events of a kind that have these values."""
        return [e for e in self.events if e["event"] == kind and all(e[k] == v for k, v in like.items())]

    def games(self) -> list[dict[str, Any]]:
        """The games that have ended."""
        return self.of("game")

    def until_games(self, count: int, patience: float = PATIENCE) -> list[dict[str, Any]]:
        """Wait until so many games have ended."""
        self.until(lambda: len(self.games()) >= count, patience)
        return self.games()

    def ask(self, command: str, name: str | None = None) -> Answer:
        """Ask over the control socket."""
        return ask(self.records, Request(command, name), int(PATIENCE * 1000))

    def status(self) -> Status:
        """The arena now."""
        status = self.ask("status").status
        assert status is not None
        return status

    def until_status(self, true: Callable[[Status], object], patience: float = PATIENCE) -> Status:
        """Ask again and again until the status makes `true` true."""
        ends = time.monotonic() + patience
        while not true(status := self.status()):
            assert time.monotonic() < ends, f"waited in vain; {status}"
            with self._changed:
                self._changed.wait(ASK_EVERY)  # what it prints is an occasion to ask as well
        return status

    def end(self, number: int = signal.SIGTERM, patience: float = PATIENCE) -> int:
        """Send a signal and wait for the end; returns the exit code."""
        self.process.send_signal(number)
        return self.wait(patience)

    def wait(self, patience: float = PATIENCE) -> int:
        """Wait for the end of the process."""
        code = self.process.wait(patience)
        for reader in self._readers:
            reader.join(PATIENCE)
            assert not reader.is_alive(), "the arena has ended, and somebody still holds its stdout or stderr"
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        return code

    def close(self) -> None:
        """End it, whatever it does, and the bots of this process that called there."""
        if self.process.poll() is None:
            self.process.kill()
        if self._readers:
            self.wait()
            self._readers = []
        for endpoint in self.endpoints:
            Caller.all_leave(endpoint)

    def journal(self) -> list[dict[str, Any]]:
        """The records of its journal; a line that was torn when it was killed is none."""
        path = self.records / "journal.jsonl"
        return [json.loads(line) for line in whole_lines(path.read_bytes())] if path.exists() else []


def whole_lines(data: bytes) -> list[bytes]:
    """The lines of a journal that were written to their ends: neither the last part of it nor one that was sealed."""
    *lines, _ = data.split(b"\n")
    return [line for line in lines if not line.endswith(b" #torn")]


@contextmanager
def hall(
    folder: Path, config: str = "", *, port: int | None = None, kind: type[Hall] = Hall
) -> Iterator[Hall]:
    """An arena that is ended when the block is left."""
    one = kind(folder, config, port=port)
    try:
        one.start()
        yield one
    finally:
        one.close()


def dealer(context: zmq.Context[Any], invitation: Invitation) -> zmq.Socket[Any]:
    """A DEALER as DBP-11.1 wants it, with the keys of the invitation."""
    made = context.socket(zmq.DEALER)
    made.linger = 0
    if invitation.curve:
        made.curve_serverkey = (invitation.server_key or "").encode()
        made.curve_publickey = (invitation.public_key or "").encode()
        made.curve_secretkey = (invitation.secret_key or "").encode()
    made.connect(invitation.endpoint)
    return made


class Caller:
    """An honest bot on a thread of this process: plays the first legal square until it is told to leave."""

    around: ClassVar[list["Caller"]] = []
    """those whose threads run: what is left of one test would dial in at the port of another, and hold descriptors"""

    def __init__(self, endpoint: str | Invitation, name: str, encoding: str = "text", **hello: Any) -> None:
        self.invitation = endpoint if isinstance(endpoint, Invitation) else Invitation(endpoint)
        self.name = name
        self.heard: list[Any] = []
        self.last: str | None = None
        """the word of the `bye` that ended it"""
        seat = hello.pop("seat", self.invitation.token)
        self.dialling = Dialling(Hello(donuts="1-1", name=name, seat=seat, **hello), encoding)  # type: ignore[arg-type]
        self._orders: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, daemon=True)
        Caller.around.append(self)
        self._thread.start()

    @classmethod
    def all_leave(cls, endpoint: str = "") -> None:
        """Let all that are around leave, or those alone that call at this endpoint."""
        leaving = [one for one in cls.around if endpoint in ("", one.invitation.endpoint)]
        for one in leaving:
            one._orders.put("leave")
        for one in leaving:
            one.join()

    def leave(self) -> None:
        """Say bye, and be gone when this returns."""
        self._orders.put("leave")
        self.join()

    def join(self, patience: float = PATIENCE) -> None:
        """Wait until the arena has sent it away."""
        self._thread.join(patience)
        assert not self._thread.is_alive(), f"{self.name} was not sent away; it heard {self.heard[-3:]}"

    def think(self, turn: Turn) -> str:
        """The square to play."""
        return turn.legal[0]

    def _run(self) -> None:
        context: zmq.Context[Any] = zmq.Context()
        try:
            while self._call(context):
                pass
        finally:
            context.destroy(linger=500)
            Caller.around.remove(self)

    def _call(self, context: zmq.Context[Any]) -> bool:
        """One connection; True when another one is to be made."""
        with dealer(context, self.invitation) as line:
            line.send(self.dialling.greet(time.monotonic_ns()))
            while True:
                if not self._orders.empty():
                    self._orders.get()
                    line.linger = 500
                    line.send(self.dialling.send(Leave(text="enough")))
                    return False
                if line.poll(20):
                    self.dialling.receive(line.recv(), time.monotonic_ns())
                    while (message := self.dialling.next_event()) is not None:
                        self.heard.append(message)
                        if isinstance(message, Bye):
                            self.last = message.why
                            return False
                        if (answer := self._answer(message)) is not None:
                            line.send(answer)
                if self.dialling.stale(time.monotonic_ns()):
                    return True

    def _answer(self, message: Any) -> bytes | None:
        match message:
            case Game():
                return self.dialling.send(Ready(id=message.id))
            case Ping():
                return self.dialling.send(Pong(id=message.id))
            case Turn():
                return self.dialling.answered(message) or self.dialling.send(
                    Move(id=message.id, sq=self.think(message))
                )
            case _:
                return None


def seats(folder: Path, names: str, *words: str) -> dict[str, Invitation]:
    """Seats made by the command itself in `folder`/seats: by name, what the join file says."""
    roster = folder / "teams.csv"
    roster.write_text("name\n" + "\n".join(names.split()) + "\n")
    out = folder / "seats"
    made = [
        sys.executable,
        "-m",
        "donuts_referee",
        "arena",
        "seats",
        "--roster",
        str(roster),
        "--out",
        str(out),
    ]
    subprocess.run([*made, *words], check=True, capture_output=True, cwd=folder, timeout=2 * PATIENCE)
    return {name: parse((out / f"{name}.join.toml").read_text()) for name in names.split()}
