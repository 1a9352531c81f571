"""One conversation with the rules, sans-IO: bytes of queries in, bytes of answers out, in the same order.

    service = RulesService()
    while service.status is None and (data := read()):
        write(service.receive(data))
    write(service.receive_eof())

The first byte says whether both sides speak text or msgpack (DBP-2.2). A bad query is answered and the next one is
served; only a msgpack length that cannot be ends the service, since nothing after it can be found (DBP-13.8).
"""

from donuts_protocol import packed, text
from donuts_protocol.errors import InvalidMessage
from donuts_protocol.framing import Flood, Framer, LineFramer, PrefixFramer, frame
from donuts_protocol.messages import SERVICE_ASKS, Message, Query
from donuts_referee.service.answers import QueryFault, answer, refusal, refuse

__all__ = ["RulesService"]

_BOM = b"\xef\xbb\xbf"


class RulesService:
    """The service's end. `status` is None while it goes on, then its exit status: 0 after EOF, 2 after a bad length."""

    def __init__(self) -> None:
        self.status: int | None = None
        self._wire: _Text | _Packed | None = None

    def receive(self, data: bytes) -> bytes:
        """Take bytes as they come, in any chunking; returns the answers to all queries that are complete by now."""
        if not data or self.status is not None:
            return b""
        if self._wire is None:
            self._wire = _Packed() if data[0] == 0 else _Text()
        answers = b"".join(self._wire.answers(data))
        if self._wire.lost:
            self.status = 2
        return answers

    def receive_eof(self) -> bytes:
        """No more will come; returns the answer to a query that was cut off, if there is one."""
        if self.status is not None:
            return b""
        self.status = 0
        return b"" if self._wire is None else self._wire.last_answer()


class _Text:
    """Lines."""

    lost = False

    def __init__(self) -> None:
        self._framer = LineFramer()
        self._decode = text.decoder(SERVICE_ASKS)
        self._first = True

    def answers(self, data: bytes) -> list[bytes]:
        """The answers to the lines that `data` completes."""
        self._framer.feed(data)
        answers = []
        while (line := self._framer.next()) is not None:
            if isinstance(line, Flood):
                answers.append(_line(refuse(None, QueryFault.FLOOD, line.text)))
                self._framer.skip()
                self._first = False
            elif (said := self._answer(line)) is not None:
                answers.append(said)
        return answers

    def last_answer(self) -> bytes:
        """The answer to a line without an LF: what is missing at its end, nobody knows."""
        rest = self._framer.rest()
        if not rest.strip() or rest.startswith(b"#"):
            return b""
        try:
            id = getattr(self._decode(rest), "id", None)
        except InvalidMessage as fault:
            id = fault.id
        return _line(refuse(id, QueryFault.QUERY, "the last line lacks its LF, so its end may be lost"))

    def _answer(self, line: bytes) -> bytes | None:
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        line = line.removesuffix(b"\r")
        if not line or line.startswith(b"#"):
            return None
        try:
            query = self._decode(line)
        except InvalidMessage as fault:
            return _line(refusal(fault))
        assert isinstance(query, Query)
        return _line(answer(query))


class _Packed:
    """Maps behind their length."""

    def __init__(self) -> None:
        self.lost = False
        self._framer: Framer = PrefixFramer()

    def answers(self, data: bytes) -> list[bytes]:
        """The answers to the payloads that `data` completes."""
        self._framer.feed(data)
        answers = []
        while (payload := self._framer.next()) is not None:
            if isinstance(payload, Flood):
                self.lost = True
                answers.append(_map(refuse(None, QueryFault.FLOOD, payload.text)))
                break
            answers.append(self._answer(payload))
        return answers

    def last_answer(self) -> bytes:
        """The answer to a payload that was cut off."""
        if not self._framer.rest():
            return b""
        return _map(refuse(None, QueryFault.QUERY, "the last payload is shorter than its length says"))

    def _answer(self, payload: bytes) -> bytes:
        try:
            query = packed.decode(payload, SERVICE_ASKS)
        except InvalidMessage as fault:
            return _map(refusal(fault))
        assert isinstance(query, Query)
        return _map(answer(query))


def _line(message: Message) -> bytes:
    return frame(text.encode(message), "text", "stdio")


def _map(message: Message) -> bytes:
    return frame(packed.encode(message), "msgpack", "stdio")
