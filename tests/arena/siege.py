"""An arena under siege: honest bots play on while somebody attacks it, and what that may cost is measured."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from arena.hall import PATIENCE, Caller, Hall
from arena.zmtp import Raw
from donuts_protocol import text
from donuts_protocol.invitation import Invitation
from donuts_protocol.messages import FROM_REFEREE, Game, Hello, Message, Ping, Pong, Ready
from donuts_referee.arena.status import Status
from donuts_referee.channels.guard import LOOK_EVERY

__all__ = [
    "DUEL",
    "HONEST",
    "HOSTILE",
    "PEAK",
    "PEAK_OF_CRUMBS",
    "Puppet",
    "Siege",
    "SteadyHall",
    "besieged",
    "hello",
]

HONEST, HOSTILE, DUEL = "60+0.5", "4+0.5", "4+0"
"""the time controls that are wished for: who wishes for one never meets who wishes for another

Tests wait until the hostile one is used up; it is long enough for an honest bot on a thread of a process that attacks.
A duel is for two hostile bots that are to meet each other and no honest one.
"""

GAMES = f'[games]\ntc = ["{HONEST}", "{HOSTILE}", "{DUEL}"]\nprep = 5\n'

MEMORY = 64 << 20
"""bytes by which an attack may have made the arena grow when it is over"""

PEAK, PEAK_OF_CRUMBS = 192 << 20, 512 << 20
"""bytes by which it may grow meanwhile, at its worst moment; of messages whose parts are but some bytes

