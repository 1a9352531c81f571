"""Gives out seats: makes the join files that teams are sent and the list by which the arena knows them.

A seat is written down last, when its join file is safe: where a run was cut short, the next one finds a join file
without a seat, and gives it its seat, if it is what would have been written.
"""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from donuts_protocol.escape import shown
from donuts_protocol.invitation import Invitation, InvitationFault
from donuts_protocol.invitation import parse as parse_invitation
from donuts_protocol.invitation import render as render_invitation
from donuts_referee.arena.seats import (
    LIST,
    SECRET,
    Seat,
    SeatList,
    SeatsFault,
    check_folder,
    hashed,
    read_secret,
    render,
)
from donuts_referee.arena.teams import MOST_TEAMS
from donuts_referee.endpoints import DEFAULT, Endpoint, parse_endpoint
from donuts_referee.files import FileFault, listed, locked, read_small, write_whole

__all__ = ["Issued", "IssuingFault", "issue", "join_file", "renew", "restore", "revoke"]

NO_ZMQ = "pyzmq is not installed: pip install pyzmq"


class IssuingFault(Exception):
    """Seats that cannot be given out or changed; the text is one line: the fault and what would be right."""


class Issued(NamedTuple):
    """What a roster came to."""

    new: tuple[str, ...]
    """names of the seats made just now, in the order of the roster"""
    old: tuple[str, ...]
    """names in the roster that had a seat already"""
    absent: tuple[str, ...]
    """names of seats, not revoked, that the roster does not name"""
    endpoint: Endpoint
    """what the new join files name"""
    before: str | None
    """what those of the run before name; None: there was none"""
    curve: bool
    """the new seats have CURVE keys, not tokens"""
    keyless: tuple[str, ...]
    """where they have: names of the older seats, not revoked, that have a token only"""


class _Terms(NamedTuple):
    """On which terms seats are made."""

    endpoint: Endpoint
    public: str | None
    """the server's public CURVE key; None: tokens"""
    secret: str | None


def join_file(folder: Path, name: str) -> Path:
    """Where the join file of a seat is."""
    return folder / f"{name}.join.toml"


def issue(
    folder: Path, names: Sequence[str], endpoint: Endpoint | None = None, *, curve: bool = False
) -> Issued:
    """Make a seat for each of the names that has none; the folder is made where it is not there yet.

    Without an endpoint the seats are as those of the run before: the same endpoint, and CURVE where it had keys. With
    one they have CURVE keys where it needs them or `curve` is set, and tokens otherwise. Raises IssuingFault.
    """
    with _opened(folder, make=True) as seats:
        terms = _terms(folder, seats, endpoint, curve)
        fresh = [name for name in names if seats.by_name(name) is None]
        _check_room(seats, fresh)
        found = _found(folder, fresh, terms, seats)
        _keep_secret(folder, terms)
        made = [found.get(name) or _made(folder, name, terms) for name in fresh]
        _keep(folder, (*seats.seats, *made), terms.public or seats.server_public, terms.endpoint.text)
    named = set(names)
    held = [seat for seat in seats.seats if not seat.revoked]
    curve = terms.public is not None
    return Issued(
        new=tuple(fresh),
        old=tuple(name for name in names if seats.by_name(name) is not None),
        absent=tuple(seat.name for seat in held if seat.name not in named),
        endpoint=terms.endpoint,
        before=seats.endpoint,
        curve=curve,
        keyless=tuple(seat.name for seat in held if curve and seat.curve_key is None),
    )


def revoke(folder: Path, name: str) -> bool:
    """Take a seat back; False when it was revoked already. Raises IssuingFault."""
    return _mark(folder, name, revoked=True)


def restore(folder: Path, name: str) -> bool:
    """Give a revoked seat back, on the same token or key; False when it was not revoked. Raises IssuingFault."""
    return _mark(folder, name, revoked=False)


def renew(folder: Path, name: str, endpoint: Endpoint | None = None, *, curve: bool = False) -> Issued:
    """Write a new join file for a seat, so that the one before is worth nothing.

    Terms as for `issue`, but an endpoint is for this file only. Raises IssuingFault, for a revoked seat too.
    """
    with _opened(folder) as seats:
        seat = _known(folder, seats, name)
        if seat.revoked:
            raise IssuingFault(f"{name} is revoked; --restore it first")
        terms = _terms(folder, seats, endpoint, curve)
        _keep_secret(folder, terms)
        made = _made(folder, name, terms)
        kept = [made if each is seat else each for each in seats.seats]
        _keep(folder, kept, terms.public or seats.server_public, seats.endpoint or terms.endpoint.text)
    return Issued((name,), (), (), terms.endpoint, seats.endpoint, terms.public is not None, ())


@contextmanager
def _opened(folder: Path, *, make: bool = False) -> Iterator[SeatList]:
    """The folder's list, locked for a change; faults of files and lists become IssuingFaults."""
    try:
        if make:
            _make(folder)
        check_folder(folder)
        with locked(folder):
            yield SeatList([]) if make and not os.path.lexists(folder / LIST) else SeatList.load(folder)
    except (FileFault, SeatsFault) as fault:
        raise IssuingFault(str(fault)) from None


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        return
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else fault
        raise IssuingFault(f"{shown(str(folder))}: no such folder can be made: {reason}") from None


