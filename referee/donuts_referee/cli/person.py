"""`human`: a person at the terminal, who plays through the protocol as every bot does; the table knows no better.

A `Person` translates: what the referee sends becomes a board and a question, a line that is typed becomes an answer.
A `Keyboard` reads the lines and hands each to the person who is asked, so that two people can share a terminal, and
lines may be typed or piped ahead of their question. A `Seat` is a person's link in the exchange.
"""

import re
from collections import deque
from collections.abc import Sequence

from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.squares import NAMES
from donuts_protocol.errors import RemoteProtocolError
from donuts_protocol.keys import NO_LIMIT
from donuts_protocol.messages import (
    Cancel,
    End,
    Game,
    Hello,
    Leave,
    Move,
    Ping,
    Pong,
    Ready,
    RefereeMessage,
    Resign,
    Turn,
)
from donuts_protocol.session import BotSession
from donuts_referee.channels.choose import Channel
from donuts_referee.channels.link import Arrival, Chunk, Exit, Stderr
from donuts_referee.cli.picture import picture
from donuts_referee.cli.stage import Stage
from donuts_referee.roster import Entry
from donuts_referee.table.entrant import Entrant

__all__ = ["Keyboard", "Person", "Seat", "seats"]

HELP = "type a square, such as c4; `resign` to give up the game; `quit` to leave"
SIDES = {"x": "Chocolate (x)", "o": "Vanilla (o)"}
RESULTS = {"win": "you win", "loss": "you lose", "draw": "a draw", "void": "the game does not count"}


class Person:
    """One person's side of the protocol; writes to `out`, reads nothing itself."""

    def __init__(self, name: str, out: Stage) -> None:
        self._name = name
        self._out = out
        self._session = BotSession(encoding="text", transport="stdio")
        self._turn: Turn | None = None

    @property
    def asked(self) -> bool:
        """True while a turn is open and the person has not answered it."""
        return self._turn is not None

    def greets(self) -> bytes:
        """What this side says first."""
        return self._session.send(Hello(donuts="1-1", name=self._name[:40]))

    def told(self, data: bytes) -> bytes:
        """Take what the referee sent, show what a person cares for; returns what is answered without asking."""
        self._session.receive(data)
        answers = b""
        while (message := self._next()) is not None:
            answers += self._react(message)
        return answers

    def typed(self, line: str) -> bytes:
        """What a line says in the protocol; b"" when it says nothing, and then the person has been told why."""
        turn = self._turn
        if turn is None:
            return b""
        word = line.strip().lower()
        if word == "resign":
            self._turn = None
            return self._session.send(Resign(id=turn.id))
        if word in ("quit", "exit", "q"):
            return self.leaves()
        if word in turn.legal:
            self._turn = None
            return self._session.send(Move(id=turn.id, sq=word))
        self._say(self._objection(word, turn))
        self._ask(turn)
        return b""

    def leaves(self) -> bytes:
        """The person is gone; that resigns a running game."""
        self._turn = None
        return self._session.send(Leave())

    def _next(self) -> RefereeMessage | None:
        try:
            return self._session.next_event()
        except RemoteProtocolError as fault:  # our own referee: a fault of this program, not of the person
            raise AssertionError(f"the referee said what a person cannot understand: {fault}") from fault

    def _react(self, message: RefereeMessage) -> bytes:
        match message:
            case Game():
                opponent = f" against {message.opp}" if message.opp else ""
                self._say(f"\n{self._name}, you are {SIDES[message.you]}{opponent}; {HELP}")
                return self._session.send(Ready(id=message.id))
            case Turn():
                self._turn = message
                self._say(f"\n{_drawing(message, self._out)}")
                if message.last is not None:
                    self._say(f"ply {message.ply}: the last ring is on {message.last}")
                self._ask(message)
            case End():
                self._turn = None
                self._say(f"\n{self._name}: {RESULTS[message.result]}. {message.text or message.why}\n")
            case Ping():
                return self._session.send(Pong(id=message.id))
            case Cancel():
                self._turn = None
            case _:
                pass  # welcome, error and bye tell a person nothing
        return b""

    def _ask(self, turn: Turn) -> None:
        clock = "" if turn.limit == NO_LIMIT else f", {turn.limit / 1000:.1f} s"
        free = turn.cells.count(".")
        legal = "any empty square" if len(turn.legal) == free else " ".join(turn.legal)
        self._write(f"{self._name} ({turn.you}{clock}), legal: {legal}\n> ")

    def _objection(self, word: str, turn: Turn) -> str:
        if word in ("", "help", "?"):
            return HELP
        names = NAMES[turn.size]
        if word in names:
            if turn.cells[names.index(word)] != ".":
                return f"{word} is taken"
            return f"{word} is not on the line of {turn.last}"
        if re.fullmatch(r"[a-z][0-9]{1,2}", word):
            return f"{word} is off the board, which runs from a1 to {names[-1]}"
        return f"that is not a square; {HELP}"

    def _say(self, text: str) -> None:
        self._write(text + "\n")

    def _write(self, text: str) -> None:
        self._out.write(text)


