"""`--watch`: a match drawn for people, the board after each move."""

from pathlib import Path

from donuts_engine.position import Position
from donuts_engine.rules import flips, play
from donuts_engine.squares import NAMES
from donuts_referee.cli.lines import score_lines
from donuts_referee.cli.picture import picture
from donuts_referee.cli.stage import Stage, verdict_line
from donuts_referee.table.entrant import Setting
from donuts_referee.table.events import Event, GameOver, GameStarted, MatchOver, MovePlayed, Warned

__all__ = ["Watch"]


class Watch:
    """The onlooker that draws."""

    each_move = True

    def __init__(self, stage: Stage, bots: tuple[str, str], records: tuple[Path, ...], seed: int) -> None:
        self._stage = stage
        self._bots = bots
        self._records = records
        self._seed = seed
        self._sides: dict[str, str] = {}
        self._of = 0

    def see(self, event: Event, record: str) -> None:
        """Draw or tell the event."""
        match event:
            case GameStarted():
                self._of = event.of
                self._sides = {"x": event.x, "o": event.o}
                self._stage.write(self._beginning(event))
            case MovePlayed():
                self._stage.write(self._move(event))
            case Warned():
                self._stage.write(f"{event.bot} ({event.side}): {event.text}\n")
            case GameOver(game):
                self._stage.write(f"\n{verdict_line(game, self._of)}\n\n")
            case MatchOver(score):
                self._stage.write(score_lines(score, self._bots, self._records, self._seed) + "\n")

    def _beginning(self, event: GameStarted) -> str:
        setting = event.setting
        number = "" if setting.number is None else f", board {setting.number}"
        return (
            f"game {event.number} of {event.of}: {event.x} is x, {event.o} is o{number}\n"
            f"layout {setting.board.layout}\n\n{picture(_start(setting), self._stage.stream)}\n"
        )

    def _move(self, event: MovePlayed) -> str:
        names = NAMES[event.before.board.size]
        turned = [names[square] for square in flips(event.before, event.square)]
        told = f", flips {' '.join(turned)}" if turned else ""
        used = f"{event.turn.used / 1e6:.1f} ms"
        return (
            f"\nply {event.before.ply}: {self._sides[event.turn.side]} ({event.turn.side}) "
            f"{names[event.square]}{told}  [{used}]\n{picture(event.after, self._stage.stream)}\n"
        )


def _start(setting: Setting) -> Position:
    position = Position.start(setting.board, setting.rings)
    for square in setting.opening:
        position = play(position, square)
    return position
