"""2,000 connections that say nothing: a bounded number is held, and honest bots come in all the same."""

import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from arena.hall import PATIENCE, Caller
from arena.siege import HOSTILE, Siege, besieged
from arena.zmtp import Raw, greeting, ready

CROWD = 2000
STRANGERS = 256

CUT = "crowd|silent"
"""why one of them is cut: for those that came later, or as it says no more for 30 s, which a crowd may take"""


@pytest.fixture(scope="module", autouse=True)
def descriptors() -> Iterator[None]:
    """Let this process have a descriptor for each connection."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CROWD + 500
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"the system allows {hard} descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture(scope="module")
def siege() -> Iterator[Siege]:
    with besieged() as one:
        yield one


def played(siege: Siege) -> int:
    """Games between the newcomers."""
    return len([game for game in siege.hall.games() if {game["x"], game["o"]} == {"new", "comer"}])


@contextmanager
def crowding(port: int, words: bytes, pause: Callable[[], None]) -> Iterator[None]:
    """Connections that say these words and no more; in the midst of them there is a pause."""
    with ExitStack() as stack:
        for number in range(CROWD):
            stack.enter_context(Raw(port)).write(words)
            if number == CROWD // 2:
                pause()
        yield


@pytest.mark.parametrize(
    "words", [b"", greeting()[:20], greeting() + ready()], ids=["mute", "half", "shaken"]
)
def test_a_crowd_is_cut_but_for_the_latest_and_newcomers_are_seated(siege: Siege, words: bytes) -> None:
    crowd, cut, newcomers = siege.refused("crowd"), siege.count(CUT), []

    def come() -> None:
        newcomers.extend(Caller(siege.hall.tcp, name, tc=HOSTILE) for name in ("new", "comer"))
        before = played(siege)
        siege.hall.until(lambda: played(siege) > before)

    with siege.bounded("crowd"), crowding(siege.port, words, come):
        before = played(siege)
        siege.hall.until(lambda: played(siege) > before)
        full = siege.hall.until_status(lambda now: siege.count(CUT, now) >= cut + CROWD - STRANGERS)
        assert full.strangers <= STRANGERS
        assert siege.count("crowd", full) <= crowd + CROWD + 2
        for bot in newcomers:
            bot.leave()
    siege.hall.until_status(lambda now: now.strangers == 0)


def test_an_arena_in_a_crowd_can_be_drained() -> None:
    with besieged(names=("ada", "bob")) as one, crowding(one.port, b"", lambda: None):
        one.hall.process.send_signal(signal.SIGTERM)
        assert one.hall.process.wait(PATIENCE) == 0
