"""The options that `donuts play` and `donuts referee` share: declared, read and checked here before anything starts."""

import argparse
import os
from pathlib import Path
from typing import Literal, NamedTuple, cast

from donuts_engine.board import Board
from donuts_engine.notation import NotationError, parse_moves
from donuts_engine.position import DEFAULT_RINGS, MAX_RINGS
from donuts_engine.tiles import TileSet
from donuts_protocol.keys import MAX_INT
from donuts_referee.cli.boards import check_drawing, named_board, numbered_board, tile_set
from donuts_referee.cli.fault import UsageFault
from donuts_referee.cli.reading import whole
from donuts_referee.programme import Boards, ProgrammeFault, programme
from donuts_referee.table.adjudication import FORMS, Adjudication, AdjudicationError
from donuts_referee.table.control import ControlError, TimeControl
from donuts_referee.table.entrant import MatchRules, OnFault, Setting

MAX_GAMES = 100_000
"""Games of one match; more belong in several, with their own seeds."""

MARGIN = 50
"""ms of margin over pipes where none is asked for"""

RECORDS = "donuts-records"
"""The directory of the records where none is named."""

View = Literal["watch", "json", "lines"]


class MatchOptions(NamedTuple):
    """Everything about a match but its bots; complete and checked."""

    settings: tuple[Setting, ...]
    rules: MatchRules
    seed: int
    drawn: bool
    """the seed was not given but drawn"""
    records: Path
    wire: Path | None
    view: View
    strict: bool


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options; `read_options` checks what was given."""
    match = parser.add_argument_group("the match")
    match.add_argument(
        "--games", type=whole(1, MAX_GAMES), default=2, metavar="N", help="games to play (default 2)"
    )
    clock = match.add_mutually_exclusive_group()
    clock.add_argument("--tc", metavar="T", help="seconds a game + seconds a move, or inf (default 60+0.1)")
    clock.add_argument("--movetime", metavar="S", help="seconds for each move instead")
    match.add_argument(
        "--seed", type=whole(0, MAX_INT), metavar="N", help="draws the boards; printed, to have them again"
    )
    match.add_argument(
        "--on-fault",
        choices=("forfeit", "void", "stop"),
        default="forfeit",
        help="a bot that does not start, crashes or is lost: it loses (forfeit, the default), the game is void and "
        "played again (void), or it loses and the match ends (stop)",
    )
    match.add_argument(
        "--adjudicate",
        action="append",
        default=[],
        metavar="RULE",
        help="end a game early: resign[=EVAL,PLIES] when both bots say who wins (the winner EVAL permille or more, "
        "each in its last PLIES answers; default 900,3), plies=N as a draw; may be given twice",
    )
    match.add_argument(
        "--margin",
        type=whole(0, 60_000),
        metavar="MS",
        help=f"ms over the limit that are forgiven (default {MARGIN}; 100 or 500 with remote bots)",
    )
    match.add_argument(
        "--prep", default="10", metavar="S", help="seconds to get ready for a game (default 10)"
    )
    match.add_argument(
        "--hello", default="30", metavar="S", help="seconds to start up and say hello (default 30)"
    )
    board = parser.add_argument_group("the board")
    board.add_argument("--size", type=int, choices=(6, 9), help="squares per edge (default 6)")
    board.add_argument("--layout", metavar="L", help="play on this board: 36 or 81 letters of H, V, D, A")
    board.add_argument(
        "--board", type=whole(0, MAX_INT), metavar="N", help="play on this 6 x 6 board of the tile set"
    )
    board.add_argument("--tiles", metavar="FILE", help="another tile set, a TOML file")
    board.add_argument(
        "--rings", type=whole(1, 40), metavar="N", help="rings per side (default 15 on 6 x 6, 36 on 9 x 9)"
    )
    board.add_argument(
        "--opening", default="", metavar="a1,b2", help="placements made before the first turn, x first"
    )
    output = parser.add_argument_group("what is kept and shown")
    output.add_argument(
        "--records", default=RECORDS, metavar="DIR", help=f"journal and PGN (default ./{RECORDS})"
    )
    output.add_argument("--wire", metavar="DIR", help="keep every line both ways, with ns stamps")
    output.add_argument("--json", action="store_true", help="one JSON event a line")
    output.add_argument("--strict", action="store_true", help="exit 1 when a bot faulted")


def read_options(args: argparse.Namespace, *, person: bool = False, margin: int = MARGIN) -> MatchOptions:
    """Check what was given; UsageFault names the first fault and what would be right. Nothing is written yet.

    With a `person` among the players no clock runs unless one was asked for; `margin` (ms) holds where none was.
    """
    if args.json and getattr(args, "watch", False):
        raise UsageFault("--watch is for people and --json for programs; give one of them")
    for option, folder in (("--records", args.records), ("--wire", args.wire)):
        if folder == "":
            raise UsageFault(f"{option} is empty; name a directory, such as ./{RECORDS}, or leave it out")
    rules = MatchRules(
        control=_control(args, person, margin),
        on_fault=cast("OnFault", args.on_fault),
        adjudication=_adjudication(args.adjudicate),
    )
    drawn = args.seed is None
    seed = int.from_bytes(os.urandom(4), "big") if drawn else int(args.seed)
    return MatchOptions(
        settings=_settings(args, seed),
        rules=rules,
        seed=seed,
        drawn=drawn,
        records=Path(args.records),
        wire=Path(args.wire) if args.wire is not None else None,
        view="json" if args.json else "watch" if getattr(args, "watch", False) else "lines",
        strict=args.strict,
    )


def _control(args: argparse.Namespace, person: bool, margin: int) -> TimeControl:
    margin = margin if args.margin is None else int(args.margin)
    prep = _seconds("--prep", args.prep)
    hello = _seconds("--hello", args.hello)
    option = "--movetime" if args.movetime is not None else "--tc"
    try:
        if args.movetime is not None:
            return TimeControl.each(args.movetime, margin=margin, prep=prep, hello=hello)
        text = args.tc if args.tc is not None else "inf" if person else "60+0.1"
        return TimeControl.parse(text, margin=margin, prep=prep, hello=hello)
    except ControlError as fault:
        raise UsageFault(f"{option}: {fault}") from None


def _adjudication(words: list[str]) -> Adjudication | None:
    try:
        asked = Adjudication.parse(words)
    except AdjudicationError as fault:
        raise UsageFault(f"--adjudicate: {fault}") from None
    if asked is not None and asked.solver:
        raise UsageFault(f"--adjudicate: a match has no solver; write {FORMS}")
    return asked


def _seconds(option: str, text: str) -> int:
    try:
        return TimeControl.each(text).inc
    except ControlError:
        raise UsageFault(f"{option}: {text[:40]!r} is no time; write seconds such as 10 or 0.5") from None


def _settings(args: argparse.Namespace, seed: int) -> tuple[Setting, ...]:
    tiles = tile_set(args.tiles)
    fixed, number = _fixed_board(args, tiles)
    size = fixed.size if fixed is not None else args.size or 6
    if fixed is None:
        check_drawing(tiles, size)
    rings = DEFAULT_RINGS[size] if args.rings is None else int(args.rings)
    if rings > MAX_RINGS[size]:
        raise UsageFault(
            f"--rings: {rings} rings per side do not fit; {size} x {size} takes 1 to {MAX_RINGS[size]}"
        )
    try:
        opening = tuple(parse_moves(args.opening, size))
    except NotationError as fault:
        raise UsageFault(f"--opening: {fault}") from None
    boards = Boards(tiles=tiles, size=size, fixed=fixed, number=number)
    try:
        return programme(args.games, boards, rings, seed, opening)
    except ProgrammeFault as fault:
        raise UsageFault(f"--opening: {fault}") from None


def _fixed_board(args: argparse.Namespace, tiles: TileSet) -> tuple[Board | None, int | None]:
    """The one board that was asked for and its number, where it has one; None: draw."""
    if args.layout is not None and args.board is not None:
        raise UsageFault("--layout and --board both name a board; give one of them")
    if args.layout is not None:
        return named_board(args.layout, args.size), None
    if args.board is not None:
        return numbered_board(args.board, args.size, tiles), args.board
    return None, None
