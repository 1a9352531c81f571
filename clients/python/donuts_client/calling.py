"""Dials in to an arena with what the author, the join file and the environment say, and says how it ended."""

import ipaddress
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

from msgspec.structs import replace

from donuts_client.bot import Bot
from donuts_client.player import Player
from donuts_protocol import text
from donuts_protocol.dialling import Dialling
from donuts_protocol.errors import InvalidMessage
from donuts_protocol.escape import shown
from donuts_protocol.framing import Encoding
from donuts_protocol.invitation import TOKEN, Invitation, InvitationFault, parse
from donuts_protocol.messages import Error, Hello

__all__ = ["Call", "call_in"]

SEAT = "DONUTS_SEAT"
"""environment variable that holds the token of a seat"""

_REMEDIES = {
    "seat": "there is no such seat, or it is revoked: ask the operator for a new join file",
    "key": "it does not know the key of this join file, or has revoked it: ask the operator for a new one",
    "replaced": "another connection holds this seat now: stop the other one, or use a seat of its own for each",
    "kicked": "the operator has removed this bot: ask there before you dial in again",
    "benched": "too many games in a row were lost by the bot's own faults: mend it, then start it again",
    "version": "the two speak no version of the protocol in common: update the older one",
}


class Call(NamedTuple):
    """What was asked for, before files and environment are looked at."""

    hello: Hello
    connect: str | None
    seat_file: str | Path | None
    games: int | None
    tc: str | None
    encoding: Encoding
    named: bool
    """the caller said the name, so that a join file does not"""


def call_in(make: Callable[[], Bot], call: Call) -> None:
    """Play at an arena until it or the bot has had enough; raises SystemExit as `run` says."""
    invitation = _invitation(call)
    hello = _hello(call, invitation)
    try:
        from donuts_client.dealer import Dealer, DealerFault
    except ModuleNotFoundError as fault:
        if fault.name != "zmq":
            raise
        _give_up("pyzmq is not installed: pip install pyzmq")
    from donuts_client.dialled import DialledWire

    wire = DialledWire(Dialling(hello, call.encoding), lambda: Dealer(invitation), shown(invitation.endpoint))
    try:
        Player(wire, call.games).play(make)
    except DealerFault as fault:
        _give_up(f"{shown(invitation.endpoint)} cannot be dialled: {fault}; such as tcp://127.0.0.1:7464")
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    finally:
        wire.leave()
    if wire.farewell is not None:
        _part(wire.farewell, wire.complaint)


def _invitation(call: Call) -> Invitation:
    """Where to dial and what to show there."""
    invitation = Invitation(call.connect or "")
    if call.seat_file is not None:
        try:
            invitation = parse(Path(call.seat_file).read_text("utf-8"))
        except OSError as fault:
            _give_up(f"{shown(str(call.seat_file))} cannot be read: {fault.strerror or fault}")
        except UnicodeDecodeError:
            _give_up(f"{shown(str(call.seat_file))} is no join file: it is not UTF-8")
        except InvitationFault as fault:
            _give_up(f"{shown(str(call.seat_file))} is no join file: {fault}")
        if call.connect is not None:
            invitation = invitation._replace(endpoint=call.connect)
    token = os.environ.get(SEAT) or None
    if invitation.token is None and token is not None:
        if not TOKEN.fullmatch(token):
            _give_up(f"{SEAT} holds no token: it must be 1 to 128 letters, digits, _ . ~ or -")
        invitation = invitation._replace(token=token)
    if not invitation.curve and not _is_local(invitation.endpoint):
        _give_up(
            f"{shown(invitation.endpoint)} is no loopback address, and without keys everybody could listen: "
            "give the join file of a seat with keys (seat_file=)"
        )
    return invitation


def _is_local(endpoint: str) -> bool:
    """Whether nobody else can listen on the way (DBP-11.4); also where the endpoint is none, which comes out later."""
    if not endpoint.startswith("tcp://"):
        return True
    host = endpoint.removeprefix("tcp://").rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in ("localhost", "")


def _hello(call: Call, invitation: Invitation) -> Hello:
    name = call.hello.name if call.named or not invitation.name else invitation.name[:40]
    hello = replace(call.hello, name=name, seat=invitation.token, tc=call.tc)
    try:
        text.encode(hello)
    except InvalidMessage as fault:
        _give_up(f"`hello` cannot be said: {fault.reason}")
    return hello


def _part(why: str, complaint: Error | None) -> None:
    """Say why the arena sent the bot away; nothing where it was simply done."""
    if why in ("done", ""):
        return
    said = "refuses this bot" if why == "key" else f"says bye: {why}"
    if complaint is not None and complaint.text:
        said += f" ({complaint.text})"
    remedy = _REMEDIES.get(why)
    sys.stderr.write(f"the arena {said}; {remedy}\n" if remedy else f"the arena {said}\n")
    raise SystemExit(3)


def _give_up(line: str) -> NoReturn:
    """One line for people, and exit status 2."""
    sys.stderr.write(f"{line}\n")
    raise SystemExit(2)
