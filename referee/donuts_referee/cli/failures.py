"""Tells an operator on stderr why a bot would not start, once per bot, with what it said on its own stderr."""

import re

from donuts_referee.cli.stage import Stage
from donuts_referee.table.finished import FinishedGame, Side

__all__ = ["Failures"]

LINES = 12
"""Lines of a bot's stderr that are shown; the record holds more."""

WHY = ("start", "version")


class Failures:
    """Looks at finished games for bots that did not start."""

    def __init__(self, notes: Stage) -> None:
        self._notes = notes
        self._told: set[str] = set()

    def look(self, game: FinishedGame) -> None:
        """Tell of the bots at fault for a `start` or `version`, unless that was done before."""
        verdict = game.verdict
        if verdict.why not in WHY:
            return
        for side in (game.x, game.o):
            letter = "x" if side is game.x else "o"
            if letter in (verdict.fault or "") and side.bot not in self._told:
                self._told.add(side.bot)
                self._notes.write(self._words(side, verdict.text))

    def _words(self, side: Side, text: str) -> str:
        reason = re.sub(r"\Astart( at ply [0-9]+)?: ", "", text)
        lines = [f"donuts: {side.bot} would not start: {reason}"]
        said = [line for line in _split(side.stderr) if line.strip()]
        if len(said) > LINES:
            lines.append(f"donuts: its stderr ends (the record holds {len(said)} lines):")
        elif said:
            lines.append("donuts: its stderr:")
        lines.extend(f"    {line}" for line in said[-LINES:])
        return "\n".join(lines) + "\n"


def _split(shown: str) -> list[str]:
    """The lines of a text that `escape.shown` made one; a doubled backslash is no escape."""
    parts = re.split(r"(\\\\|(?:\\x0d)?\\x0a)", shown)
    return "".join("\n" if part.endswith(r"\x0a") else part for part in parts).split("\n")
