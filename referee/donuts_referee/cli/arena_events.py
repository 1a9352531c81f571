"""What the operator of an arena is shown: a line for each game and for who comes and goes, or one JSON object each."""

import msgspec
from msgspec import Struct

from donuts_protocol.escape import shown
from donuts_referee.arena.reception import Seated
from donuts_referee.cli.printer import Printer
from donuts_referee.cli.stage import pairing_line
from donuts_referee.table.events import Event, GameOver, Warned

__all__ = ["ArenaJson", "ArenaLines", "CameEvent", "GameEvent", "NoteEvent", "WarningEvent", "WentEvent"]

WENT = {
    "left": "said bye",
    "away": "was away for too long",
    "fault": "was sent away for a fault",
    "replaced": "was replaced: a new bot took the seat",
    "kicked": "was kicked",
    "seat": "lost its seat: revoked",
    "timeout": "gave no sign of life",
    "drain": "was told that the arena goes down",
    "benched": "was benched",
}


class ArenaLines:
    """For people: one line for each thing that happens."""

    def __init__(self, stage: Printer) -> None:
        self._stage = stage

    def came(self, guest: Seated) -> None:
        """A bot sat down."""
        version = f" {shown(guest.hello.ver)}" if guest.hello.ver else ""
        called = "" if guest.hello.name == guest.name else f" as {shown(guest.hello.name)}"
        self._print(f"+ {guest.name}{called}{version} ({guest.session.encoding})")

    def went(self, guest: Seated, why: str) -> None:
        """A bot's session ended."""
        self._print(f"- {guest.name} {WENT.get(why, f'was sent away: {why}')}")

    def saw(self, event: Event, record: str) -> None:
        """A verdict, or the first warning of its kind."""
        match event:
            case GameOver(game):
                self._print(pairing_line(game))
            case Warned():
                self._print(f"{event.bot} ({event.side}): {event.text}")
            case _:
                pass

    def note(self, text: str) -> None:
        """Something that the operator should know."""
        self._print(f"* {text}")

    def _print(self, line: str) -> None:
        self._stage.write(line + "\n")


class _Line(Struct, frozen=True, kw_only=True, tag_field="event"):
    """What all lines share: the key `event`."""


class CameEvent(_Line, frozen=True, kw_only=True, tag="came"):
    """A bot sat down."""

    seat: str
    name: str
    ver: str | None
    author: str | None
    encoding: str | None


class WentEvent(_Line, frozen=True, kw_only=True, tag="went"):
    """A bot's session ended: left, away, fault, or a word of `bye`."""

    seat: str
    why: str


class GameEvent(_Line, frozen=True, kw_only=True, tag="game"):
    """A game is over; `record` is its id in the journal."""

    x: str
    o: str
    winner: str
    why: str
    text: str
    fault: str | None
    void: bool
    ply: int
    seconds: float
    record: str


class WarningEvent(_Line, frozen=True, kw_only=True, tag="warning"):
    """The first line of its kind in a game that was dropped and counted: noise, late, state or rate."""

    seat: str
    why: str
    shown: str
    text: str


class NoteEvent(_Line, frozen=True, kw_only=True, tag="note"):
    """Something that the operator should know."""

    text: str


class ArenaJson:
    """For programs: one JSON object a line."""

    def __init__(self, stage: Printer) -> None:
        self._stage = stage
        self._encode = msgspec.json.Encoder().encode

    def came(self, guest: Seated) -> None:
        """A bot sat down."""
        hello = guest.hello
        self._print(
            CameEvent(
                seat=guest.name,
                name=hello.name,
                ver=hello.ver,
                author=hello.author,
                encoding=guest.session.encoding,
            )
        )

    def went(self, guest: Seated, why: str) -> None:
        """A bot's session ended."""
        self._print(WentEvent(seat=guest.name, why=why))

    def saw(self, event: Event, record: str) -> None:
        """A verdict, or the first warning of its kind."""
        match event:
            case GameOver(game):
                verdict = game.verdict
                self._print(
                    GameEvent(
                        x=game.x.bot,
                        o=game.o.bot,
                        winner=verdict.winner,
                        why=verdict.why,
                        text=verdict.text,
                        fault=verdict.fault,
                        void=verdict.void,
                        ply=len(game.moves),
                        seconds=game.seconds,
                        record=record,
                    )
                )
            case Warned():
                self._print(WarningEvent(seat=event.bot, why=event.why, shown=event.shown, text=event.text))
            case _:
                pass

    def note(self, text: str) -> None:
        """Something that the operator should know."""
        self._print(NoteEvent(text=text))

    def _print(self, line: _Line) -> None:
        self._stage.write(self._encode(line).decode() + "\n")
