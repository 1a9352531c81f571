"""The pages of a site: the front page, one for each bot, and the one on which games are stepped through."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from donuts_protocol.codes import WHY
from donuts_referee.statistics.crosstable import Cell
from donuts_referee.web.markup import NARROW, Html, cells, element, page, table, wide
from donuts_referee.web.scripts import Line
from donuts_referee.web.tally import Account
from donuts_referee.web.words import number, walkovers

__all__ = [
    "CROSSED",
    "Front",
    "Guilty",
    "Heading",
    "Listed",
    "Place",
    "bot_page",
    "front_page",
    "games_page",
    "guilty_games",
]

LATEST = 100
"""Games lost by a fault that a bot's page lists; the page of games has all."""

CROSSED = 200
"""Bots of which the front page has a crosstable: 40,000 cells, some megabytes; a browser hardly shows more."""


class Listed(NamedTuple):
    """A bot of the site."""

    name: str
    file: str
    """its page, seen from the folder of the site"""
    version: str | None = None
    note: str = ""
    """what became of it: `withdrawn`, `benched`"""


class Place(NamedTuple):
    """A row of the standings."""

    place: int
    bot: int
    """of the bots of the site, from 0"""
    points: float
    columns: tuple[str, ...] = ()
    """in the order of `Front.columns`"""


class Heading(NamedTuple):
    """A column of the standings beside those that all have."""

    name: str
    words: bool = False
    """words, no numbers"""


class Front(NamedTuple):
    """What the front page says."""

    title: str
    lead: str
    facts: Sequence[tuple[str, str]]
    notes: Sequence[str]
    """sentences below the standings"""
    columns: tuple[Heading, ...]
    places: Sequence[Place]
    pgn: str
    """where the games are as PGN, seen from the page"""
    bracket: Html | None = None
    """of a knockout"""


def front_page(front: Front, bots: Sequence[Listed], accounts: Mapping[str, Account]) -> bytes:
    """Standings, format, crosstable."""
    body = [
        element("h1", front.title),
        element("p", front.lead, class_="lead"),
        element(
            "dl",
            *(element(tag, one) for fact in front.facts for tag, one in zip(("dt", "dd"), fact, strict=True)),
            class_="facts",
        )
        if front.facts
        else "",
        element("h2", "Standings"),
        _standings(front, bots, accounts),
        *(element("p", note, class_="note") for note in front.notes),
        *((element("h2", "Bracket"), front.bracket) if front.bracket is not None else ()),
        element("h2", "Crosstable"),
        *_crosstable(front, bots, accounts),
        element(
            "p",
            *(element("a", "All games, to step through", href="games.html"), "; "),
            *(element("a", "the same as PGN", href=front.pgn), "."),
        ),
    ]
    return page(front.title, "", "index.html", Html("\n".join(str(one) for one in body)))


def _standings(front: Front, bots: Sequence[Listed], accounts: Mapping[str, Account]) -> Html:
    own = front.columns
    heads = ("place", "bot", "points", "games", "won", "drawn", "lost", *(one.name for one in own), "faults")
    words = {"bot", *(one.name for one in own if one.words)}
    rows: list[Html] = []
    for row in front.places:
        bot = bots[row.bot]
        account = accounts[bot.name]
        score = account.total.score
        named = element("a", bot.name, href=bot.file)
        if bot.note:
            named = Html(named + element("span", f" {bot.note}", class_="gone"))
        points = element("td", number(row.points), class_="number")
        more = [
            element("td", one, class_=None if head.words else "number")
            for one, head in zip(row.columns, own, strict=True)
        ]
        rows.append(
            Html(
                cells(row.place, named)
                + points
                + cells(score.games, score.wins, score.draws, score.losses)
                + "".join(more)
                + cells(account.faults.total())
            )
        )
    return table("Points: 1 for a game won, ½ for a draw", heads, rows, words)


