"""The list of all checks, in their order, and the run through them."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
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
            near = get_close_matches(word, [one.check.id for one in known], 1, 0.5)
            hint = f"did you mean {near[0]}?" if near else "`donuts check --list` names them all"
            raise UnknownCheck(f"there is no check '{word}'; {hint}")
        wanted |= found
    return tuple(one for one in known if one.number in wanted)


def run(stand: Stand, selection: Sequence[NumberedCheck]) -> Iterator[Verdict]:
    """Make the checks one by one. Whatever happens, no conversation of one is left to the next.

    One fault is told once: what fails by it later is not reached, and so is all that comes after a gate that failed.
    """
    blocked = ""
    roots: dict[str, str] = {}
    """by cause: where it was told of"""
    for number, check in selection:
        began = stand.board.now()
        note, finding, outcome = "", None, Outcome.OK
        try:
            if reason := _inapplicable(stand, check, blocked):
                raise Skipped(reason)
            if blocked:
                outcome, note = Outcome.UNREACHED, blocked
            else:
                note = check.run(stand)
        except Skipped as skip:
            outcome, note = Outcome.SKIPPED, str(skip)
        except (Failed, NotStarted) as failure:
            outcome, finding = Outcome.FAILED, failure.finding
            see = f"see {number} {check.id}"
            if isinstance(failure, NotStarted):
                stand.absent = True
                blocked = f"{see}: the bot did not start"
            elif failure.cause and roots.setdefault(failure.cause, see) != see:
                outcome, note = Outcome.UNREACHED, roots[failure.cause]
            elif check.gate:
                blocked = see
            stand.spoil()
        finally:
            stand.tidy()
        yield _verdict(number, check, outcome, note, finding, (stand.board.now() - began) // 1_000_000)


def _inapplicable(stand: Stand, check: Check, blocked: str) -> str:
    """Why a check is not for this bot; empty when it is. What is `blocked` is asked nothing."""
    transport = stand.source.transport
    if check.over == "zmq" and transport == "stdio":
        return "for a bot that dials in: --connect"
    if check.over == "stdio" and transport == "zmq":
        return "for a bot on pipes"
    if check.encoding != "both" and not blocked and stand.shared().talk.encoding != check.encoding:
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
