"""A port that speaks CURVE: who has no key of a seat is refused in the handshake; a key is good for its seat alone."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq

from arena.hall import Caller, dealer, seats
from arena.siege import GAMES, HOSTILE, PEAK, PEAK_OF_CRUMBS, Siege, besieged, hello
from arena.zmtp import COMMAND, MORE, Raw, frame, greeting
from donuts_protocol.invitation import Invitation
from donuts_protocol.messages import Welcome

CURVE = '[arena]\nseats = "seats"\ncurve = true\n' + GAMES

FLOOD = 1 << 28
"""bytes that are sent at most by whoever is to be cut long before"""


def prepare(folder: Path) -> dict[str, Invitation]:
    """Seats for the honest bots, mallory, and rex who loses his, by key; one for tom, by token."""
    return seats(folder, "tom") | seats(folder, "ada bob eve mallory rex", "--curve")


@pytest.fixture(scope="module")
def siege() -> Iterator[Siege]:
    with besieged(CURVE, prepare=prepare) as one:
        yield one


def answer(invitation: Invitation, word: bytes) -> bytes:
    """What a DEALER with these keys hears first after it has said `word`."""
    with zmq.Context() as context, dealer(context, invitation) as line:
        line.send(word)
        assert line.poll(30_000)
        return bytes(line.recv())


def refuse(siege: Siege, invitation: Invitation, reasons: str) -> None:
    """Say hello with these keys until that is counted as refused for one of the reasons; nothing may be heard."""
    before = siege.count(reasons)
    with siege.bounded(reasons), zmq.Context() as context, dealer(context, invitation) as line:
        line.send(hello())
        siege.hall.until_status(lambda now: siege.count(reasons, now) > before)
        assert not line.poll(0)


@pytest.mark.parametrize("which", ["its own", "the server's for the client"])
def test_a_key_that_no_seat_has_is_refused(siege: Siege, which: str) -> None:
    public, secret = (key.decode() for key in zmq.curve_keypair())
    wrong = siege.given["mallory"]._replace(public_key=public, secret_key=secret)
    if which != "its own":
        wrong = wrong._replace(public_key=siege.given["mallory"].server_key)
    refuse(siege, wrong, "key|protocol|handshake")


def test_a_key_of_another_server_is_refused(siege: Siege) -> None:
    public, _ = (key.decode() for key in zmq.curve_keypair())
    refuse(siege, siege.given["mallory"]._replace(server_key=public), "key|protocol")


def test_a_public_key_alone_is_no_key(siege: Siege) -> None:
    _, secret = (key.decode() for key in zmq.curve_keypair())
    refuse(siege, siege.given["ada"]._replace(secret_key=secret), "key|protocol")


def test_a_plain_peer_is_refused(siege: Siege) -> None:
    """Whichever side sees first that the other speaks something else ends the handshake."""
    refuse(siege, Invitation(siege.hall.tcp), "mechanism|handshake")


def test_somebody_elses_token_is_refused(siege: Siege) -> None:
    with siege.bounded("seat"):
        told = answer(siege.given["mallory"], hello(seat=siege.given["tom"].token))
    assert told.startswith(b"error - code=seat")


def test_a_token_that_no_seat_has_is_refused(siege: Siege) -> None:
    with siege.bounded("seat"):
        told = answer(siege.given["mallory"], hello(seat="x" * 48))
    assert told.startswith(b"error - code=seat")


def test_a_stolen_session_is_worth_nothing_on_another_seat(siege: Siege) -> None:
    token = siege.honest[0].dialling.token
    assert token is not None
    with siege.bounded():
        thief = Caller(siege.given["mallory"], "thief", tc=HOSTILE)
        thief.dialling.token = token  # it may have said hello already; then it says so when it dials again
        siege.hall.until(lambda: siege.hall.of("came", seat="mallory"))
        told = answer(siege.given["mallory"], hello("thief", session=token))
        thief.join()
    assert thief.last == "replaced"
    assert told.startswith(b"welcome") and token.encode() not in told
    assert siege.honest[0].dialling.token == token
    assert not siege.hall.of("went", seat="ada")
    assert not [heard for heard in siege.honest[0].heard[1:] if isinstance(heard, Welcome)]


@pytest.mark.parametrize("size", [65_536, 1, 0])
def test_an_unfinished_message_without_security_ends_in_the_handshake(siege: Siege, size: int) -> None:
    part = frame(b"x" * size, MORE)
    with siege.bounded("mechanism"), Raw(siege.port) as peer:
        peer.write(greeting())
        assert siege.pour(peer, part * ((1 << 20) // len(part)), FLOOD) < FLOOD


@pytest.mark.parametrize("flags", [MORE, COMMAND, COMMAND | MORE, 0])
@pytest.mark.parametrize("size", [65_536, 200, 0])
def test_an_unfinished_message_in_place_of_curves_handshake_ends_it(
    siege: Siege, size: int, flags: int
) -> None:
    part = frame((b"\5HELLO" + b"x" * size)[:size], flags)
    peak = PEAK if size else PEAK_OF_CRUMBS
    with siege.bounded("protocol|key|unfinished|handshake", peak=peak), Raw(siege.port) as peer:
        peer.write(greeting("CURVE"))
        assert siege.pour(peer, part * ((1 << 20) // len(part)), FLOOD) < FLOOD


def test_a_seat_that_is_revoked_under_siege_is_refused_in_the_handshake(siege: Siege) -> None:
    words = ("arena", "seats", "--out", "seats", "--revoke", "rex")
    subprocess.run(
        [sys.executable, "-m", "donuts_referee", *words],
        cwd=siege.hall.folder,
        check=True,
        capture_output=True,
        timeout=120,
    )
    siege.hall.until(lambda: any("list of seats" in event["text"] for event in siege.hall.of("note")))
    refuse(siege, siege.given["rex"], "key")
