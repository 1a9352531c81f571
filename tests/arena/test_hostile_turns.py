"""Bots that misbehave within a game, against an honest one or against each other: only they are charged."""

from collections.abc import Iterator

import pytest

from arena.hall import Caller
from arena.siege import DUEL, HOSTILE, Puppet, Siege, besieged, hello
from arena.zmtp import MORE, frame
from donuts_protocol.messages import End, Game, Move, Ping, Resign, Turn, Welcome


@pytest.fixture(scope="module")
def siege() -> Iterator[Siege]:
    with besieged() as one:
        yield one


@pytest.fixture(scope="module")
def victim(siege: Siege) -> Iterator[Caller]:
    """An honest bot that meets whoever is hostile; it stays, so that no game ends by its leaving."""
    bot = Caller(siege.hall.tcp, "victim", tc=HOSTILE)
    siege.honest = (*siege.honest, bot)
    yield bot
    bot.leave()
    siege.honest = siege.honest[:-1]


def verdict(siege: Siege, name: str, count: int = 1) -> dict[str, object]:
    """The verdict of the last of so many games of this bot."""
    siege.hall.until(lambda: len([g for g in siege.hall.games() if name in (g["x"], g["o"])]) >= count)
    found: dict[str, object] = [g for g in siege.hall.games() if name in (g["x"], g["o"])][count - 1]
    return found


def test_both_bots_die_in_the_same_turn(siege: Siege) -> None:
    left, right = Puppet(siege.port), Puppet(siege.port)
    with siege.bounded(), left.sit("left", tc=DUEL) as one, right.sit("right", tc=DUEL) as other:
        for peer in (one, other):
            peer.until(Ping)
        first = one.until(Game)
        other.until(Game)
        mover = one if first.you == "x" else other
        mover.until(Turn)
        one.close()
        other.close()
        end = verdict(siege, "left")
        siege.hall.until_status(
            lambda now: all(guest.away is not None for guest in now.guests if guest.seat in ("left", "right"))
        )
    assert end["why"] == "disconnect" and end["fault"] == "x"


def test_both_bots_resign_and_leave_in_the_same_turn(siege: Siege) -> None:
    this, that = Puppet(siege.port), Puppet(siege.port)
    with siege.bounded(), this.sit("this", tc=DUEL) as one, that.sit("that", tc=DUEL) as other:
        for peer in (one, other):
            peer.until(Ping)
        first = one.until(Game)
        other.until(Game)
        mover = one if first.you == "x" else other
        turn = mover.until(Turn)
        mover.tell(Resign(id=turn.id))
        for peer in (one, other):
            peer.say(b"bye")
            peer.close()
        end = verdict(siege, "this")
    assert end["why"] == "resign" and end["fault"] is None


@pytest.mark.usefixtures("victim")
def test_old_ids_are_dropped_and_the_game_goes_on(siege: Siege) -> None:
    with siege.bounded(), Puppet(siege.port).sit("replay") as peer:
        old: list[Move] = []
        while isinstance(turn := peer.until(Turn, End), Turn):
            for move in old[-3:]:
                peer.tell(move)
            old.append(Move(id=turn.id, sq=turn.legal[0]))
            peer.tell(old[-1])
        end = verdict(siege, "replay")
    # rings that are flipped make five after very few moves; from the second on, old ones were said again
    assert end["fault"] is None and end["why"] in ("five", "group") and len(old) > 1
    assert siege.hall.of("warning", seat="replay", why="late")


@pytest.mark.usefixtures("victim")
def test_an_id_that_was_never_given_loses_the_game(siege: Siege) -> None:
    with siege.bounded(), Puppet(siege.port).sit("inventor") as peer:
        turn = peer.until(Turn)
        peer.tell(Move(id=turn.id + 1000, sq=turn.legal[0]))
        end = verdict(siege, "inventor")
    assert end["why"] == "protocol" and end[str(end["fault"])] == "inventor"


@pytest.mark.usefixtures("victim")
def test_a_second_hello_within_a_game_loses_it(siege: Siege) -> None:
    with siege.bounded(), Puppet(siege.port).sit("again") as peer:
        peer.until(Turn)
        peer.say(hello("again"))
        end = verdict(siege, "again")
    assert end["why"] == "protocol" and end[str(end["fault"])] == "again"


@pytest.mark.usefixtures("victim")
@pytest.mark.parametrize(
    ("name", "parts", "why"),
    [
        ("bomb", (b"\x81\xa1t" * 1300,), "protocol"),
        ("flood", (b"x" * 4097,), "flood"),
        ("large", (b"x" * 65_536,), "flood"),
        ("torn", (b"",) * 70, "disconnect"),
    ],
)
def test_a_frame_that_no_bot_sends_loses_the_game(
    siege: Siege, name: str, parts: tuple[bytes, ...], why: str
) -> None:
    with siege.bounded(), Puppet(siege.port).sit(name) as peer:
        peer.until(Turn)
        for _ in range(11):
            peer.say(*parts)
        end = verdict(siege, name)
    assert end["why"] == why and end[str(end["fault"])] == name


@pytest.mark.usefixtures("victim")
def test_split_messages_without_end_lose_the_game(siege: Siege) -> None:
    with siege.bounded("frames|unfinished|protocol"), Puppet(siege.port).sit("split") as peer:
        peer.until(Turn)
        siege.pour(peer, (frame(b"move 1 a1", MORE) + frame(b"")) * 1000, 1 << 28)
        end = verdict(siege, "split")
    assert end["why"] in ("protocol", "flood", "disconnect") and end[str(end["fault"])] == "split"


@pytest.mark.usefixtures("victim")
def test_a_session_that_is_taken_over_within_a_game_goes_on_there(siege: Siege) -> None:
    with siege.bounded(), Puppet(siege.port).shake() as old, Puppet(siege.port).shake() as new:
        old.say(hello("mover"))
        token = old.until(Welcome).session
        turn = old.until(Turn)
        new.say(hello("mover", session=token))
        assert new.until(Welcome).session == token
        again = new.until(Turn)
        assert again.id == turn.id and again.resend
        old.tell(Resign(id=turn.id))  # nobody's word any more
        while isinstance(turn := again, Turn):
            new.tell(Move(id=turn.id, sq=turn.legal[0]))
            again = new.until(Turn, End)  # type: ignore[assignment]
        end = verdict(siege, "mover")
    assert end["why"] in ("five", "group")
