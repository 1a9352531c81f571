"""`donuts arena seats`: gives out seats to the teams of a roster; takes one back, renews one, lists them."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from donuts_protocol.escape import shown
from donuts_referee.arena.issuing import Issued, IssuingFault, issue, join_file, renew, restore, revoke
from donuts_referee.arena.seats import LIST, SeatList, SeatsFault
from donuts_referee.arena.teams import RosterFault, read_roster
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.endpoints import Endpoint, EndpointFault, parse_endpoint

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

NAMED = 10
"""Names that a note gives before it only counts."""

SEEN = "an arena that runs sees it by itself"

EXAMPLES = """\
examples:
  donuts arena seats --roster teams.csv --out seats
  donuts arena seats --roster teams.csv --out seats --endpoint tcp://arena.example:7464
  donuts arena seats --out seats --revoke alice
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the parser of this part of `donuts arena`."""
    parser = subparsers.add_parser(
        "seats",
        help="give out seats: a join file for each team of a roster",
        description="Makes a join file for each team of a roster, and the list by which the arena knows them.\n"
        "Run again, it adds the teams that are new and leaves the others as they are.",
        epilog=EXAMPLES,
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--roster", metavar="CSV", help="make seats for these teams: a header with a column name (or team)"
    )
    what.add_argument("--revoke", metavar="NAME", help="take this seat back")
    what.add_argument("--restore", metavar="NAME", help="give it back, with the same join file")
    what.add_argument(
        "--renew", metavar="NAME", help="write it a new join file; the old one is worth nothing"
    )
    what.add_argument("--list", action="store_true", help="show the seats")
    parser.add_argument("--out", metavar="DIR", required=True, help="the folder of the seats (mode 0700)")
    parser.add_argument(
        "--endpoint",
        metavar="E",
        help="where the teams dial (default: as the last time, at first tcp://127.0.0.1:7464)",
    )
    parser.add_argument(
        "--curve",
        action="store_true",
        help="give CURVE keys, not tokens, on a local endpoint too; elsewhere they are a must",
    )
    parser.set_defaults(act=run)


def run(args: argparse.Namespace) -> int:
    """Do what was asked for and say what comes next; UsageFault when it cannot be done."""
    if not args.out.isprintable():
        raise UsageFault(f"--out '{shown(args.out)}': name a folder without characters that do not print")
    folder = Path(args.out)
    if args.roster is None and args.renew is None and (args.endpoint is not None or args.curve):
        raise UsageFault("--endpoint and --curve go with --roster or --renew")
    try:
        endpoint = _endpoint(args.endpoint)
        if args.roster is not None:
            _say_issued(folder, issue(folder, read_roster(Path(args.roster)), endpoint, curve=args.curve))
        elif args.renew is not None:
            _say_renewed(folder, renew(folder, args.renew, endpoint, curve=args.curve))
        elif args.revoke is not None:
            changed = revoke(folder, args.revoke)
            print(f"{args.revoke} is revoked; {SEEN}" if changed else f"{args.revoke} was revoked already")
        elif args.restore is not None:
            changed = restore(folder, args.restore)
            print(
                f"{args.restore} has its seat again; {SEEN}"
                if changed
                else f"{args.restore} has its seat, it was not revoked"
            )
        else:
            _list(folder, SeatList.load(folder))
    except (IssuingFault, RosterFault, SeatsFault) as fault:
        raise UsageFault(str(fault)) from None
    return ExitCode.OK


def _endpoint(text: str | None) -> Endpoint | None:
    if text is None:
        return None
    try:
        return parse_endpoint(text, binding=False).resolved(Path.cwd())
    except EndpointFault as fault:
        raise UsageFault(f"--endpoint: {fault}") from None


def _say_issued(folder: Path, issued: Issued) -> None:
    for name in issued.new:
        print(f"wrote {join_file(folder, name)}")
    kept = f", {len(issued.old)} kept" if issued.old else ""
    print(f"{_seats(len(issued.new))} made{kept} ({_terms(issued)}); the list is {folder / LIST}")
    if issued.absent:
        print(f"not in the roster, but still seated: {_some(issued.absent)}; --revoke NAME takes a seat back")
    if issued.old and issued.before not in (None, issued.endpoint.text):
        print(f"join files of before name {issued.before}; --renew NAME writes a team a new one")
    if issued.keyless:
        print(
            f"these have a token only, good for local endpoints: {_some(issued.keyless)}; --renew gives keys"
        )
    if issued.new:
        _say_next(folder, issued)


def _say_next(folder: Path, issued: Issued) -> None:
    endpoint = issued.endpoint
    listen = endpoint.text if endpoint.local else f"tcp://*:{endpoint.text.rpartition(':')[2]}"
    first = join_file(folder, issued.new[0]).name
    curve = "       curve = true\n" if issued.curve and endpoint.local else ""
    print(
        "\nWhat to do next:\n"
        "  1. Send each team its own file, and nobody else: whoever has it plays as that team.\n"
        f"     The team runs: donuts join {endpoint.text} --seat-file {first} -- ./mybot\n"
        "  2. In arena.toml:\n"
        "       [arena]\n"
        f"       endpoints = [{_toml(listen)}]\n"
        f"       seats = {_toml(str(folder))}\n"
        f"{curve}"
        "     then donuts arena serve arena.toml. An arena that runs with these seats sees new ones by itself."
    )


def _say_renewed(folder: Path, issued: Issued) -> None:
    print(f"wrote {join_file(folder, issued.new[0])} ({_terms(issued)})")
    print(f"The join file of before is worth nothing; {SEEN}. Send the team the new one, and nobody else.")


def _list(folder: Path, seats: SeatList) -> None:
    width = max((len(seat.name) for seat in seats.seats), default=4)
    for seat in seats.seats:
        kind = "CURVE key" if seat.curve_key is not None else "token"
        state = "revoked" if seat.revoked else "may sit down"
        file = "" if join_file(folder, seat.name).is_file() else "  (its join file is not here)"
        print(f"{seat.name:<{width}}  {kind:<9}  {state}{file}")
    revoked = sum(seat.revoked for seat in seats.seats)
    where = f", join files name {seats.endpoint}" if seats.endpoint is not None else ""
    print(f"{_seats(len(seats.seats))}, {revoked} revoked{where}")


def _terms(issued: Issued) -> str:
    return f"{'CURVE keys' if issued.curve else 'tokens'} for {issued.endpoint.text}"


def _seats(count: int) -> str:
    return f"{count} seat{'' if count == 1 else 's'}"


def _some(names: tuple[str, ...]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _toml(text: str) -> str:
    """The printable text as it stands in a TOML file; JSON quotes it in the same way."""
    return json.dumps(text, ensure_ascii=False)
