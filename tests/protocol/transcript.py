"""Reads the conversations of protocol/transcripts/ and plays them through both sessions (format: the README there)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgpack
import pytest

from donuts_protocol import packed, text
from donuts_protocol.errors import InvalidMessage, LocalProtocolError, RemoteProtocolError
from donuts_protocol.messages import FROM_BOT, FROM_REFEREE, Game, Message, Ping, Turn
from donuts_protocol.session import BotSession, Dropped, Noise, RefereeSession
from donuts_protocol.states import TABLE, Sender, State

FOLDER = Path(__file__).parents[2] / "protocol" / "transcripts"
SPEC = Path(__file__).parents[2] / "protocol" / "SPEC.md"

_STEP = re.compile(r"([RBrb]|b-)(?:\*(\d+))?: (.*)|(EOF|REJOIN)|@ (\d+)")
_HEAD = re.compile(r"== ([^\[\]]+?)((?: \[[^\]]+\])*)")


class BadTranscript(ValueError):
    """A transcript breaks the format; the text has the file and the line."""


@dataclass
class Step:
    """One line of a conversation with the expectations below it."""

    where: str
    kind: str
    line: str = ""
    times: int = 1
    expected: list[str] = field(default_factory=list)


@dataclass
class Conversation:
    """One conversation: its title, what it is about, its steps."""

    where: str
    title: str
    options: tuple[str, ...]
    steps: list[Step] = field(default_factory=list)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses it is about."""
        return tuple(word for option in self.options for word in option.split() if word.startswith("DBP-"))

    @property
    def encodings(self) -> tuple[str, ...]:
        """text and msgpack, or text alone where a line is about the text form."""
        return ("text",) if "text" in self.options else ("text", "msgpack")


def conversations() -> list[Conversation]:
    """Every conversation of every file, in order."""
    known: dict[str, Conversation] = {}
    for path in sorted(FOLDER.glob("*.txt")):
        for conversation in parsed(path.name, path.read_text(encoding="utf-8"), known):
            if conversation.title in known:
                raise BadTranscript(
                    f"{conversation.where}: two conversations have the title {conversation.title!r}"
                )
            known[conversation.title] = conversation
    return list(known.values())


def parsed(name: str, content: str, known: dict[str, Conversation]) -> Iterator[Conversation]:
    """The conversations of one file; `+ TITLE` takes the steps of one that is known."""
    now: Conversation | None = None
    for number, line in enumerate(content.split("\n"), 1):
        where = f"{name}:{number}"
        if not line or line.startswith("#"):
            continue
        if head := _HEAD.fullmatch(line):
            if now is not None:
                yield now
            options = tuple(option.strip("[]") for option in re.findall(r"\[[^\]]+\]", head[2]))
            now = Conversation(where, head[1], options)
        elif now is None:
            raise BadTranscript(f"{where}: a conversation begins with '== TITLE'")
        elif line.startswith("+ "):
            now.steps += known[line[2:]].steps
        elif line[:2] in ("~ ", "! ", "= "):
            now.steps[-1].expected.append(line)
        elif step := _STEP.fullmatch(line):
            if step[4]:
                now.steps.append(Step(where, step[4]))
            elif step[5]:
                now.steps.append(Step(where, "@", step[5]))
            else:
                now.steps.append(Step(where, step[1], step[3], int(step[2] or 1)))
        else:
            raise BadTranscript(f"{where}: neither a step nor an expectation: {line!r}")
    if now is not None:
        yield now


Arrow = tuple[State, Sender, str]


