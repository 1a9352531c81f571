"""Looks at the games of a journal in their order: whose place they take, whether one is there twice, and the sums."""

import msgspec
from msgspec import Struct

from donuts_referee.competition.audit.boards import Boards
from donuts_referee.competition.audit.finding import Broken
from donuts_referee.competition.audit.sources import Line
from donuts_referee.competition.audit.starts import Start
from donuts_referee.competition.balanced import Listing
from donuts_referee.competition.chain import read_change
from donuts_referee.competition.description import Description
from donuts_referee.competition.state import Game, ScheduleFault, State
from donuts_referee.records.bounds import check_verdict
from donuts_referee.records.faults import flat
from donuts_referee.records.journal import Player
from donuts_referee.records.record import FORMAT, Place
from donuts_referee.table.finished import Verdict
from donuts_referee.table.game import POLICY

__all__ = ["Ledger"]

_TURNS = b',"turns":'

_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class _Front(Struct, frozen=True, kw_only=True):
    """The part of a record that stands before its turns, as far as it is looked at here."""

    format: int = FORMAT
    id: str
    layout: str
    board: int | None
    rings: int
    seed: int
    opening: tuple[str, ...]
    verdict: Verdict
    x: Player
    o: Player
    place: Place | None = None


_fronts = msgspec.json.Decoder(_Front)


class Ledger:
    """The games of one journal; `state` folds those of an event."""

    def __init__(self, name: str, description: Description | None, listed: Listing | None = None) -> None:
        self.games = self.voids = 0
        self.starts: dict[int, Start] = {}
        """by encounter"""
        self.state: State | None = None
        self.boards = None if description is None else Boards(description, listed)
        self._replays = (
            description.replays if description is not None and description.on_fault == "void" else 0
        )
        """how often a leg is played again before a fault counts"""
        if description is not None:
            bots = tuple(bot.name for bot in description.bots)
            self.state = State(bots, replays=description.replays, limit=description.crash_limit)
        self.event = None if description is None else description.id
        """the id of the event"""
        self._name = name
        self._ids: dict[str, int] = {}

    def game(self, line: Line) -> None:
        """Take note of the game on a line. Raises Broken."""
        place = f"{self._name}:{line.number}"
        front = self._front(line, place)
        first = self._ids.setdefault(front.id, line.number)
        if first != line.number:
            raise Broken(place, f"game {front.id} is there twice, on line {first} too")
        self.games += 1
        self.voids += front.verdict.void
        if self.state is not None:
            self._count(self.state, line.number, place, front)

    def change(self, line: Line) -> None:
        """Take note of a change of the roster. Raises Broken, also in a journal of no event."""
        place = f"{self._name}:{line.number}"
        if self.state is None:
            raise Broken(place, "a change of the roster in a journal of no competition")
        try:
            self.state.change(read_change(line.data))
        except _UNREADABLE as error:
            raise Broken(place, f"not a change of the roster ({flat(error)})") from None

    def _front(self, line: Line, place: str) -> _Front:
        data = line.data
        cut = data.find(_TURNS)
        try:
            front = _fronts.decode(data if cut < 0 else data[:cut] + b"}")
            check_verdict(front.verdict)
        except _UNREADABLE as error:
            raise Broken(place, f"not a record of a game ({flat(error)})") from None
        if front.format > FORMAT:
            raise Broken(place, f"the record has format {front.format}; this version reads up to {FORMAT}")
        return front

    def _is_early(self, state: State, where: Place, verdict: Verdict) -> bool:
        """Does a fault count that must be void still? Not once a leg was void as often as is allowed (DBP-9.15)."""
        if verdict.void or verdict.why not in POLICY or verdict.fault not in ("x", "o"):
            return False
        return where.encounter > state.frontier and state.replays(where.encounter, where.leg) < self._replays

    def _count(self, state: State, number: int, place: str, front: _Front) -> None:
        where = front.place
        if where is None or where.event != self.event:
            raise Broken(place, f"game {front.id} is not one of the event {self.event}")
        if self._is_early(state, where, front.verdict):
            raise Broken(
                place,
                f"the verdict is {front.verdict.why}, not void, but event.json says on_fault is void, and the leg was "
                "not played again as often as it allows",
            )
        try:
            state.count(Game(where, front.x.bot, front.o.bot, front.verdict))
        except ScheduleFault as fault:
            raise Broken(place, str(fault)) from None
        start = Start(number, front.layout, front.board, front.rings, front.seed, front.opening)
        before = self.starts.setdefault(where.encounter, start)
        if before is start and self.boards is not None:
            wrong = self.boards.fault(where.encounter, start)
            if wrong is not None:
                raise Broken(place, f"game {front.id}: {wrong}")
        if before[1:] != start[1:]:
            raise Broken(
                place,
                f"game {front.id} begins otherwise than that on line {before.line}, which is of encounter "
                f"{where.encounter} too (board, rings, seed or opening)",
            )
