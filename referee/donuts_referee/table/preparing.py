"""From two bots, started or not, to two bots that are ready: `hello`, `welcome`, `game`, `ready` (DBP-10, DBP-9.11).

No clock of the game runs here. Each bot has its own budgets, and both are waited for until each is ready or has
failed: only so can it be told whether one of them or both are at fault. A bot that says `bye` before it is ready has
left between games, which is no fault; it is started again once. When the system has not what a start takes, the game is
void by the referee's own fault (DBP-9.14).
"""

from collections.abc import Callable

from donuts_protocol.messages import Game as GameQuestion
from donuts_protocol.messages import Hello, Leave, Ready
from donuts_referee.channels.link import Back, Shortage
from donuts_referee.table import sentences
from donuts_referee.table.clock import MS
from donuts_referee.table.game import Game, Steps, other
from donuts_referee.table.listening import LastLook
from donuts_referee.table.player import Fault, Player, Said
from donuts_referee.table.questions import game_question

TRIES = 2
"""How often in a row a bot may fail to start before it is not tried again (DBP-9.11)."""


class Preparation:
    """Makes the two bots of one game ready, or gives the game its verdict."""

    def __init__(self, game: Game, now: Callable[[], int]) -> None:
        self._game = game
        self._control = game.rules.control
        self._now = now
        self._faults: dict[str, tuple[Player, Fault]] = {}
        self._left: set[str] = set()
        self._anew: set[str] = set()
        """sides that were started again in this wake-up: what else was heard in it is of the process before"""
        self._sent: dict[str, GameQuestion] = {}
        """side -> the `game` it was sent"""
        self._due: dict[str, int] = {}
        """side -> ns by which its hello or ready is due; sides that are ready or at fault are not in it"""

    def run(self) -> Steps:
        """Prepare both; on return the game has a verdict, or both bots answered `game` with `ready`."""
        players = self._game.players.values()
        for player in players:
            self._charge_old_faults(player)
        if not self._faults:
            for player in players:
                if player.alive:
                    self._send_game(player)
                elif self._game.verdict is None:
                    self._start(player)
            yield from self._settle()
        for player in players:
            if player.ready:
                player.failures = 0
        for player, fault in self._faults.values():
            if fault.why in ("start", "version") and player.failures < TRIES:
                player.failures += 1
                player.failed = fault
        if self._faults and self._game.verdict is None:
            self._game.judge_faults(self._faults)

    def _settle(self) -> Steps:
        """Wait until both are ready or at fault; time is up only when a last look found nothing to read (DBP-8)."""
        look = LastLook()
        while self._due and self._game.verdict is None:
            self._anew.clear()
            for one in (yield from self._game.listen(min(self._due.values()))):
                if one.player.side not in self._anew:
                    self._heard(one)
            now = self._now()
            overdue = [side for side, due in self._due.items() if now >= due]
            if look.over(bool(overdue)):
                for side in overdue:
                    player = self._game.players[side]
                    self._fail(player, self._too_late(player))

    # --- one bot -------------------------------------------------------------------------------------------------

    def _charge_old_faults(self, player: Player) -> None:
        if player.pending is not None:
            fault, player.pending = player.pending, None
            self._fail(player, fault)
        elif player.failures >= TRIES and player.failed is not None:
            last = player.failed.text.removeprefix("start: ")
            text = f"start: not tried again after {TRIES} failures, the last: {last}"
            self._fail(player, Fault("start", text))

    def _start(self, player: Player) -> None:
        try:
            fault = player.start()
        except Shortage as lack:
            self._game.void("referee", str(lack))
            return
        if fault is not None:
            self._fail(player, fault)
        elif player.hello is not None:
            self._send_game(player)
        else:
            self._due[player.side] = self._now() + self._control.hello * MS

    def _send_game(self, player: Player) -> None:
        game, control = self._game, self._control
        player.game_id = player.session.next_id()
        player.playing = True
        player.announced = player.game
        opponent = game.players[other(player.side)].entrant.bot
        opp = opponent[:40] if game.rules.reveal else None
        position, seed = game.position, game.setting.seed
        question = game_question(player.game_id, player.side, position, control, opp, seed)
        self._sent[player.side] = question
        player.send(question)
        self._due[player.side] = self._now() + control.prep * MS

    def _heard(self, one: Said) -> None:
        player, what, _ = one
        if player.side in self._faults:
            return
        match what:
            case Hello():
                self._send_game(player)
            case Ready():
                self._due.pop(player.side, None)
            case Back() if player.side in self._sent and player.session.question == player.game_id:
                player.send(self._sent[player.side])
            case Leave() if (
                player.ready
            ):  # it is in the game, which begins when the other one is ready too (DBP-9.2)
                player.broken = True
                self._fail(
                    player,
                    Fault("resign", f"resign at ply {self._game.position.ply}: {player.side} said bye"),
                )
            case Leave():
                self._gone_between_games(player)
            case Fault(why="crash") if player.hello is None:
                player.bury()
                text = sentences.no_hello(self._control.hello, player.exit, player.stderr(), player.heard)
                self._fail(player, Fault("start", text))
            case Fault():
                self._fail(player, what)

    def _gone_between_games(self, player: Player) -> None:
        player.dismiss("done")
        player.bury()
        if player.entrant.guest is not None:
            # a remote bot may go between games, and nobody is at fault (DBP-9.2)
            self._due.clear()
            self._game.void("abort", f"{player.side} left before the game began")
        elif player.side in self._left or not player.entrant.again:
            self._fail(player, Fault("start", "start: said bye instead of getting ready"))
        else:
            self._left.add(player.side)
            self._anew.add(player.side)
            self._start(player)

    def _fail(self, player: Player, fault: Fault) -> None:
        self._faults[player.side] = player, fault
        self._due.pop(player.side, None)
        player.note(fault)

    def _too_late(self, player: Player) -> Fault:
        if player.hello is None:
            text = sentences.no_hello(self._control.hello, None, player.stderr(), player.heard)
        elif player.lost is not None:
            return Fault("disconnect", sentences.not_ready_away(self._control.prep))
        else:
            text = sentences.no_ready(self._control.prep, player.stderr())
        return Fault("start", text)
