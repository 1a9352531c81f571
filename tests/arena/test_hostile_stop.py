"""A bot whose process stands still within a game: it loses that game, is given up, and comes back when it goes on."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from arena.hall import PATIENCE, Caller, Hall
from arena.siege import GAMES, HOSTILE, Siege, besieged
from donuts_protocol.messages import Turn


class StrictHall(Hall):
    """An arena that gives up a connection over which no heartbeat is answered."""

    program = (str(Path(__file__).with_name("strict.py")),)


class Stopper(Caller):
    """Stops the process of its opponent, once it is told which that is, and then moves."""

    stops: int | None = None

    def think(self, turn: Turn) -> str:
        """The first legal square."""
        if self.stops is not None:
            os.kill(self.stops, signal.SIGSTOP)
            self.stops = None
        return turn.legal[0]


def test_a_bot_that_is_stopped_loses_its_game_and_comes_back() -> None:
    with besieged(GAMES.replace("prep = 5", "prep = 30"), kind=StrictHall) as siege:
        victim = Stopper(siege.hall.tcp, "victim", tc=HOSTILE)
        siege.honest = (*siege.honest, victim)
        words = ["-m", "donuts_client.bots.greedy", "--connect", siege.hall.tcp, "--tc", HOSTILE]
        bot = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            siege.hall.until(lambda: len(games_of(siege, "victim")) >= 2)
            with siege.bounded("dropped"):
                dropped = siege.refused("dropped")
                victim.stops = bot.pid
                siege.hall.until(lambda: late(games_of(siege, "victim")))
                siege.hall.until_status(lambda now: now.refused.get("dropped", 0) > dropped)
                before = len(games_of(siege, "victim"))
                os.kill(bot.pid, signal.SIGCONT)
                siege.hall.until(lambda: len(games_of(siege, "victim")) >= before + 2)
        finally:
            os.kill(bot.pid, signal.SIGCONT)
            bot.terminate()
            bot.wait(PATIENCE)


def games_of(siege: Siege, name: str) -> list[dict[str, Any]]:
    """The games of one bot that have ended."""
    return [game for game in siege.hall.games() if name in (game["x"], game["o"])]


def late(games: list[dict[str, Any]]) -> bool:
    """Whether the other bot was late or away in one of these games, or in the one that was to begin."""
    whys = ("timeout", "disconnect", "start")  # the last where the move before was the end of a game
    return any(game["why"] in whys and game[game["fault"]] != "victim" for game in games)
