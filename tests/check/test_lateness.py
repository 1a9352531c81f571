"""Who was late, the bot or the checker: on a virtual clock, and on a checker that is woken too late."""

from collections.abc import Sequence

import pytest

from check.scene import verdicts
from donuts_protocol.framing import Transport
from donuts_referee.channels.link import Arrival
from donuts_referee.channels.program import Program
from donuts_referee.check.stand import Settings, Stand
from donuts_referee.check.talk import Gallery, Switchboard, Talk
from donuts_referee.check.verdicts import Verdict
from table.scripted import GONE, ScriptedBot, VirtualExchange

USUAL = Settings()
HELLO = b"hello donuts=1-1 name=bot\n"


class Sips(VirtualExchange):
    """Hands over one arrival at a time, as a read does that takes only so much."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[Arrival] = []

    def wait(self, deadline: int | None) -> Sequence[Arrival]:
        if not self.kept:
            self.kept += super().wait(deadline)
        arrivals, self.kept = self.kept[:1], self.kept[1:]
        return arrivals


class Sleepy(ScriptedBot):
    """A bot whose checker is woken `lag` ms too late in the wait after each message of that verb."""

    def __init__(self, verb: str = "turn", lag: float = 0, *, think: float = 1) -> None:
        super().__init__(think=think)
        self.verb = verb
        self.lag = lag

    def react(self, link, line: str) -> None:
        super().react(link, line)
        if line.split()[0] == self.verb:
            link.exchange.lag = self.lag


class Source:
    """Processes of a scripted bot."""

    transport: Transport = "stdio"
    program: Program | None = None

    def __init__(self, bot: ScriptedBot, board: Switchboard, gallery: Gallery) -> None:
        self.bot = bot
        self.board = board
        self.gallery = gallery

    def open(self, program: Program | None) -> Talk:
        return Talk(self.board, self.bot.open(), "stdio", self.gallery)

    def leave(self, talk: Talk, *, for_good: bool = False) -> None:
        talk.end()

    def close(self) -> None:
        pass


def check(
    id: str, bot: ScriptedBot, exchange: VirtualExchange | None = None, settings: Settings = USUAL
) -> Verdict:
    exchange = exchange or VirtualExchange()
    bot.entrant(exchange)
    gallery = Gallery()
    board = Switchboard(exchange)
    made = Stand(board, Source(bot, board, gallery), gallery, settings)
    found = verdicts(made, [id])[id]
    made.close()
    return found


def came(found: Verdict) -> str:
    assert found.finding is not None
    return found.finding.came


@pytest.mark.parametrize(("id", "budget"), [("time-200", 250), ("time-50", 100), ("low-clock", 110)])
def test_an_answer_that_could_be_read_when_a_late_checker_woke_up_is_in_time(id: str, budget: int) -> None:
    found = check(id, Sleepy(lag=400, think=40))
    assert found.outcome == "ok", found
    assert found.note.startswith(f"{budget}.0 ms at most")


@pytest.mark.parametrize("lag", [0, 3])
@pytest.mark.parametrize(
    ("id", "think", "limit"), [("time-200", 260, 200), ("time-50", 110, 50), ("low-clock", 54, 0)]
)
def test_an_answer_that_could_not_be_read_then_is_late(id: str, think: int, limit: int, lag: int) -> None:
    found = check(id, Sleepy(lag=lag, think=think))
    assert f"after {think} ms, and late as well when it was asked before" in came(found)
    assert found.finding is not None and f"limit={limit};" in found.finding.right


def test_a_bot_that_was_late_once_is_asked_again() -> None:
    assert check("time-50", Sleepy().on("turn", 1, (101, b"move {id} {legal}\n"))).outcome == "ok"


def test_a_last_look_is_taken_where_the_late_wait_brought_half_an_answer() -> None:
    bot = Sleepy(lag=400).on("turn", 0, (40, b"move {id} "), (49, b"{legal}\n"))
    assert check("low-clock", bot, Sips()).outcome == "ok"


def test_there_is_one_last_look_whatever_the_bot_says() -> None:
    bot = Sleepy(lag=400).on("turn", 0, *((40, b"# thinking\n"),) * 2, (49, b"move {id} {legal}\n"))
    assert "late as well" in came(check("low-clock", bot, Sips()))


def test_one_position_is_asked_however_late_it_has_become() -> None:
    """A machine that stands still before the first one says nothing of the bot."""
    found = check("legal", ScriptedBot(), settings=Settings(at_most=0))
    assert (found.outcome, found.note) == ("ok", "1 positions in 1 games: the bot is too slow for 1000")


def test_an_answer_is_waited_for_through_a_large_margin() -> None:
    settings = Settings(margin=60_000, patience=100)
    bot = ScriptedBot().on("turn", 0, (59_000, b"move {id} {legal}\n"))
    assert check("time-50", bot, settings=settings).outcome == "ok"


def test_a_process_whose_end_could_be_seen_when_a_late_checker_woke_up_has_ended_in_time() -> None:
    bot = Sleepy("bye", 400).on("bye", 1, (900, b"# good bye\n"), (950, GONE))
    assert check("bye", bot, Sips()).outcome == "ok"
    late = ScriptedBot().on("bye", 1, (1001, GONE))
    assert came(check("bye", late)) == "it lived on for 1000 ms"


def test_a_hello_that_comes_when_stdin_ends_may_take_as_long_as_a_start() -> None:
    bot = ScriptedBot().on("start", 1).on("start", 2, (4000, HELLO))
    assert "stdout is not flushed" in came(check("hello-time", bot))


def test_a_bot_that_is_only_slow_to_start_is_not_told_to_flush() -> None:
    found = check("hello-time", ScriptedBot(think=5000))
    assert (found.outcome, found.note) == ("ok", "after 5000 ms")


def test_a_hello_that_comes_too_late_is_none_while_a_second_process_is_waited_for_too() -> None:
    bot = ScriptedBot().on("start", 1, (9000, HELLO)).on("start", 2)
    found = check("hello-time", bot, settings=Settings(hello=8000))
    assert came(found) == "nothing within 8000 ms"