def _crosstable(front: Front, bots: Sequence[Listed], accounts: Mapping[str, Account]) -> tuple[Html, ...]:
    if len(front.places) > CROSSED:
        why = f"Left out: {len(front.places)} bots are too many for a page. "
        return (element("p", why, element("code", "donuts crosstable --csv"), " prints it."),)
    order = [row.bot for row in front.places]
    heads = ("", *(str(row.place) + " " + bots[row.bot].name for row in front.places))
    head = element(
        "tr",
        element("th", heads[0] or "bot", scope="col"),
        *(element("th", one, scope="col", class_="up number") for one in heads[1:]),
    )
    rows: list[Html] = []
    for mine in order:
        account = accounts[bots[mine].name]
        row = [element("th", element("a", bots[mine].name, href=bots[mine].file), scope="row")]
        for theirs in order:
            if mine == theirs:
                row.append(element("td", "", class_="self"))
                continue
            cell = account.against.get(bots[theirs].name)
            row.append(
                element(
                    "td",
                    "" if cell is None else f"{number(cell.points)} / {cell.games}",
                    class_="number",
                    title=None if cell is None else _tally(cell),
                )
            )
        rows.append(element("tr", *row))
    whole = element("table", element("thead", head), element("tbody", Html("\n".join(rows))))
    note = "Points / games of the bot of the row against the bot of the column"
    if any(_gone(account.total) for account in accounts.values()):
        note += "; points of walkovers are counted, their games are not"
    return wide("crosstable", whole, len(heads) > NARROW), element("p", f"{note}.", class_="note")


def _tally(cell: Cell) -> str:
    score = cell.score
    gone = f", walkovers {walkovers(cell.walkovers, cell.missed)}" if _gone(cell) else ""
    return f"{score.wins} won, {score.draws} drawn, {score.losses} lost{gone}"


def _gone(cell: Cell) -> bool:
    """Are there games that were not played because one of the two was gone?"""
    return bool(cell.walkovers or cell.missed)


class Guilty(NamedTuple):
    """A game in which a bot was at fault."""

    number: int
    """its place in the journal, from 1"""
    line: Line


def guilty_games(lines: Sequence[Line]) -> dict[int, list[Guilty]]:
    """The games in which each bot was at fault, in their order; bots that never were are not in it."""
    games: dict[int, list[Guilty]] = {}
    for at, one in enumerate(lines, 1):
        for bot in {one.x if side == "x" else one.o for side in one.fault or ""}:
            games.setdefault(bot, []).append(Guilty(at, one))
    return games


def bot_page(
    at: int, bots: Sequence[Listed], accounts: Mapping[str, Account], guilty: Sequence[Guilty]
) -> bytes:
    """Record, opponents, faults by kind and the games in which the bot was at fault."""
    bot = bots[at]
    account = accounts[bot.name]
    known = [] if bot.version is None else [f"version {bot.version}"]
    known += [bot.note] if bot.note else []
    body = [
        element("h1", bot.name),
        element("p", ", ".join(known), class_="lead") if known else "",
        element("h2", "Record"),
        _record(account.total),
        element("p", element("a", f"All games of {bot.name}", href=f"../games.html#bot={at}")),
        element("h2", "Opponents"),
        _opponents(account, bots),
        element("h2", "Faults"),
        *_faults(at, account, bots, guilty),
    ]
    return page(bot.name, "../", bot.file, Html("\n".join(str(one) for one in body)))


def _record(total: Cell) -> Html:
    rows = []
    for name, score in (
        ("Chocolate (x, first)", total.as_x),
        ("Vanilla (o, second)", total.as_o),
        ("both", total.score),
    ):
        share = f"{100 * score.points / score.games:.1f} %" if score.games else "–"
        rows.append(
            Html(
                element("th", name, scope="row")
                + cells(score.games, score.wins, score.draws, score.losses)
                + element("td", number(score.points), class_="number")
                + element("td", share, class_="number")
            )
        )
    heads = ("side", "games", "won", "drawn", "lost", "points", "share")
    whole = table("Games that count", heads, rows, {"side"})
    if not _gone(total):
        return whole
    note = f"Walkovers, without play: {number(total.walkovers)} points won, {total.missed} games lost."
    return Html(whole + element("p", note, class_="note"))


def _opponents(account: Account, bots: Sequence[Listed]) -> Html:
    pages = {bot.name: bot.file for bot in bots}
    gone = any(map(_gone, account.against.values()))
    rows = [
        Html(
            element("th", element("a", name, href="../" + pages[name]), scope="row")
            + cells(cell.games, cell.score.wins, cell.score.draws, cell.score.losses)
            + (element("td", walkovers(cell.walkovers, cell.missed), class_="number") if gone else "")
            + element("td", number(cell.points), class_="number")
        )
        for name, cell in sorted(account.against.items())
    ]
    if not rows:
        return element("p", "None yet.")
    heads = ("bot", "games", "won", "drawn", "lost", *(["walkovers"] if gone else []), "points")
    return table("By opponent", heads, rows, {"bot"})