An attack that nobody cuts takes more. But libzmq reads on a thread of its own, 1 GiB a second where parts are empty,
and who sends so much is cut by the arena's thread: where that one alone stands still, its core taken by another
machine, there is nothing else to stop it. So the tests send a block at a time, and the next one when the arena has
looked since (see `Siege.pour`). How soon it looks and cuts is in test_guard.py, without a clock.
"""

SECOND = 1_000_000_000

FINE = {"five", "group"}
"""how games end in which nobody is at fault"""

Kind = TypeVar("Kind", bound=Message)


class SteadyHall(Hall):
    """An arena for which a machine that stands still costs no bot its clock or its connection."""

    program = (str(Path(__file__).with_name("steady.py")),)


class Siege:
    """A running arena and the honest bots in it."""

    def __init__(self, hall: Hall, given: dict[str, Invitation], names: tuple[str, ...]) -> None:
        self.hall = hall
        self.port = hall.port
        self.given = {name: one._replace(endpoint=hall.tcp) for name, one in given.items()}
        """the join files of its seats, by name"""
        calls = (self.given.get(name, hall.tcp) for name in names)
        self.honest = tuple(Caller(call, name, tc=HONEST) for call, name in zip(calls, names, strict=True))
        self._proc = Path(f"/proc/{hall.process.pid}")

    def refused(self, reason: str) -> int:
        """Peers that were turned away for this reason."""
        return self.count(reason)

    def count(self, reasons: str, status: Status | None = None) -> int:
        """Peers that were turned away for one of the reasons ("a|b"), now or when the status was asked for."""
        refused = (status or self.hall.status()).refused
        return sum(refused.get(reason, 0) for reason in reasons.split("|"))

    @contextmanager
    def bounded(self, *reasons: str, games: int = 4, peak: int = PEAK) -> Iterator[None]:
        """An attack, for which somebody is refused for each of the reasons ("a|b": for one of the two).

        During it or after it honest games end.

        The arena has taken less than `peak` (bytes) at any moment of it, in the end less than MEMORY, and no honest bot
        has been at fault.
        """
        before, first = self.hall.status(), len(self.hall.games())
        Path(self._proc, "clear_refs").write_text("5")  # measure the peak anew
        yield
        for either in reasons:
            self._until_more(either, self.count(either, before))
        after = len(self.hall.games())
        self.hall.until(lambda: self._between_honest(after) and len(self._between_honest(first)) >= games)
        # what was freed is given back to the system at one of the next inspections
        self.hall.until_status(lambda now: now.resident - before.resident < MEMORY)
        assert self._peak() - before.resident < peak
        self._check(first)

    def look(self) -> None:
        """Wait until the arena has looked at what it holds, after all that was sent before."""
        began = self.hall.status().up
        self.hall.until_status(lambda now: now.up > began + 2 * LOOK_EVERY / SECOND)
        self.hall.status()  # that round was finished before the next one began, which answers this

    def pour(self, peer: Raw, block: bytes, most: int) -> int:
        """Let a peer send the block again and again until it is cut, each time when the arena has looked.

        Returns the bytes, at most about `most`.
        """
        poured = 0
        while poured < most:
            sent = peer.pour(block, len(block))
            poured += sent
            if sent < len(block):
                break
            self.look()
        return poured

    def _until_more(self, reasons: str, count: int) -> None:
        self.hall.until_status(lambda now: self.count(reasons, now) > count)

    def _between_honest(self, first: int) -> list[dict[str, Any]]:
        names = {bot.name for bot in self.honest}
        return [game for game in self.hall.games()[first:] if {game["x"], game["o"]} <= names]

    def _check(self, first: int) -> None:
        names = {bot.name for bot in self.honest}
        for game in self.hall.games()[first:]:
            there = {side for side in "xo" if game[side] in names}
            assert not there & set(game["fault"] or ""), game
            assert len(there) < 2 or (game["why"] in FINE and not game["void"]), game

    def _peak(self) -> int:
        for line in Path(self._proc, "status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
        raise AssertionError("the system tells no peak")


@contextmanager
def besieged(
    config: str = GAMES,
    names: tuple[str, ...] = ("ada", "bob", "eve"),
    kind: type[Hall] = SteadyHall,
    prepare: Callable[[Path], dict[str, Invitation]] = lambda folder: {},
) -> Iterator[Siege]:
    """An arena of its own folder, with honest bots that have begun to play.

    `prepare` may put seats into the folder; it returns their join files by name.
    """
    folder = Path(tempfile.mkdtemp(prefix="donuts-"))
    one = kind(folder, config)
    try:
        given = prepare(folder)
        one.start()
        siege = Siege(one, given, names)
        one.until_games(4)
        yield siege
        for bot in siege.honest:
            bot.leave()
        assert one.end() == 0, one.err
    finally:
        one.close()
        shutil.rmtree(folder)


def hello(name: str = "mallory", **more: Any) -> bytes:
    """The frame of a `hello` that is as it should be, from a bot that wishes to meet no honest one."""
    return text.encode(Hello(donuts="1-1", name=name, tc=more.pop("tc", HOSTILE), **more))


class Puppet(Raw):
    """A raw peer that can also read what the referee says, and answers what it was told to answer."""

    def __init__(self, port: int, *, pongs: bool = True, readies: bool = True) -> None:
        super().__init__(port)
        self.pongs = pongs
        self.readies = readies

    def sit(self, name: str = "mallory", **more: Any) -> "Puppet":
        """Take a seat."""
        self.shake().say(hello(name, **more))
        return self

    def tell(self, message: Message) -> bool:
        """Say a message."""
        return self.say(text.encode(message))

    def until(self, *kinds: type[Kind]) -> Kind:
        """Read, and answer, until a message of one of these kinds comes."""
        ends = time.monotonic() + PATIENCE
        while True:
            heard = self.hear()
            assert time.monotonic() < ends, f"waited in vain for any of {kinds}"
            assert heard is not None, f"the connection has ended before any {kinds}"
            message = text.decode(heard[0], FROM_REFEREE)
            if isinstance(message, Ping) and self.pongs:
                self.tell(Pong(id=message.id))
            elif isinstance(message, Game) and self.readies:
                self.tell(Ready(id=message.id))
            if isinstance(message, kinds):
                return message
