"""The list of all checks, in their order, and the run through them."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import chain
from typing import NamedTuple, cast

from donuts_referee.check import (
    answers,
    form,
    games,
    handshake,
    leaving,
    packed,
    reading,
    reports,
    starting,
    timing,
)
from donuts_referee.check.stand import Stand
from donuts_referee.check.verdicts import Check, Failed, Finding, NotStarted, Outcome, Skipped, Verdict

__all__ = ["NumberedCheck", "UnknownCheck", "checks", "chosen", "run"]

_GROUPS = (starting, handshake, answers, reading, timing, games, reports, packed, form, leaving)


class UnknownCheck(ValueError):
    """There is no check of this name; the text is one line."""


class NumberedCheck(NamedTuple):
    """A check with its place in the list, from 1."""

    number: int
    check: Check


def checks() -> tuple[NumberedCheck, ...]:
    """All checks, in the order in which they are made."""
    groups = [group.CHECKS for group in _GROUPS]
    found = chain(*groups, _remote())
    return tuple(NumberedCheck(number, check) for number, check in enumerate(found, start=1))


def _remote() -> tuple[Check, ...]:
    """Those of bots that dial in, which come last; none without pyzmq."""
    try:
        return cast("tuple[Check, ...]", import_module("donuts_referee.check.remote").CHECKS)
    except ModuleNotFoundError as missing:
        if missing.name != "zmq":
            raise
        return ()


def chosen(words: Sequence[str]) -> tuple[NumberedCheck, ...]:
    """The checks that these ids or numbers name, in their own order; all, when there are none. Raises UnknownCheck."""
    known = checks()
    if not words:
        return known
    wanted: set[int] = set()
    for word in words:
        found = {one.number for one in known if word in (one.check.id, str(one.number))}
        if not found:
            raise UnknownCheck(
                f"there is no check '{word}'; the checks are {', '.join(one.check.id for one in known)}"
            )
        wanted |= found
    return tuple(one for one in known if one.number in wanted)


def run(stand: Stand, selection: Sequence[NumberedCheck]) -> Iterator[Verdict]:
    """Make the checks one by one. Whatever happens, no conversation of one is left to the next."""
    blocked = ""
    for number, check in selection:
        began = stand.board.now()
        note, finding, outcome = "", None, Outcome.OK
        try:
            if reason := blocked or _inapplicable(stand, check):
                raise Skipped(reason)
            note = check.run(stand)
        except Skipped as skip:
            outcome, note = Outcome.SKIPPED, str(skip)
        except (Failed, NotStarted) as failure:
            outcome, finding = Outcome.FAILED, failure.finding
            if isinstance(failure, NotStarted):
                stand.absent = True
                blocked = "the bot did not start"
            elif check.gate:
                blocked = f"until `{check.id}` is right nothing more can be asked"
            stand.spoil()
        finally:
            stand.tidy()
        yield _verdict(number, check, outcome, note, finding, (stand.board.now() - began) // 1_000_000)


def _inapplicable(stand: Stand, check: Check) -> str:
    """Why a check is not for this bot; empty when it is."""
    transport = stand.source.transport
    if check.over == "zmq" and transport == "stdio":
        return "for a bot that dials in: --connect"
    if check.over == "stdio" and transport == "zmq":
        return "for a bot on pipes"
    if check.encoding != "both" and stand.shared().talk.encoding != check.encoding:
        return f"for a bot that speaks {check.encoding}"
    return ""


def _verdict(
    number: int, check: Check, outcome: Outcome, note: str, finding: Finding | None, ms: int
) -> Verdict:
    return Verdict(
        number=number,
        id=check.id,
        title=check.title,
        clauses=check.clauses,
        outcome=str(outcome),
        note=note,
        finding=finding,
        ms=ms,
    )
