"""Events whose games were played at random by the rules alone, kept as a real one is: for tests of what reads them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from donuts_engine.board import Board
from donuts_engine.outcome import outcome
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import index
from donuts_engine.tiles import TileSet
from donuts_referee.competition.chain import ChainedJournal, root, write_seal
from donuts_referee.competition.description import FILE, Description, Listed, openings_digest
from donuts_referee.competition.event import Format, Openings, RoundRobin
from donuts_referee.competition.formats.choose import schedule_of
from donuts_referee.competition.openings import Opening, opening
from donuts_referee.competition.state import Game, Roster, State
from donuts_referee.competition.timetable import Timetable
from donuts_referee.contest import JOURNAL, PGN
from donuts_referee.records.pgn import PgnFile
from donuts_referee.records.record import Place, Record, encode
from donuts_referee.table import sentences
from donuts_referee.table.clock import MS, Allowance
from donuts_referee.table.control import TimeControl
from donuts_referee.table.finished import FinishedGame, Side
from records.played import Ending, played, side

EVENT = "20260104-101500-000000-0badcafe"
CONTROL = TimeControl.each("0.1")
STARTED = 1_767_521_730.25


def described(bots: Sequence[str], format: Format | None = None, size: int = 6) -> Description:
    """The description of an event of these bots."""
    return Description(
        id=EVENT,
        name="spring cup",
        seed=1,
        bots=tuple(Listed(bot, "2" if at == 0 else None) for at, bot in enumerate(bots)),
        format=RoundRobin() if format is None else format,
        size=size,
        rings=15 if size == 6 else 36,
        tc=str(CONTROL),
        margin=CONTROL.margin,
        openings=openings_digest(Openings(), TileSet.shipped()),
        on_fault="forfeit",
        replays=3,
        crash_limit=10,
        adjudication="",
    )


def simulate(
    folder: Path,
    description: Description,
    endings: Mapping[int, Ending] | None = None,
    changes: Mapping[int, Roster] | None = None,
) -> Path:
    """Play the event to its end. By number of the game: verdicts that the rules did not give, and bots that the
    operator added or withdrew when it was over."""
    endings, changes = endings or {}, changes or {}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_bytes(msgspec.json.format(msgspec.json.encode(description)) + b"\n")
    bots = tuple(bot.name for bot in description.bots)
    state = State(bots, replays=description.replays, limit=description.crash_limit)
    timetable = Timetable(lambda: schedule_of(description.format, description.seed, state), state)
    journal = ChainedJournal(folder / JOURNAL, root((folder / FILE).read_bytes()), 0)
    number = 0
    with PgnFile(folder / PGN) as pgn:
        while (encounter := timetable.next()) is not None:
            while missing := state.missing(encounter):  # a void game is played again
                leg = missing[0]
                number += 1
                names = (encounter.first, encounter.second)[:: 1 if leg == 1 else -1]
                place = Place(
                    event=description.id, encounter=encounter.number, round=encounter.round, leg=leg
                )
                start = opening(Source(description), encounter.number)
                game = game_of(start, names, number, endings.get(number))
                record = Record.of(game, EVENT, place)
                journal.append(encode(record))
                pgn.append(record)
                state.count(Game(place, *names, record.verdict))
                if number in changes:
                    journal.change(changes[number])
                    state.change(changes[number])
                    timetable.again()
    write_seal(folder, journal.seal)
    journal.close()
    return folder


class Source:
    """What openings are made from, see `openings.Source`."""

    openings = Openings()
    tiles = TileSet.shipped()

    def __init__(self, description: Description) -> None:
        self.seed, self.size, self.rings = description.seed, description.size, description.rings


def game_of(start: Opening, names: Sequence[str], number: int, ending: Ending | None = None) -> FinishedGame:
    """A game that holds in every respect, its answers and its sentence among them."""
    game = played(
        start.seed,
        size=start.board.size,
        layout=start.board.layout,
        number=number,
        control=CONTROL,
        ending=ending,
        x=private(names[0]),
        o=private(names[1]),
        started=STARTED + number,
    )
    game = replace(game, board=start.board_number)
    turns = tuple(
        turn if turn.sq is None or turn.eval is None else replace(turn, raw=f"{turn.raw} eval={turn.eval}")
        for turn in game.turns
    )
    verdict = replace(game.verdict, text=_sentence(game))
    if verdict.why == "resign":  # which is no fault
        verdict = replace(verdict, fault=None)
        turns = (*turns[:-1], replace(turns[-1], raw=f"resign {turns[-1].id}", eval=None))
    return replace(game, turns=turns, verdict=verdict)


def private(bot: str) -> Side:
    """A bot with much that is not for others."""
    return side(
        bot,
        argv=("secret-program", f"--of={bot}"),
        digest="ab" * 32,
        stderr=f"secret of {bot}\\x0a",
        stderr_bytes=len(bot) + 11,
        said=f"secret error of {bot}",
        noise=1,
        first_noise=f"secret noise of {bot}",
    )


def _sentence(game: FinishedGame) -> str:
    position = Position.start(Board.of(game.layout), game.rings)
    for square in game.moves:
        position = play(position, index(square, game.size))
    over, last = outcome(position), game.turns[-1]
    if over is not None:
        return sentences.result(over, position, game.five)
    if game.verdict.why == "illegal" and last.sq is not None:
        return sentences.illegal(position.ply, last.sq, position)
    if game.verdict.why == "timeout":
        budget = (last.limit + last.margin) * MS
        return sentences.timeout(
            position.ply, last.used, Allowance(0, last.limit, last.margin, budget), last.used - budget
        )
    if game.verdict.why == "resign":
        return f"resign at ply {position.ply}: {position.you} gave up"
    if game.verdict.why == "crash":
        at_fault = game.x.bot if game.verdict.fault == "x" else game.o.bot
        return f"crash at ply {position.ply}: exit status 3; stderr ends: secret of {at_fault}"
    return game.verdict.text
