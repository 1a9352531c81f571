"""Writes the games of a folder of records as a site of plain files that opens from a disk, a stick or any web server.

No page loads anything but files of the site itself, and none needs a server: standings, crosstable and bots are plain
HTML, and games are scripts that a page loads when they are asked for (see `scripts`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, NamedTuple

from donuts_referee.competition.description import FILE
from donuts_referee.competition.event import Knockout
from donuts_referee.competition.formats.ranking import last_counted
from donuts_referee.competition.reading import Kept, read_event
from donuts_referee.competition.results import counted, game_of, games_of
from donuts_referee.competition.standings import report
from donuts_referee.competition.standings_table import many
from donuts_referee.contest import JOURNAL, PGN
from donuts_referee.records.faults import ReadFault, WriteFault
from donuts_referee.records.journal import JournalReader
from donuts_referee.records.pgn import pgn as pgn_text
from donuts_referee.records.record import Record
from donuts_referee.records.sheet import Sheet
from donuts_referee.records.whole import put_whole
from donuts_referee.statistics.results import Game
from donuts_referee.web.bracket import bracket
from donuts_referee.web.markup import GENERATOR, readable, slug
from donuts_referee.web.pages import Front, Listed, Place, bot_page, front_page, games_page, guilty_games
from donuts_referee.web.scripts import CHUNK, Line, chunk_name, chunk_script, line, list_script, whole
from donuts_referee.web.standing import notes, standing_columns, standing_places
from donuts_referee.web.tally import Account, tally
from donuts_referee.web.words import facts, played

__all__ = ["write_site"]

ASSETS = Path(__file__).parent / "assets"
INDEX = "index.html"


def write_site(folder: Path, out: Path, *, pgn: str | None = None) -> None:
    """Write the site of the records in `folder` into the folder `out`; one that is there already is written anew.

    `pgn`: where its games are as PGN, seen from the site; None: they are written into the site too.

    An event has its standings there; the records of `donuts play` or an arena have games and points alone.
    Raises ReadFault, BadLine, and WriteFault also where `out` holds a front page that is not one of ours.
    """
    kept = read_event(folder) if (folder / FILE).exists() else None
    if not (folder / JOURNAL).exists() and kept is None:
        raise ReadFault(f"{folder} holds no {JOURNAL}; name a directory of records")
    target = _Target(out)
    for asset in sorted(ASSETS.iterdir()):
        target.write(f"assets/{asset.name}", asset.read_bytes())
    games = _Games(target)
    with nullcontext() if pgn is not None else target.growing(PGN) as as_pgn:
        if (folder / JOURNAL).exists():
            for entry in JournalReader(folder / JOURNAL):
                games.add(entry.record)
                if as_pgn is not None:
                    as_pgn.write(pgn_text(Sheet.of(entry.record)).encode())
    games.flush()
    source = _plain(folder, games) if kept is None else _of_event(kept, games)
    source = source._replace(front=source.front._replace(pgn=PGN if pgn is None else pgn))
    target.write(
        "data/list.js",
        list_script([bot.name for bot in source.bots], [bot.file for bot in source.bots], games.lines),
    )
    target.write("games.html", games_page(source.front.title, len(games.lines)))
    guilty = guilty_games(games.lines)
    for at, bot in enumerate(source.bots):
        target.write(bot.file, bot_page(at, source.bots, source.accounts, guilty.get(at, ())))
    target.write(INDEX, front_page(source.front, source.bots, source.accounts))


class _Source(NamedTuple):
    """What the pages are made of, beside the games."""

    front: Front
    bots: Sequence[Listed]
    accounts: Mapping[str, Account]


class _Target:
    """The folder of the site."""

    def __init__(self, out: Path) -> None:
        self._out = out
        try:
            there = (out / INDEX).read_text("utf-8", "replace") if (out / INDEX).exists() else GENERATOR
            for folder in (out, out / "assets", out / "data", out / "bots"):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteFault.of(out, error) from error
        if GENERATOR not in there:
            raise WriteFault(f"{out / INDEX} is there and none of ours; name another folder for the site")

    def write(self, name: str, data: bytes) -> None:
        """Put a file in its place, whole or not at all."""
        put_whole(self._out / name, (data,))

    @contextmanager
    def growing(self, name: str) -> Iterator[IO[bytes]]:
        """A file to be written piece by piece, which is in its place when all is written."""
        path = self._out / name
        fresh = path.with_name(path.name + ".new")
        try:
            with fresh.open("wb") as file:
                yield file
            fresh.replace(path)
        except OSError as error:
            raise WriteFault.of(path, error) from error
        finally:
            fresh.unlink(missing_ok=True)


class _Games:
    """The games of a journal on their way into chunks; of each only its line is kept."""

    def __init__(self, target: _Target) -> None:
        self.lines: list[Line] = []
        self.names: dict[str, int] = {}
        """the bots that played, numbered in order of appearance"""
        self.plain: Counter[Game] = Counter()
        """every game that has a result, and how often it came"""
        self.faults: dict[str, Counter[str]] = {}
        """by bot and kind"""
        self._target = target
        self.began: tuple[float, float] | None = None
        """when the first game began and when the last did, Unix time"""
        self._chunk: list[dict[str, object]] = []

    def add(self, record: Record) -> None:
        """The next game."""
        x, o = (self.names.setdefault(side.bot, len(self.names)) for side in (record.x, record.o))
        self.lines.append(line(record, x, o))
        self._chunk.append(whole(record))
        first, last = self.began or (record.started, record.started)
        self.began = min(first, record.started), max(last, record.started)
        verdict = record.verdict
        if not verdict.void:
            self.plain[game_of(record)] += 1
        for side in verdict.fault or "":
            bot = record.x.bot if side == "x" else record.o.bot
            self.faults.setdefault(bot, Counter())[verdict.why] += 1
        if len(self._chunk) == CHUNK:
            self.flush()

    def flush(self) -> None:
        """Write what is pending."""
        if self._chunk:
            number = (len(self.lines) - 1) // CHUNK
            self._target.write(chunk_name(number), chunk_script(number, self._chunk))
            self._chunk = []

    def renumber(self, names: Sequence[str]) -> None:
        """Number the bots as in `names` instead, which holds them all."""
        new = {name: at for at, name in enumerate(names)}
        order = [new[name] for name in self.names]
        self.lines = [one._replace(x=order[one.x], o=order[one.o]) for one in self.lines]


def _plain(folder: Path, games: _Games) -> _Source:
    """Games of no competition: points alone."""
    bots = _listed(games.names)
    title = f"Games in {readable(folder.resolve().name)}"
    voids = sum(one.result == "v" for one in games.lines)
    lead = f"{many(len(games.lines), 'game')}, {voids} void"
    accounts = tally(games.names, games.plain.elements(), games.faults)
    front = Front(title, lead, _when(games), (), (), _by_points(bots, accounts), PGN)
    return _Source(front, bots, accounts)


def _of_event(kept: Kept, games: _Games) -> _Source:
    state, description = kept.state, kept.description
    format = description.format
    standings = report(kept)
    gone = {row.bot: row.gone for row in standings.rows if row.gone is not None}
    versions = kept.versions
    names = dict.fromkeys([*state.names(), *games.names])
    games.renumber(list(names))
    bots = _listed(names, versions, gone)
    duels = counted(state.duels(), last_counted(format, state))
    accounts = tally(names, (game for duel in duels for game in games_of(duel)), state.faults())
    lead = (
        f"{many(kept.games, 'game')}, {kept.voids} void; {many(standings.encounters, 'encounter')} settled; "
    )
    lead += "the event is over" if standings.over else "the event goes on"
    front = Front(
        description.name,
        lead,
        [*_when(games), *facts(description)],
        notes(standings),
        standing_columns(standings),
        standing_places(standings, list(names)),
        PGN,
        bracket(format, state, {bot.name: bot.file for bot in bots})
        if isinstance(format, Knockout)
        else None,
    )
    return _Source(front, bots, accounts)


def _when(games: _Games) -> list[tuple[str, str]]:
    return [] if games.began is None else [played(*games.began)]


def _listed(
    names: Iterable[str], versions: dict[str, str | None] | None = None, notes: dict[str, str] | None = None
) -> list[Listed]:
    """The bots with their pages; the number in a file's name keeps two names apart that look the same there."""
    versions, notes = versions or {}, notes or {}
    return [
        Listed(
            name,
            f"bots/{'-'.join(filter(None, (str(at), slug(name))))}.html",
            versions.get(name),
            notes.get(name, ""),
        )
        for at, name in enumerate(names, 1)
    ]


def _by_points(bots: Sequence[Listed], accounts: Mapping[str, Account]) -> list[Place]:
    """Ordered by points; equal points share a place."""
    points = [accounts[bot.name].total.points for bot in bots]
    order = sorted(range(len(bots)), key=lambda at: (-points[at], at))
    return [Place(1 + sum(one > points[at] for one in points), at, points[at]) for at in order]
