"""`donuts arena status|pause|resume|drain|kick`: asks the arena that runs here, by its control socket."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from donuts_protocol.escape import shown
from donuts_referee.cli.fault import ExitCode, UsageFault

if TYPE_CHECKING:
    from donuts_referee.arena.status import Answer, GuestStatus, Status
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

COMMANDS = {
    "status": "show the arena and who sits where",
    "pause": "begin no more encounters",
    "resume": "begin encounters again",
    "drain": "play what is begun to its end, then end the arena",
    "kick": "send a bot away; its game is void",
}


def add_parser(subparsers: "Subparsers") -> None:
    """Add the parsers of these parts of `donuts arena`."""
    for name, summary in COMMANDS.items():
        parser = subparsers.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if name == "kick":
            parser.add_argument("name", metavar="NAME", help="the seat, as `donuts arena status` lists it")
        parser.add_argument(
            "--records",
            default="donuts-arena",
            metavar="DIR",
            help="the arena's records (default ./donuts-arena)",
        )
        if name == "status":
            parser.add_argument("--json", action="store_true", help="as one JSON object")
        parser.set_defaults(act=run)


def run(args: argparse.Namespace) -> int:
    """Ask and show the answer; UsageFault when no arena answers or it refuses."""
    try:
        import zmq  # noqa: F401
    except ImportError:
        raise UsageFault("pyzmq is not installed: pip install pyzmq") from None
    from donuts_referee.arena.control import ControlFault, ask
    from donuts_referee.arena.status import Request

    try:
        answer = ask(Path(args.records), Request(args.part, getattr(args, "name", None)))
    except ControlFault as fault:
        raise UsageFault(str(fault)) from None
    if answer.error is not None:
        raise UsageFault(answer.error)
    sys.stdout.write(_shown(answer, json=getattr(args, "json", False)))
    return ExitCode.OK


def _shown(answer: "Answer", *, json: bool) -> str:
    if answer.status is None:
        return f"{answer.text}\n"
    if json:
        import msgspec

        return msgspec.json.encode(answer.status).decode() + "\n"
    return _status(answer.status)


def _status(status: "Status") -> str:
    lines = [
        f"{status.state} for {_span(status.up)} at {', '.join(status.endpoints)}; donuts-arena {status.version}",
        f"records: {status.records}",
        f"seated {status.seated}, matches in play {status.playing}, games finished {status.games}, "
        f"plies {status.plies}, {status.resident / 2**20:.0f} MiB",
    ]
    if status.held:
        lines.append(f"{status.held} games wait to be written; is the disk full?")
    lines += [f"{title}: {_counts(counts)}" for title, counts in _tallies(status) if counts]
    if status.guests:
        width = max(4, *(len(shown(guest.seat)) for guest in status.guests))
        lines.append(f"{'seat':<{width}}  {'games':>6}  {'rating':>6}  {'rtt ms':>7}  now")
        lines += [_guest(guest, width) for guest in sorted(status.guests, key=_by_rating)]
    return "\n".join(lines) + "\n"


def _tallies(status: "Status") -> tuple[tuple[str, dict[str, int]], ...]:
    return ("games ended by", status.ended), ("turned away", status.refused)


def _guest(guest: "GuestStatus", width: int) -> str:
    now = "playing" if guest.playing else "free"
    if guest.away is not None:
        now = f"away for {_span(guest.away)}"
    if guest.strikes:
        now += f", {guest.strikes} games running lost by faults"
    rtt = "-" if guest.rtt_ms is None else f"{guest.rtt_ms:.1f}"
    return f"{shown(guest.seat):<{width}}  {guest.games:>6}  {guest.rating:>6.0f}  {rtt:>7}  {now}"


_by_rating: Callable[["GuestStatus"], tuple[float, str]] = lambda guest: (-guest.rating, guest.seat)  # noqa: E731


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{why} {count}" for why, count in sorted(counts.items(), key=lambda one: -one[1]))


def _span(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
