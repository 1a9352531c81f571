"""Addresses of a ROUTER are no credentials: who takes the one of a bot that is there or has left gets nothing by it."""

from collections.abc import Iterator

import pytest
import zmq

from arena.siege import Puppet, Siege, besieged, hello
from arena.zmtp import Raw
from donuts_protocol.messages import Bye, Error, Leave, Ping, Pong, Welcome
from donuts_referee.channels.link import Away
from donuts_referee.channels.peer import Received, later
from donuts_referee.channels.router import Router, RouterLink

NAME = b"a known id"


@pytest.fixture(scope="module")
def siege() -> Iterator[Siege]:
    with besieged() as one:
        yield one


@pytest.mark.parametrize("identity", [b"\0", b"\0\0\0\0\1", b"\0" * 255, b"ada", b"\xff" * 255])
def test_an_address_of_its_own_choice_seats_nobody_and_harms_nobody(siege: Siege, identity: bytes) -> None:
    with siege.bounded("hello"), Puppet(siege.port).shake(identity) as peer:
        peer.tell(Pong(id=1))
        assert peer.until(Error).code == "hello"
        peer.say(hello())
        assert peer.until(Welcome).session


def test_an_impostor_with_a_known_address_is_not_heard_in_its_place(siege: Siege) -> None:
    with siege.bounded(), Puppet(siege.port, pongs=False).shake(NAME) as peer:
        peer.say(hello())
        peer.until(Welcome)
        ping = peer.until(Ping)
        with Puppet(siege.port).shake(NAME) as impostor:
            impostor.tell(Leave(text="in the name of another"))
            impostor.tell(Leave(text="and once more"))
            with Puppet(siege.port).sit() as later:
                later.until(Welcome)  # all that came before it has been read
        peer.tell(Pong(id=ping.id))
        peer.tell(Leave(text=None))
        assert peer.until(Bye).why == "done"


class Doorstep:
    """A ROUTER of this process, whose every step is in the hands of the test."""

    def __init__(self) -> None:
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.router = Router(self.context)
        self.router.socket.heartbeat_timeout = self.router.socket.handshake_ivl = 120_000  # peers may be slow
        self.port = int(self.router.bind("tcp://127.0.0.1:*").rpartition(":")[2])

    def hear(self) -> Received:
        """Wait for the next message that is heard; events of connections are not asked for."""
        while True:
            assert self.router.socket.poll(30_000)
            for received in self.router.receive():
                return received

    def close(self) -> None:
        """Give back everything."""
        self.router.close()
        self.context.term()


@pytest.fixture
def doorstep() -> Iterator[Doorstep]:
    one = Doorstep()
    yield one
    one.close()


def test_who_takes_the_address_of_one_that_has_left_is_somebody_else_at_once(doorstep: Doorstep) -> None:
    with Raw(doorstep.port).shake(NAME) as first:
        first.say(b"first")
        old = doorstep.hear().peer
        link = RouterLink(doorstep.router, old)
        spare = Raw(doorstep.port).shake()  # has the next descriptor
    with Raw(doorstep.port) as second:
        # both connections have ended or begun in libzmq when the last word is there; until then the address is taken
        second.shake(NAME).say(b"second")
        spare.say(b"spare")
        while (received := doorstep.hear()).first != b"spare":
            assert received.peer is not old
    arrivals = doorstep.router.events()
    assert [arrival for arrival in arrivals if isinstance(arrival, Away)] == [Away(link, link.lost or 0)]
    spare.close()


def test_what_is_left_of_one_that_has_gone_is_nobody_elses(doorstep: Doorstep) -> None:
    gone = []
    for _ in range(20):
        with Raw(doorstep.port).shake() as peer:
            for word in range(10):
                peer.say(b"left %d" % word)
            gone.append(peer)
    with Raw(doorstep.port).shake() as living:
        living.say(b"here")
        while (received := doorstep.hear()).first != b"here":
            pass
        there = received.peer
        living.say(b"here still")
        while (received := doorstep.hear()).first != b"here still":
            assert received.peer is not there
        assert received.peer is there
        assert not there.connection.ended and doorstep.router.connections.strangers >= 1


def test_of_two_addresses_the_later_is_known() -> None:
    one, two, last = b"\0\0\0\0\1", b"\0\0\0\0\2", b"\0\xff\xff\xff\xff"
    assert later(two, one) and not later(one, two) and not later(one, one)
    assert later(one, last) and not later(last, one)
    assert later(one, NAME) and not later(NAME, one)