def _faults(at: int, account: Account, bots: Sequence[Listed], guilty: Sequence[Guilty]) -> list[Html]:
    if not account.faults:
        return [element("p", "None.")]
    kinds = [
        Html(cells(why) + cells(count) + cells(WHY[why].meaning if why in WHY else ""))
        for why, count in sorted(account.faults.items(), key=lambda item: (-item[1], item[0]))
    ]
    told = [table("By kind", ("kind", "games", "what it is"), kinds, {"kind", "what it is"})]
    games = [
        Html(
            cells(element("a", f"game {number}", href=f"../games.html#g={number}&ply={one.plies}"))
            + cells(
                one.why, bots[one.o if one.x == at else one.x].name, "void" if one.result == "v" else "lost"
            )
        )
        for number, one in guilty[-LATEST:]
    ]
    caption = "Games" if len(guilty) <= LATEST else f"The last {LATEST} of {len(guilty)} games"
    heads = ("game", "kind", "against", "came out")
    told.append(table(f"{caption} in which {bots[at].name} was at fault", heads, games, heads))
    return told


def games_page(title: str, games: int) -> bytes:
    """The page on which games are chosen and stepped through; what it shows, the scripts put there."""
    scripts = ("assets/board.js", "assets/viewer.js", "data/list.js")
    return page(f"Games: {title}", "", "games.html", Html(_GAMES.replace("COUNT", str(games))), scripts)


def _side(side: str, name: str) -> str:
    figures = "".join(
        f'<div><dt>{word}</dt><dd id="{figure}-{side}">–</dd></div>'
        for word, figure in (("clock", "clock"), ("last move", "spent"), ("says it wins", "eval"))
    )
    return (
        f'<section class="side {side}" id="side-{side}" aria-label="{name}">'
        f'<a id="bot-{side}" href="#"></a> {name} ({side})<dl>{figures}</dl></section>'
    )


_GAMES = f"""\
<h1>Games</h1>
<noscript><p>This page needs JavaScript, of this folder alone. The same games are in the journal; `donuts replay` draws
them in a terminal.</p></noscript>
<section id="viewer" hidden aria-labelledby="title">
<h2 id="title"></h2>
<div>
<svg id="board" role="img" viewBox="0 0 600 600"></svg>
<p class="key">Line of each square as on the board. Orange frame: last ring or row of five. Dashed: flipped by it.
Green dot: where the next ring may go.</p>
</div>
<div>
{_side("o", "Vanilla")}
{_side("x", "Chocolate")}
<p id="said" aria-live="polite"></p>
<div class="steps" role="group" aria-label="step through the game">
<button type="button" id="first" aria-label="to the beginning">|◀</button>
<button type="button" id="back" aria-label="one back">◀</button>
<button type="button" id="on" aria-label="one on">▶</button>
<button type="button" id="end" aria-label="to the end">▶|</button>
<input type="range" id="slider" min="0" value="0" aria-label="placements"> <span id="count"></span>
</div>
<ol id="moves" aria-label="moves"></ol>
<p class="note">Keys: ← → Home End.</p>
<div class="steps"><button type="button" id="before">previous game</button>
<button type="button" id="next">next game</button></div>
</div>
<div class="over" id="over"><p id="verdict"></p><p class="note" id="about"></p></div>
</section>
<h2>All COUNT games</h2>
<div class="filters">
<label for="of">bot <select id="of"><option value="">all</option></select></label>
<label for="by">ended by <select id="by"><option value="">anything</option></select></label>
<span class="steps" role="group" aria-label="pages"><button type="button" id="earlier">earlier</button>
<button type="button" id="later">later</button> <span id="pages" aria-live="polite"></span></span>
</div>
<p class="hint">Wider than the screen? It scrolls sideways →</p>
<div class="wide" tabindex="0" role="region" aria-label="list of games">
<table><thead><tr><th scope="col" class="number">game</th><th scope="col">encounter</th>
<th scope="col">Chocolate (x)</th><th scope="col">Vanilla (o)</th><th scope="col">result</th>
<th scope="col">ended by</th><th scope="col" class="number">plies</th></tr>
</thead><tbody id="list"></tbody></table>
</div>"""
