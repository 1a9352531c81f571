"""The socket with which a bot dials in: nothing that came is lost, nothing goes to a connection that is gone."""

import select
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zmq

from donuts_protocol.invitation import Invitation
from donuts_referee.joining import dealer
from donuts_referee.joining.dealer import Change, Dealer, Frame, News, NoWay

PATIENCE = 30


class Far:
    """A ROUTER of its own context, so that its end cuts the connection."""

    def __init__(self, endpoint: str = "tcp://127.0.0.1:*") -> None:
        self.context = zmq.Context()
        self.router = self.context.socket(zmq.ROUTER)
        self.router.linger = 500
        self.router.bind(endpoint)
        self.endpoint = self.router.getsockopt(zmq.LAST_ENDPOINT).rstrip(b"\0").decode()
        self.address = b""

    def hears(self) -> bytes:
        assert self.router.poll(PATIENCE * 1000)
        self.address, frame = self.router.recv_multipart()
        return frame

    def says(self, *parts: bytes) -> None:
        self.router.send_multipart([self.address, *parts])

    def ends(self) -> None:
        self.router.close()
        self.context.term()


class Near:
    """A dealer and all that it had news of."""

    def __init__(self, endpoint: str) -> None:
        self.dealer = Dealer(Invitation(endpoint))
        self.news: list[News] = []

    def until(self, done: Callable[[], bool]) -> list[News]:
        while not done():
            fresh = self.dealer.news()
            self.news += fresh
            if not fresh and not done():
                assert select.select(self.dealer.descriptors(), [], [], PATIENCE)[0], self.news
        return self.news


@pytest.fixture(params=["tcp://127.0.0.1:*"], ids=["tcp"])
def far(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Far]:
    one = Far(request.param.format(tmp_path))
    yield one
    one.ends()


@pytest.fixture
def near(far: Far, monkeypatch: pytest.MonkeyPatch) -> Iterator[Near]:
    monkeypatch.setattr(dealer, "SILENT", PATIENCE * 1000)  # a machine that stands still loses no connection
    monkeypatch.setattr(dealer, "HANDSHAKE", PATIENCE * 1000)
    one = Near(far.endpoint)
    one.dealer.dial()
    yield one
    one.dealer.close()


def connected(near: Near, far: Far) -> None:
    near.until(lambda: Change.CONNECTED in near.news)
    near.dealer.send(b"hello")
    assert far.hears() == b"hello"


@pytest.mark.parametrize("attempt", range(20))
def test_the_last_word_is_heard_before_the_loss(far, near, attempt) -> None:
    connected(near, far)
    far.says(b"welcome")
    far.says(b"bye")
    far.ends()
    news = near.until(lambda: Change.LOST in near.news)
    assert news == [Change.CONNECTED, Frame(b"welcome"), Frame(b"bye"), Change.LOST]


@pytest.mark.parametrize("far", ["ipc://{}/a"], indirect=True, ids=["ipc"])  # a free port might be another's
def test_what_is_sent_after_the_loss_goes_nowhere(far, near) -> None:
    connected(near, far)
    endpoint = far.endpoint
    far.ends()
    near.until(lambda: Change.LOST in near.news)
    near.dealer.send(b"for nobody")
    again = Far(endpoint)
    near.news.clear()
    near.dealer.dial()
    near.until(lambda: Change.CONNECTED in near.news)
    near.dealer.send(b"hello again")
    assert again.hears() == b"hello again"
    again.ends()


def test_a_message_of_several_frames_means_nothing(far, near) -> None:
    connected(near, far)
    far.says(b"ping", b"1")
    far.says(b"ping 2")
    near.until(lambda: len(near.news) >= 2)
    assert near.news == [Change.CONNECTED, Frame(b"ping 2")]


def test_a_last_word_goes_out_although_the_socket_is_closed(far, near) -> None:
    connected(near, far)
    near.dealer.send(b"bye")
    near.dealer.drop()
    near.dealer.drop()
    assert far.hears() == b"bye" and near.dealer.descriptors() == () and near.dealer.news() == []


@pytest.mark.parametrize("endpoint", ["tcp://127.0.0.1", "smoke://signals", "ipc://" + "a" * 200])
def test_an_endpoint_that_cannot_be(endpoint) -> None:
    one = Dealer(Invitation(endpoint))
    try:
        with pytest.raises(NoWay, match="there is no dialling"):
            one.dial()
    finally:
        one.close()
