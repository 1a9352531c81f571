"""The operator's socket: an ipc endpoint in a directory of its own (0700), one question and one answer at a time."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import zmq

from donuts_referee.arena.status import Answer, Request

__all__ = ["ControlFault", "ControlSocket", "ask", "endpoint_of"]

FOLDER = "control"
SOCKET = "arena.sock"
MOST = 16_384
"""bytes of the longest request"""

LONGEST = 107
"""bytes of the longest path of a socket that the system takes"""


class ControlFault(Exception):
    """The arena cannot be asked; the text is one line."""


def endpoint_of(records: Path) -> str:
    """Where the arena that keeps its records in this folder can be asked. Raises ControlFault."""
    whole = str(records.absolute() / FOLDER / SOCKET)
    path = min(whole, os.path.relpath(whole), key=lambda one: len(one.encode()))
    if len(path.encode()) > LONGEST:
        raise ControlFault(
            f"{path} is too long for a socket ({LONGEST} bytes at most); keep the records under a shorter path"
        )
    return f"ipc://{path}"


class ControlSocket:
    """The arena's end. Raises ControlFault where it cannot be opened."""

    def __init__(
        self, context: zmq.Context[zmq.Socket[bytes]], records: Path, obey: Callable[[Request], Answer]
    ) -> None:
        endpoint = endpoint_of(records)
        folder = records / FOLDER
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            folder.chmod(0o700)
        except OSError as error:
            raise ControlFault(f"cannot make {folder}: {(error.strerror or str(error)).lower()}") from None
        self.socket = context.socket(zmq.ROUTER)
        self.socket.linger = 200
        self.socket.maxmsgsize = MOST
        self._obey = obey
        try:
            self.socket.bind(endpoint)
        except zmq.ZMQError as error:
            self.socket.close(linger=0)
            raise ControlFault(f"cannot listen at {endpoint}: {error.strerror.lower()}") from None

    def serve(self) -> None:
        """Answer everything that was asked."""
        while True:
            try:
                address, *frames = self.socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            try:
                answer = self._obey(msgspec.json.decode(frames[-1] if frames else b"", type=Request))
            except msgspec.DecodeError as fault:
                answer = Answer(error=f"not a request: {fault}")
            with contextlib.suppress(zmq.ZMQError):  # whoever asked has gone
                self.socket.send_multipart([address, msgspec.json.encode(answer)], zmq.NOBLOCK)

    def close(self) -> None:
        """Close the socket."""
        self.socket.close()


def ask(records: Path, request: Request, patience: int = 5000) -> Answer:
    """Ask the arena that keeps its records there and wait `patience` ms at most. Raises ControlFault."""
    endpoint = endpoint_of(records)
    nobody = f"no arena is running with records in {records}; start one with `donuts arena serve`, or name its folder"
    if not (records / FOLDER / SOCKET).exists():
        raise ControlFault(nobody)
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 0
        socket.connect(endpoint)
        socket.send(msgspec.json.encode(request))
        if not socket.poll(patience):
            raise ControlFault(nobody)
        return msgspec.json.decode(socket.recv(), type=Answer)
