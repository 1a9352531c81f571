"""Checks of the form of all that the bot has written by now: valid messages, and nothing else on stdout."""

from donuts_referee.check.asking import alike
from donuts_referee.check.hearing import Heard
from donuts_referee.check.rounds import dice, short_game
from donuts_referee.check.stand import Stand
from donuts_referee.check.verdicts import Check, Failed, Finding


def _play(stand: Stand) -> None:
    """Let there be something to look at."""
    asking = stand.shared()
    short_game(asking, dice("form"), 6)
    asking.ping()


def _found(faults: list[tuple[str, Heard]], right: str) -> Failed:
    """The finding for the first of some lines, of one that no check of `hello` has told of where there is one."""
    told, heard = next((one for one in faults if one[1].verb != "hello"), faults[0])
    came = f"{heard.words}  ({heard.fault})" if heard.fault else heard.words
    if len(faults) > 1:
        came += f", and {len(faults) - 1} more such lines"
    return Failed(Finding(sent=told, came=came, right=right), alike(heard))


def lines(stand: Stand) -> str:
    """Every line that begins with a verb is a whole and valid message."""
    _play(stand)
    faults = [one for one in stand.gallery.faulty if one[1].verb and one[1].verb != "info"]
    if faults:
        raise _found(
            faults,
            "VERB ID ... KEY=VALUE: lower case, one space between words, none at an end, ASCII, strings escaped",
        )
    return f"{stand.gallery.lines} lines"


def clean(stand: Stand) -> str:
    """There is no line that is none of the protocol."""
    _play(stand)
    faults = [one for one in stand.gallery.faulty if not one[1].verb]
    if faults:
        raise _found(faults, "messages alone on stdout; print everything else to stderr")
    return f"{stand.gallery.lines} lines"


def hello_once(stand: Stand) -> str:
    """`hello` is said once a connection."""
    _play(stand)
    if stand.gallery.hellos:
        raise _found(stand.gallery.hellos, "one `hello` in a connection, at its start")
    return ""


CHECKS = (
    Check("hello-once", "says hello once", ("DBP-6.3", "DBP-9.9"), hello_once),
    Check(
        "line-form",
        "every line is well-formed",
        ("DBP-3.1", "DBP-3.3", "DBP-3.5", "DBP-6.1", "DBP-6.2"),
        lines,
        encoding="text",
    ),
    Check("clean-stdout", "stdout holds messages alone", ("DBP-5.6", "DBP-10.2"), clean),
)