class Play:
    """Plays one conversation in one encoding; `walked` collects the arrows of the table of states it took."""

    def __init__(self, conversation: Conversation, encoding: str) -> None:
        assert encoding in ("text", "msgpack")
        self.conversation = conversation
        self.encoding = encoding
        transport = "zmq" if "zmq" in conversation.options else "stdio"
        self.referee = RefereeSession(transport=transport, first_id=self._first_id())
        self.bot = BotSession(encoding, transport)  # type: ignore[arg-type]
        self.walked: set[Arrow] = set()
        self._transport = transport
        self._last_id = self._first_id() - 1
        self._now = 0
        self._lawful = True
        self._held: RefereeSession | None = None
        """the session that goes on once the bot that dials in again has been welcomed"""
        self._behind = False
        """the bot was welcomed again and has not been told yet what is open"""

    def _first_id(self) -> int:
        ids = [
            re.fullmatch(r"(?:game|turn|ping) (\d+)\b.*", s.line)
            for s in self.conversation.steps
            if s.kind == "R"
        ]
        return min([int(found[1]) for found in ids if found], default=731)

    def run(self) -> None:
        """Plays all steps; AssertionError names the line at which the sessions do something else."""
        for step in self.conversation.steps:
            for time in range(step.times):
                try:
                    self._take(step)
                    if time == step.times - 1:
                        self._compare(step)
                except (AssertionError, LocalProtocolError, RemoteProtocolError, InvalidMessage) as fault:
                    raise AssertionError(
                        f"{step.where} ({self.encoding}): {step.kind} {step.line!r}: {fault!r}"
                    ) from fault

    def _take(self, step: Step) -> None:
        outcomes = [e for e in step.expected if e[0] in "~!"]
        assert len(outcomes) <= 1, "one outcome at most"
        outcome = outcomes[0] if outcomes else ""
        match step.kind:
            case "@":
                self._now = int(step.line) * 1_000_000
            case "R":
                self._referee_says(step.line, outcome)
            case "B":
                self._bot_says(step.line, outcome)
            case "r":
                self._lawful = False
                self._hear_as_bot(self._raw(step.line, FROM_REFEREE), step.line, outcome)
            case "REJOIN":
                self._held = self.referee
                self.referee = RefereeSession(transport=self._transport, first_id=0)  # type: ignore[arg-type]
                self.bot = BotSession(self.encoding, self._transport)  # type: ignore[arg-type]
            case "EOF":
                self._lawful = False
                self.referee.receive_eof(self._now)
                self._hear_as_referee(b"", "", outcome, nothing=True)
            case _:
                # what is dropped or means nothing may have crossed a message of the referee; the bot is still in order
                self._lawful = self._lawful and (
                    outcome.startswith("~") or step.kind == "b-" or _is_nothing(step.line)
                )
                data = self._raw(step.line, FROM_BOT)
                if step.kind == "b-":
                    data = data[:-1]
                self._hear_as_referee(data, step.line, outcome, nothing=step.kind == "b-")
        if self._lawful:
            assert self.referee.state == self.bot.state
            assert self._behind or self.referee.question == self.bot.question

    def _referee_says(self, line: str, outcome: str) -> None:
        message: Any = text.decode(line.encode(), FROM_REFEREE)
        while isinstance(message, Game | Turn | Ping) and self._last_id < message.id:
            self._last_id = self.referee.next_id()
        before = self.referee.state
        if outcome == "! not sent":
            with pytest.raises(LocalProtocolError):
                self.referee.send(message)
            assert self.referee.state is before
            return
        data = self.referee.send(message)
        self._walk(before, Sender.REFEREE, message)
        self._behind = False
        if self._held is not None and message.verb == "welcome":
            self._held.rejoin(self.referee)
            self.referee, self._held, self._behind = self._held, None, True
        if self._lawful:
            self._hear_as_bot(data, line, outcome)
        else:  # the bot that broke the order is not the session we have; what it reads is still whole
            assert data == self._framed(self._encode(message))

    def _bot_says(self, line: str, outcome: str) -> None:
        message: Any = text.decode(line.encode(), FROM_BOT)
        if outcome == "! not sent":
            before = self.bot.state
            with pytest.raises(LocalProtocolError):
                self.bot.send(message)
            assert self.bot.state is before
            return
        data = self.bot.send(message)
        self._hear_as_referee(data, line, outcome)

    def _hear_as_bot(self, data: bytes, line: str, outcome: str) -> None:
        self.bot.receive(data)
        if outcome.startswith("! "):
            with pytest.raises(RemoteProtocolError) as fault:
                self.bot.next_event()
            assert fault.value.why == outcome[2:]
        elif outcome == "~ ignored":
            assert self.bot.next_event() is None
        else:
            assert self.bot.next_event() == text.decode(line.encode(), FROM_REFEREE)
        assert self.bot.next_event() is None

    def _hear_as_referee(self, data: bytes, line: str, outcome: str, *, nothing: bool = False) -> None:
        before, question = self.referee.state, self.referee.question
        self.referee.receive(data, self._now)
        if outcome.startswith("! "):
            with pytest.raises(RemoteProtocolError) as fault:
                self.referee.next_event()
            assert fault.value.why == outcome[2:]
            assert fault.value.text and fault.value.clause
        elif outcome == "~ unread":
            assert self.referee.next_event() is None
            assert (self.referee.state, self.referee.question) == (before, question)
        elif outcome.startswith("~ "):
            event = self.referee.next_event()
            assert isinstance(event, Dropped | Noise), event
            assert (event.why if isinstance(event, Dropped) else "noise") == outcome[2:]
            assert (self.referee.state, self.referee.question) == (before, question)
        elif nothing or _is_nothing(line):
            assert self.referee.next_event() is None
            assert (self.referee.state, self.referee.question) == (before, question)
        else:
            message = text.decode(_plain(line).removeprefix(b"\xef\xbb\xbf").removesuffix(b"\r"), FROM_BOT)
            assert self.referee.next_event() == message
            self._walk(before, Sender.BOT, message)
        assert self.referee.next_event() is None

    def _walk(self, before: State, sender: Sender, message: Message) -> None:
        arrow = (before, sender, message.verb)
        assert TABLE[arrow] is self.referee.state, f"{before} leads to {self.referee.state}"
        self.walked.add(arrow)

    def _compare(self, step: Step) -> None:
        for expectation in step.expected:
            if expectation.startswith("= "):
                self._compare_one(expectation[2:])

    def _compare_one(self, expectation: str) -> None:
        words = expectation.split()
        if words[0] == "open":
            assert self.referee.question == (None if words[1] == "none" else int(words[1]))
        elif words[0] == "state" and not words[1].isdecimal():
            assert self.referee.state == words[1]
        else:
            counts = self.referee.counts._asdict()
            expected = {name: int(value) for name, value in zip(words[::2], words[1::2], strict=True)}
            assert {name: counts[name] for name in expected} == expected

    # --- bytes -------------------------------------------------------------------------------------------------------

    def _encode(self, message: Message) -> bytes:
        return text.encode(message) if self.encoding == "text" else packed.encode(message)

    def _framed(self, payload: bytes) -> bytes:
        if self._transport == "zmq":
            return payload
        return payload + b"\n" if self.encoding == "text" else len(payload).to_bytes(4, "big") + payload

    def _raw(self, line: str, types: tuple[type[Message], ...]) -> bytes:
        plain = _plain(line)
        if self.encoding == "text":
            return self._framed(plain)
        try:
            return self._framed(packed.encode(text.decode(plain, types)))
        except InvalidMessage:
            return self._framed(msgpack.packb(_loose_map(line)))


def _plain(line: str) -> bytes:
    """The bytes of a line in which `\\xNN` stands for a byte."""
    return re.sub(r"\\x([0-9a-f]{2})", lambda m: chr(int(m[1], 16)), line).encode("latin-1")


def _is_nothing(line: str) -> bool:
    """Whether a line is a comment or empty."""
    plain = _plain(line).removeprefix(b"\xef\xbb\xbf")
    return plain in (b"", b"\r") or plain.startswith(b"#")


def _loose_map(line: str) -> dict[str, Any]:
    """A line that is no message as the map that has the same faults."""
    verb, *tokens = line.split(" ")
    pairs: dict[str, Any] = {"t": verb}
    for key, token in zip(
        ("id", "sq", "more_1", "more_2"), [t for t in tokens if "=" not in t], strict=False
    ):
        pairs[key] = int(token) if token.isdecimal() else token
    for token in tokens:
        key, equals, value = token.partition("=")
        if equals:
            pairs[key] = int(value) if value.isdecimal() else value
    return pairs
