"""Runs a match for a command: opens the books, shows the games, ends them on a signal, names the exit code."""

import signal
from contextlib import ExitStack
from typing import NamedTuple

from donuts_protocol.codes import WHY, Consequence
from donuts_referee.channels.drive import Brake
from donuts_referee.channels.link import Exchange
from donuts_referee.cli.failures import Failures
from donuts_referee.cli.fault import ExitCode, Terminated, UsageFault, unwritable
from donuts_referee.cli.interrupt import Interruption, interruptible
from donuts_referee.cli.options import MatchOptions
from donuts_referee.cli.stage import Stage
from donuts_referee.contest import Books, Contest, Witness, hold
from donuts_referee.records.faults import RecordsFault
from donuts_referee.table.entrant import Entrant
from donuts_referee.table.events import Event, GameOver, Score
from donuts_referee.table.finished import FinishedGame

__all__ = ["Players", "conduct"]


class Players(NamedTuple):
    """The two bots of a match and the exchange their links belong to."""

    exchange: Exchange
    first: Entrant
    second: Entrant
    needed: Entrant | None = None
    """one that cannot be started anew and is what the match is about: losing it is exit 3"""
    person: bool = False
    """a person plays, whose leaving before all is played interrupts the match: exit 130"""


class _Reporter:
    """The witness of the match: shows every event, tells of failures to start, notes the loss of one it watches."""

    def __init__(self, show: Witness, failures: Failures, needed: Entrant | None) -> None:
        self.each_move = show.each_move
        self.lost = False
        """the bot that is needed had a fault after which its process would have to be replaced"""
        self._see = show.see
        self._failures = failures
        self._needed = needed

    def see(self, event: Event, record: str) -> None:
        self._see(event, record)
        if type(event) is GameOver:
            self._failures.look(event.game)
            if self._needed is not None:
                self._watch(self._needed.bot, event.game)

    def _watch(self, bot: str, game: FinishedGame) -> None:
        side = "x" if game.x.bot == bot else "o"
        replaced = WHY[game.verdict.why].consequence is Consequence.REPLACED
        self.lost = self.lost or (replaced and side in (game.verdict.fault or ""))


def conduct(players: Players, options: MatchOptions, stage: Stage, aside: Stage, brake: Brake) -> int:
    """Play the match and return the exit code; what is shown goes to `stage`, the operator's notes `aside`.

    Raises UsageFault when the records cannot be written, KeyboardInterrupt or Terminated when a signal ended it.
    """
    with ExitStack() as stack:
        try:
            books = stack.enter_context(Books(options.records, options.wire))
        except RecordsFault as fault:
            raise UsageFault(str(fault)) from None
        interruption = stack.enter_context(interruptible(brake))
        witness = _Reporter(_witness(players, options, books, stage, aside), Failures(aside), players.needed)
        contest = Contest(players.first, players.second, options.settings, options.rules)
        try:
            score = hold(contest, players.exchange, books, witness, brake)
        except KeyboardInterrupt:
            score = Score(interrupted=True)
        except RecordsFault as fault:
            raise UsageFault(str(fault)) from None
    unplayed = options.rules.on_fault != "stop" and score.stopped is not None
    if unplayed and not score.failed and players.person and interruption.number is None and not stage.left:
        return ExitCode.INTERRUPTED
    lost = witness.lost or (unplayed and players.needed is not None)
    code = _verdict(options, score, stage, interruption, lost=lost)
    if score.failed and code != ExitCode.PIPE:
        aside.write(f"donuts: {score.stopped}\n")
        return ExitCode.INTERNAL
    return code


def _witness(players: Players, options: MatchOptions, books: Books, stage: Stage, aside: Stage) -> Witness:
    """Who is shown the match; only what is needed is imported."""
    bots = players.first.bot, players.second.bot
    if options.view == "json":
        from donuts_referee.cli.json_events import JsonEvents

        if options.drawn:
            aside.write(f"seed: {options.seed}\n")
        return JsonEvents(stage, bots, options.records, options.seed)
    if options.view == "watch":
        from donuts_referee.cli.watch import Watch

        return Watch(stage, bots, books.paths, options.seed)
    from donuts_referee.cli.lines import Lines, Progress

    progress = Progress(aside) if aside.terminal() and stage.stream is not aside.stream else None
    return Lines(stage, bots, books.paths, options.seed, progress)


def _verdict(
    options: MatchOptions, score: Score, stage: Stage, interruption: Interruption, *, lost: bool
) -> int:
    if stage.fault is not None:
        raise unwritable(stage.name, stage.fault)
    if stage.left:
        return ExitCode.PIPE
    if interruption.number is not None or score.interrupted:
        if interruption.number in (None, signal.SIGINT):
            raise KeyboardInterrupt
        raise Terminated(interruption.number)
    if score.starts or lost:
        return ExitCode.START
    return ExitCode.FAULTED if options.strict and score.faults else ExitCode.OK
