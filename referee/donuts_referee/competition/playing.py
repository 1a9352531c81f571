"""Plays a job: the games of two bots one after the other, each reported as it ends."""

from collections.abc import Callable
from functools import lru_cache

from donuts_engine.board import Board
from donuts_referee.channels.choose import Channel
from donuts_referee.channels.drive import Brake, drive
from donuts_referee.channels.program import Program
from donuts_referee.competition.job import INTERRUPTED, Done, Fixture, Job, Played
from donuts_referee.competition.oracle import oracle_of
from donuts_referee.records.pgn import pgn
from donuts_referee.records.record import Record, encode, new_match_id
from donuts_referee.records.sheet import Sheet
from donuts_referee.table.entrant import Entrant, MatchRules, Setting
from donuts_referee.table.events import Event, GameOver
from donuts_referee.table.match import match
from donuts_referee.teams.bot import Bot

__all__ = ["play_job"]


def play_job(job: Job, links: Channel, report: Callable[[Played], None], brake: Brake | None = None) -> Done:
    """Play it on `links`, on the main thread; a pulled `brake` makes the running game void (`abort`) and ends it."""
    match_id = new_match_id()
    try:
        oracle = oracle_of(job.adjudication)
    except ImportError as fault:
        return Done(job.id, str(fault), failed=True)

    def observe(event: Event) -> None:
        if type(event) is GameOver:
            record = Record.of(event.game, match_id, job.fixtures[event.game.number - 1].place)
            report(Played(job.id, encode(record), pgn(Sheet.of(record)).encode()))

    steps = match(
        _entrant(job.first, links),
        _entrant(job.second, links),
        [_setting(each) for each in job.fixtures],
        MatchRules(
            control=job.control,
            on_fault=job.on_fault,
            replays=None,
            ends_untried=True,
            reveal=job.reveal,
            adjudication=job.adjudication,
            oracle=oracle,
        ),
        links.now,
        observe,
    )
    try:
        score = drive(steps, links, brake)
    except KeyboardInterrupt:
        return Done(job.id, INTERRUPTED)
    return Done(job.id, score.stopped, score.failed)


def _entrant(bot: Bot, links: Channel) -> Entrant:
    program = bot.program
    return Entrant(
        bot=bot.name,
        open=lambda: links.spawn(program),
        argv=program.argv,
        digest=_digest(program, _stamp(program)),
    )


def _stamp(program: Program) -> tuple[int, int] | None:
    """What changes when the program's file does."""
    path = program.file()
    try:
        state = None if path is None else path.stat()
    except OSError:
        return None
    return None if state is None else (state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=256)
def _digest(program: Program, _: tuple[int, int] | None) -> str | None:
    return program.digest()


@lru_cache(maxsize=64)
def _board(layout: str) -> Board:
    return Board.of(layout)


def _setting(fixture: Fixture) -> Setting:
    return Setting(
        board=_board(fixture.layout),
        rings=fixture.rings,
        seed=fixture.seed,
        number=fixture.board,
        opening=fixture.opening,
    )
