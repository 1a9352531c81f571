"""What a conversation that has broken off says of its end."""

from donuts_referee.channels.link import Exit, Gone, Stderr
from donuts_referee.check.talk import Gallery, Switchboard, Talk


class Dying:
    """A link whose bot has closed its stdout, and says why on stderr before it ends."""

    lost = None

    def __init__(self) -> None:
        self.reaped = False

    def reap(self) -> Exit:
        self.reaped = True
        return Exit(1, None)

    def stderr(self) -> Stderr:
        text = b"KeyError: 17\n" if self.reaped else b""
        return Stderr(text, b"", len(text))


class Clock:
    """An exchange on which nothing comes."""

    def now(self) -> int:
        return 0


def test_the_cause_of_a_failure_has_the_words_that_a_bot_said_until_its_end() -> None:
    link = Dying()
    talk = Talk(Switchboard(Clock()), link, "stdio", Gallery())
    talk.take(Gone(link, 0))
    cause = talk.failed("it goes on", came="nothing was read").cause
    assert "KeyError: #" in cause
    assert talk.failed("it goes on").cause == cause
