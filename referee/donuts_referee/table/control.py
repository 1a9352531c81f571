"""The time control of a game, as an operator writes it and as the protocol states it (DBP-8)."""

import math
from dataclasses import dataclass

from donuts_protocol.keys import NO_LIMIT

MAX_SECONDS = 1_000_000
"""The longest main time, increment or time per move that can be asked for."""

FORMS = "60+0.1 (seconds for the game + seconds per move), 60 or inf"


class ControlError(ValueError):
    """A time control that cannot be used; the text names the fault and what would be right."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a bot may think; all times in whole ms, `movemax` None: no limit per move."""

    main: int = 60_000
    inc: int = 100
    movemax: int | None = None
    margin: int = 50
    prep: int = 10_000
    hello: int = 30_000

    @property
    def unlimited(self) -> bool:
        """True when no clock runs at all."""
        return self.main == NO_LIMIT

    @property
    def per_move(self) -> bool:
        """True when every move has the same time of its own and nothing is saved up."""
        return self.main == 0 and self.movemax is not None and self.movemax == self.inc

    @classmethod
    def parse(cls, text: str, *, margin: int = 50, prep: int = 10_000, hello: int = 30_000) -> "TimeControl":
        """Read `60+0.1`, `60` or `inf`; seconds, with at most three decimals. Raises ControlError."""
        if text == "inf":
            return cls(NO_LIMIT, 0, None, margin, prep, hello)
        main, plus, inc = text.partition("+")
        if plus and not inc:
            raise ControlError(f"time control {text!r} is not understood; write {FORMS}")
        main_ms = milliseconds(main, "time control", text)
        inc_ms = milliseconds(inc, "time control", text) if plus else 0
        if main_ms + inc_ms == 0:
            raise ControlError(f"time control {text!r} leaves no time for a move; write {FORMS}")
        return cls(main_ms, inc_ms, None, margin, prep, hello)

    @classmethod
    def each(cls, text: str, *, margin: int = 50, prep: int = 10_000, hello: int = 30_000) -> "TimeControl":
        """Read a time per move in seconds, e.g. `0.1`. Raises ControlError."""
        ms = milliseconds(text, "time per move", text)
        if ms == 0:
            raise ControlError(f"time per move {text!r} is no time; write seconds such as 0.1, 1 ms at least")
        return cls(0, ms, ms, margin, prep, hello)

    def __str__(self) -> str:
        if self.unlimited:
            return "inf"
        if self.per_move:
            return f"{self.inc / 1000:g}/move"
        return f"{self.main / 1000:g}+{self.inc / 1000:g}"


def milliseconds(number: str, what: str, whole: str) -> int:
    """Whole milliseconds of a decimal number of seconds; raises ControlError that quotes `whole`."""
    plain = number.replace(".", "", 1)
    if not (plain.isascii() and plain.isdigit()):
        right = FORMS if what == "time control" else "seconds such as 0.1"
        raise ControlError(f"{what} {whole!r} is not understood; write {right}")
    seconds = float(number)
    if not math.isfinite(seconds) or seconds > MAX_SECONDS:
        raise ControlError(f"{what} {whole!r} is too long; {MAX_SECONDS} seconds at most")
    ms = round(seconds * 1000)
    if abs(seconds * 1000 - ms) > 1e-6:
        raise ControlError(f"{what} {whole!r} is finer than a millisecond; the clocks count whole ones")
    return ms
