"""Bots that dial in, as programs, and what tests do with them again and again."""

from client.scripted_arena import Caller, ScriptedArena
from donuts_engine.position import Position
from donuts_protocol.messages import Bye

FIRST = "a" * 32
"""the token of the first session"""


def bot(body: str = "", run: str = "connect=sys.argv[1]") -> str:
    """A program with a bot that has `body` beside a `move` that takes the first legal square."""
    body = body or "pass"
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return (
        "import json, os, signal, sys, time\nfrom donuts_client import *\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Mine(Bot):\n    name = 'mine'\n    version = '0.1'\n"
        f"    def move(self, position): return position.legal[0]\n{lines}\nrun(Mine, {run})\n"
    )


UNTIL_GO = bot(
    "def move(self, position):\n"
    "    self.report(text='searching')\n"
    "    while position.ply == 0 and not os.path.exists('go') and not self.cancelled:\n"
    "        time.sleep(0.002)\n"
    "    print('moved', position.ply, self.cancelled, flush=True)\n"
    "    return position.legal[-1]"
)
"""Thinks of its first move until the file `go` appears, looking whether it is cancelled."""

PLODDING = UNTIL_GO.replace(" and not self.cancelled", "")
"""The same, and never looks."""


def playing(arena: ScriptedArena) -> None:
    """Greet the bot and begin a game."""
    arena.greet(FIRST)
    arena.begin()


def sent_again(arena: ScriptedArena, position: Position, turn: int) -> None:
    """Send this turn again, under its id."""
    asked = arena.turn(position, resend=1)
    fields = {name: getattr(asked, name) for name in asked.__struct_fields__} | {"id": turn}
    arena.say(type(asked)(**fields))


def in_peace(caller: Caller, arena: ScriptedArena) -> tuple[str, str]:
    """Say bye; the bot must leave with 0. Returns its stdout and its stderr."""
    arena.say(Bye(why="done"))
    status, out, err = caller.rest()
    assert status == 0, err
    return out, err
