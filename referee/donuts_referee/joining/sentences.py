"""What people are told of a bot that holds a seat: one short line for each thing that happens."""

from donuts_protocol.escape import shown
from donuts_protocol.messages import Bye, End, Error, Game
from donuts_referee.channels.link import Exit
from donuts_referee.table.sentences import ending

__all__ = ["away", "died", "farewell", "result"]

_RESULTS = {"win": "won", "loss": "lost", "draw": "drawn", "void": "void"}

_FAREWELLS = {
    "seat": "the arena knows no such seat, or it was revoked; ask its operator for a new join file",
    "replaced": "another connection holds this seat now; does the bot run twice? keep one of them",
    "kicked": "the operator of the arena sent the bot away; ask them before you join again",
    "benched": "the arena benched the bot: too many games in a row were lost by its own faults; "
    "mend it, then join again",
}


def result(number: int, end: End, game: Game | None) -> str:
    """How a game went for the bot: `game 3 against greedy: won; five at ply 17: ...`."""
    against = f" against {shown(game.opp)}" if game is not None and game.opp else ""
    return f"game {number}{against}: {_RESULTS[end.result]}; {shown(end.text or end.why)}"


def died(exit: Exit) -> str:
    """How the bot's process ended: `the bot ended with exit status 3`."""
    words = ending(exit)
    if exit.sent is not None or exit.closed:
        return f"the bot {words}"
    if exit.signal is not None:
        return f"the bot was {words}"
    return f"the bot ended with {words}" if exit.status is not None else "the bot closed its stdout"


def away(bye: Bye, seconds: int) -> str:
    """The arena sent the bot away for a while."""
    return f"the arena said bye ({bye.why}); dialling in again in {seconds} s"


def farewell(bye: Bye, error: Error | None) -> str:
    """The arena sent the bot away for good: what happened and what to do."""
    if bye.why == "version":
        versions = f"{bye.min or '?'}-{bye.max or '?'}"
        return f"the arena speaks DBP {versions}, which the bot does not; build the bot for it"
    text = _FAREWELLS.get(bye.why or "", f"the arena said bye ({bye.why or 'without a reason'}) for good")
    if error is not None and error.code == bye.why and error.text:
        text += f" (it said: {shown(error.text)})"
    return text