def _drawing(turn: Turn, out: Stage) -> str:
    position = Position.from_cells(Board.of(turn.layout), turn.rings, turn.cells, turn.last, turn.you)
    return picture(position, out.stream)


class Keyboard:
    """Lines from one descriptor for all the people who share it."""

    def __init__(self, exchange: Channel, fd: int = 0) -> None:
        self.exchange = exchange
        self.fd = fd
        self._begun = b""
        self._lines: deque[str] = deque()
        self._closed = False
        self._seats: list[Seat] = []
        self._reader: Seat | None = None

    def join(self, seat: "Seat") -> None:
        """Read for this seat too."""
        self._seats.append(seat)
        if self._reader is None and not self._closed:
            self._reader = seat
            self.exchange.attach(seat)

    def part(self, seat: "Seat") -> None:
        """Read for this seat no more."""
        if seat not in self._seats:
            return
        self._seats.remove(seat)
        if self._reader is seat:
            self.exchange.detach(seat)
            self._reader = None
            if self._seats and not self._closed:
                self._reader = self._seats[0]
                self.exchange.attach(self._reader)

    def read(self, data: bytes, at: int) -> list[Arrival]:
        """Take what was typed; b"" is the end. Returns the answers it amounts to now."""
        if data:
            *lines, self._begun = (self._begun + data).split(b"\n")
        else:
            lines, self._begun, self._closed = ([self._begun] if self._begun else []), b"", True
        self._lines.extend(line.decode("utf-8", "replace") for line in lines)
        return [Chunk(seat, answer, at) for seat in tuple(self._seats) if (answer := self.answer(seat))]

    def answer(self, seat: "Seat") -> bytes:
        """What the lines that are there say to the question this seat is asked; b"" when nothing yet.

        At the end of all lines a person who is asked leaves.
        """
        said = b""
        while seat.person.asked and self._lines:
            said += seat.person.typed(self._lines.popleft())
        if seat.person.asked and self._closed:
            said += seat.person.leaves()
        return said


class Seat:
    """A person's link in the exchange (see `channels.terminal.LocalLink`)."""

    lost: int | None = None

    def __init__(self, keyboard: Keyboard, person: Person) -> None:
        self.person = person
        self._keyboard = keyboard
        self._over = False
        keyboard.join(self)
        self._post(person.greets())

    def fileno(self) -> int:
        """See `LocalLink`."""
        return self._keyboard.fd

    def heard(self, data: bytes, at: int) -> Sequence[Arrival]:
        """See `LocalLink`."""
        return self._keyboard.read(data, at)

    def send(self, data: bytes) -> int | None:
        """See `Link`: tell the person; always through at once."""
        at = self._keyboard.exchange.now()
        if not self._over:
            self._post(self.person.told(data))
            self._post(self._keyboard.answer(self))
        return at

    def _post(self, data: bytes) -> None:
        if data:
            self._keyboard.exchange.post(Chunk(self, data, self._keyboard.exchange.now()))

    def hang_up(self) -> None:
        """See `Link`: ask the person nothing more."""
        if not self._over:
            self._over = True
            self._keyboard.part(self)

    def reap(self) -> Exit:
        """See `Link`: nothing to wait for."""
        self.hang_up()
        return Exit(None, None)

    def stderr(self) -> Stderr:
        """See `Link`: a person has none."""
        return Stderr(b"", b"", 0)


def seats(
    entries: tuple[Entry, Entry], names: tuple[str, str], exchange: Channel, out: Stage
) -> tuple[Entrant, Entrant]:
    """The entrants of a match in which at least one is a person; what people are shown goes to `out`."""
    keyboard = Keyboard(exchange)

    def seated(entry: Entry, name: str) -> Entrant:
        program = entry.program
        if program is None:
            return Entrant(bot=name, open=lambda: Seat(keyboard, Person(name, out)), again=False)
        return Entrant(
            bot=name, open=lambda: exchange.spawn(program), argv=program.argv, digest=program.digest()
        )

    first, second = (seated(entry, name) for entry, name in zip(entries, names, strict=True))
    return first, second