def _terms(folder: Path, seats: SeatList, endpoint: Endpoint | None, curve: bool) -> _Terms:
    curve = curve or (endpoint is None and seats.server_public is not None)
    if endpoint is None:
        endpoint = DEFAULT if seats.endpoint is None else parse_endpoint(seats.endpoint, binding=False)
    if not (curve or endpoint.curve):
        return _Terms(endpoint, None, None)
    if seats.server_public is not None:
        return _Terms(endpoint, seats.server_public, seats.server_secret)
    if os.path.lexists(folder / SECRET):  # a run was cut short before it wrote the public key down
        secret = read_secret(folder / SECRET)
        return _Terms(endpoint, _public_of(secret, folder / SECRET), secret)
    public, secret = _pair()
    return _Terms(endpoint, public, secret)


def _check_room(seats: SeatList, fresh: Sequence[str]) -> None:
    if len(seats.seats) + len(fresh) > MOST_TEAMS:
        total = len(seats.seats) + len(fresh)
        raise IssuingFault(f"that makes {total} seats; an arena has {MOST_TEAMS} at most; use another folder")
    taken = {seat.name.lower(): seat.name for seat in seats.seats}
    faults = [f"{name}: there is a seat {taken[name.lower()]}" for name in fresh if name.lower() in taken]
    if faults:
        raise IssuingFault(f"names must differ by more than case: {listed(faults)}")


def _found(folder: Path, fresh: Sequence[str], terms: _Terms, seats: SeatList) -> dict[str, Seat]:
    """The seats of the join files that a run that was cut short has left; IssuingFault when one is something else."""
    found: dict[str, Seat] = {}
    faults: list[str] = []
    taken = {secret for seat in seats.seats for secret in (seat.token_sha256, seat.curve_key)} - {None}
    for name in fresh:
        path = join_file(folder, name)
        if not os.path.lexists(path):
            continue
        seat = _left(path, name, terms)
        if seat is None or not taken.isdisjoint((seat.token_sha256, seat.curve_key)):
            faults.append(shown(str(path)))
        else:
            found[name] = seat
            taken |= {seat.token_sha256, seat.curve_key} - {None}
    if faults:
        raise IssuingFault(
            f"there already, but the list has no seats for them: {listed(faults)}; move them away"
        )
    return found


def _left(path: Path, name: str, terms: _Terms) -> Seat | None:
    """The seat of a join file, if it is on these terms."""
    data, _ = read_small(path, private=True, most=1 << 16)
    try:
        invitation = parse_invitation(data.decode())
    except (InvitationFault, UnicodeDecodeError):
        return None
    if (invitation.name, invitation.endpoint) != (name, terms.endpoint.text):
        return None
    if invitation.server_key != terms.public or (invitation.token is None) == (terms.public is None):
        return None
    return _seat(invitation)


def _made(folder: Path, name: str, terms: _Terms) -> Seat:
    """Write a join file with a new secret; the seat that goes with it."""
    if terms.public is None:
        invitation = Invitation(terms.endpoint.text, name, secrets.token_hex(24))
    else:
        public, secret = _pair()
        invitation = Invitation(terms.endpoint.text, name, None, terms.public, public, secret)
    write_whole(join_file(folder, name), render_invitation(invitation))
    return _seat(invitation)


def _seat(invitation: Invitation) -> Seat:
    token = invitation.token
    return Seat(invitation.name or "", None if token is None else hashed(token), invitation.public_key)


def _keep_secret(folder: Path, terms: _Terms) -> None:
    """Write the server's secret key where there is none; before any file that names its public one."""
    if terms.secret is not None and not os.path.lexists(folder / SECRET):
        write_whole(folder / SECRET, f"{terms.secret}\n")


def _keep(folder: Path, seats: Sequence[Seat], public: str | None, endpoint: str | None) -> None:
    write_whole(folder / LIST, render(SeatList(seats, public, None, endpoint)))


def _mark(folder: Path, name: str, *, revoked: bool) -> bool:
    with _opened(folder) as seats:
        seat = _known(folder, seats, name)
        if seat.revoked == revoked:
            return False
        marked = replace(seat, revoked=revoked)
        kept = [marked if each is seat else each for each in seats.seats]
        _keep(folder, kept, seats.server_public, seats.endpoint)
    return True


def _known(folder: Path, seats: SeatList, name: str) -> Seat:
    seat = seats.by_name(name)
    if seat is None:
        near = get_close_matches(name[:60], [each.name for each in seats.seats], 1)
        hint = f"did you mean {near[0]}?" if near else "--list shows them"
        raise IssuingFault(f"{shown(str(folder))} has no seat '{shown(name, 60)}'; {hint}")
    return seat


def _pair() -> tuple[str, str]:
    """A new public and secret CURVE key in Z85."""
    _need_zmq()
    import zmq

    try:
        public, secret = zmq.curve_keypair()
    except zmq.ZMQError as fault:
        raise IssuingFault(f"this build of libzmq makes no CURVE keys: {fault}") from None
    return public.decode(), secret.decode()


def _public_of(secret: str, path: Path) -> str:
    _need_zmq()
    import zmq

    try:
        return zmq.curve_public(secret.encode()).decode()
    except zmq.ZMQError as fault:
        raise IssuingFault(f"{shown(str(path))}: no secret CURVE key: {fault}; move it away") from None


def _need_zmq() -> None:
    try:
        import_module("zmq")
    except ImportError:
        raise IssuingFault(NO_ZMQ) from None
