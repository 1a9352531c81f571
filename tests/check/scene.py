"""Makes checks in this process, on a channel of its own, of one bot of tests/check/bots."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from donuts_referee.channels import containment
from donuts_referee.channels.choose import exchange
from donuts_referee.channels.program import Program
from donuts_referee.check.dialled import DialSource
from donuts_referee.check.doorway import Doorway
from donuts_referee.check.stand import ChildSource, Settings, Stand
from donuts_referee.check.suite import chosen, run
from donuts_referee.check.talk import Gallery, Switchboard
from donuts_referee.check.verdicts import Verdict

BOTS = Path(__file__).parent / "bots"

SETTINGS = Settings(hello=20_000, patience=20_000, at_most=1000)
"""More patience than an author is shown, as these bots answer at once, and less time for a thousand positions."""

SILENT = SETTINGS._replace(patience=4000)
"""For bots that keep silent somewhere, where all of it is waited for."""


def bot(file: str, *words: str) -> Program:
    """A program of tests/check/bots."""
    return Program(argv=(sys.executable, str(BOTS / file), *words))


@contextmanager
def contained() -> Iterator[None]:
    """This process adopts what bots leave behind, for so long."""
    containment.contain()
    try:
        yield
    finally:
        if (prctl := containment._prctl()) is not None:
            prctl(containment.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        containment._current = containment._Household()


@contextmanager
def stand(program: Program, settings: Settings = SETTINGS) -> Iterator[Stand]:
    """A stand for a bot on pipes."""
    with contained(), closing(exchange()) as links:
        gallery = Gallery()
        board = Switchboard(links)
        with closing(Stand(board, ChildSource(links, board, program, gallery), gallery, settings)) as made:
            yield made


@contextmanager
def dialled_stand(program: Program, settings: Settings = SETTINGS) -> Iterator[Stand]:
    """A stand for a bot that dials in; the margin is 100 ms at least."""
    margin = max(settings.margin, 100)
    with contained(), closing(exchange()) as links:
        gallery = Gallery()
        doorway = Doorway(links, "tcp://127.0.0.1:*")
        source = DialSource(doorway, doorway, links, program, gallery, settings.hello, lambda line: None)
        with closing(Stand(source.board, source, gallery, settings._replace(margin=margin))) as made:
            yield made


def verdicts(made: Stand, ids: Sequence[str]) -> dict[str, Verdict]:
    """Make these checks (none: all), by id."""
    return {verdict.id: verdict for verdict in run(made, chosen(ids))}


def failed(found: dict[str, Verdict]) -> dict[str, str]:
    """The three lines of every check that failed."""
    return {
        id: f"{one.finding.sent}\n{one.finding.came}\n{one.finding.right}"
        for id, one in found.items()
        if one.finding is not None
    }
