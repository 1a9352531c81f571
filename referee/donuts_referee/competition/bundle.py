"""What the author of a bot is given of an event: all games of the bot, and nothing that only the others should see.

Of an opponent stay its name, its answers and the verdict; its stderr, its words to the referee, its command line and
the digest of its program go, and so does the end of its stderr where a verdict quotes it.
"""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from msgspec.structs import replace

from donuts_protocol.codes import WHY
from donuts_protocol.escape import shown
from donuts_referee.competition.archive import write_archive
from donuts_referee.competition.faults import NoSuchBot
from donuts_referee.contest import JOURNAL, PGN
from donuts_referee.records.journal import JournalReader, Located
from donuts_referee.records.pgn import pgn
from donuts_referee.records.record import Record, encode
from donuts_referee.records.sheet import Sheet
from donuts_referee.table.finished import Side, Verdict

__all__ = ["own_view", "write_bundle"]

QUOTES = "; stderr ends: "
"""How a verdict begins to quote (see `table.sentences.last_words`)."""

LEFT_OUT = "; what it wrote on stderr is left out"


def write_bundle(folder: Path, bot: str, target: Path, *, force: bool = False) -> int:
    """Write the bundle of `bot` from the records in `folder`; returns how many games it holds.

    Raises NoSuchBot, ReadFault, BadLine and WriteFault.
    """
    reader = JournalReader(folder / JOURNAL)
    names: dict[str, None] = {}
    games: list[Located] = []
    for located in reader.located():
        players = located.head.x.bot, located.head.o.bot
        names.update(dict.fromkeys(players))
        if bot in players:
            games.append(located)
    if not games:
        near = get_close_matches(bot, names, 1)
        hint = f"did you mean {shown(near[0])!r}?" if near else "its bots are " + ", ".join(map(shown, names))
        raise NoSuchBot(f"{folder} has no game of {shown(bot)!r}; {hint[:300]}")

    def records() -> Iterator[Record]:
        return (own_view(reader.at(located), bot) for located in games)

    write_archive(
        target,
        {
            "README.txt": lambda: [_readme(bot, games)],
            JOURNAL: lambda: (encode(record) + b"\n" for record in records()),
            PGN: lambda: (pgn(Sheet.of(record)).encode() for record in records()),
            "stderr.txt": lambda: _stderr(records(), bot),
            "faults.txt": lambda: _faults(records(), bot),
        },
        force=force,
    )
    return len(games)


def own_view(record: Record, bot: str) -> Record:
    """The record as the author of `bot` may see it."""
    theirs = "o" if record.x.bot == bot else "x"
    side = _public(record.o if theirs == "o" else record.x)
    verdict = _without_quotes(record.verdict, theirs)
    if theirs == "o":
        return replace(record, o=side, verdict=verdict)
    return replace(record, x=side, verdict=verdict)


def _public(side: Side) -> Side:
    return replace(side, argv=(), digest=None, stderr="", stderr_bytes=0, said=None, first_noise=None)


def _without_quotes(verdict: Verdict, theirs: str) -> Verdict:
    at = verdict.text.find(QUOTES)
    if theirs not in (verdict.fault or "") or at < 0:
        return verdict
    return replace(verdict, text=verdict.text[:at] + LEFT_OUT)


def _own(record: Record, bot: str) -> tuple[str, Side]:
    return ("x", record.x) if record.x.bot == bot else ("o", record.o)


def _readme(bot: str, games: Sequence[Located]) -> bytes:
    won = drawn = void = 0
    for one in games:
        verdict, letter = one.head.verdict, "x" if one.head.x.bot == bot else "o"
        void += verdict.void
        drawn += not verdict.void and verdict.winner == "-"
        won += not verdict.void and verdict.winner == letter
    lost = len(games) - won - drawn - void
    text = f"""\
The games of {shown(bot)}: {len(games)}, of which {won} won, {drawn} drawn, {lost} lost, {void} void.

{JOURNAL}  every game as the referee kept it: answers, clocks, verdict. Of the opponents stays what was
               played; the file has no hash chain, which only the whole journal of the event has.
                   donuts replay {JOURNAL} --game 1
                   donuts explain {JOURNAL} --game 1
                   donuts probe {JOURNAL} --game 1 --ply 4 -- ./mybot
{PGN}      the same games as PGN
stderr.txt     what the bot wrote on stderr, as far as it was kept, game by game
faults.txt     the games that ended by a fault of the bot, with the clause of the protocol
"""
    return text.encode()


def _stderr(records: Iterator[Record], bot: str) -> Iterator[bytes]:
    for record in records:
        letter, side = _own(record, bot)
        if side.stderr:
            head = f"=== game {record.id} ({letter}), {side.stderr_bytes} bytes in all"
            kept = side.stderr.replace("\\x0d\\x0a", "\n").replace("\\x0a", "\n").rstrip("\n")
            yield f"{head}\n{kept}\n\n".encode("utf-8", "backslashreplace")


def _faults(records: Iterator[Record], bot: str) -> Iterator[bytes]:
    for record in records:
        letter, side = _own(record, bot)
        verdict = record.verdict
        if letter in (verdict.fault or ""):
            clause = f" ({WHY[verdict.why].clause})" if verdict.why in WHY else ""
            yield f"game {record.id} ({letter}): {verdict.text}{clause}\n".encode("utf-8", "backslashreplace")
        elif side.late or side.state or side.rate or side.noise:
            counts = f"late {side.late}, state {side.state}, rate {side.rate}, noise {side.noise}"
            yield f"game {record.id} ({letter}): warnings: {counts}\n".encode()
