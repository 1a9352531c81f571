"""A match: games between two bots in order, each with its own setting, sides swapped from game to game.

`match` is a generator of the table; run it with `channels.link.drive`. Whatever happens, it ends with both bots told
and ended, and every game that was begun has a verdict. A fault of the referee itself (`referee`) ends it early.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import TypeAlias

from donuts_protocol.events import Dropped, Noise
from donuts_protocol.messages import Leave, Ping, Pong
from donuts_referee.channels.link import Arrival, Back
from donuts_referee.table.clock import MS
from donuts_referee.table.closing import finished, tell
from donuts_referee.table.entrant import Entrant, MatchRules, Setting
from donuts_referee.table.events import Event, GameOver, GameStarted, MatchOver, Score, Warned
from donuts_referee.table.finished import FinishedGame, Verdict
from donuts_referee.table.game import POLICY, Game, Steps
from donuts_referee.table.player import Fault, Player, Tap
from donuts_referee.table.preparing import TRIES, Preparation

PONG_WITHIN = 2000 * MS
"""ns within which a bot that lost on time must answer a ping to be kept (DBP-9.5)."""

Observe: TypeAlias = Callable[[Event], None]


def match(
    first: Entrant,
    second: Entrant,
    settings: Sequence[Setting],
    rules: MatchRules,
    now: Callable[[], int],
    observe: Observe,
    *,
    each_move: bool = False,
    tap: Tap | None = None,
) -> Generator[int | None, Sequence[Arrival], Score]:
    """Play one game per setting; the first-named bot is x in the first, third, ... game.

    `now` is the clock of the exchange (ns). `observe` is called with every event, `MovePlayed` only with `each_move`.
    Returns the score; a KeyboardInterrupt that is thrown in makes the running game void (`abort`) and ends the match.
    """
    return _Match(first, second, settings, rules, now, observe, each_move, tap).run()


class _Match:
    def __init__(
        self,
        first: Entrant,
        second: Entrant,
        settings: Sequence[Setting],
        rules: MatchRules,
        now: Callable[[], int],
        observe: Observe,
        each_move: bool,
        tap: Tap | None,
    ) -> None:
        self._players = Player(first, "1", tap, self._warn, now), Player(second, "2", tap, self._warn, now)
        self._settings = settings
        self._rules = rules
        self._now = now
        self._observe = observe
        self._each_move = each_move
        self._score = Score()

    def run(self) -> Generator[int | None, Sequence[Arrival], Score]:
        """All games, then `bye`."""
        try:
            for number, setting in enumerate(self._settings, 1):
                yield from self._replay_while_void(number, setting)
                if self._score.stopped is not None:
                    break
        except KeyboardInterrupt:
            self._score = replace(self._score, interrupted=True, stopped="interrupted")
        finally:
            self._farewell("abort" if self._score.interrupted else "done")
        self._observe(MatchOver(self._score))
        return self._score

    def _replay_while_void(self, number: int, setting: Setting) -> Steps:
        """One game; where the policy makes faults void it is played again, and at last the loss stands (DBP-9.15)."""
        rules = self._rules
        for attempt in range((rules.replays or 0) + 1):
            if attempt == rules.replays and rules.on_fault == "void":
                rules = replace(rules, on_fault="forfeit")
            verdict = yield from self._one_game(number, setting, rules)
            tired = next((p for p in self._players if rules.ends_untried and p.failures >= TRIES), None)
            if tired is not None and self._score.stopped is None:
                self._score = replace(self._score, stopped=f"{tired.entrant.bot} would not start")
            gone = next((p for p in self._players if not p.alive and not p.entrant.again), None)
            if gone is not None and verdict.void and not self._score.failed:
                self._score = replace(self._score, stopped=f"{gone.entrant.bot} cannot be started again")
            if (
                rules.on_fault != "void"
                or not (verdict.void and verdict.why in POLICY)
                or self._score.stopped
            ):
                return

    def _one_game(
        self, number: int, setting: Setting, rules: MatchRules
    ) -> Generator[int | None, Sequence[Arrival], Verdict]:
        x, o = self._players if number % 2 else self._players[::-1]
        x.new_game(number, "x")
        o.new_game(number, "o")
        more = number < len(self._settings)
        self._observe(GameStarted(number, len(self._settings), x.entrant.bot, o.entrant.bot, setting))
        game = Game(
            number,
            setting,
            rules,
            x,
            o,
            more=more,
            now=self._now,
            observe=self._observe if self._each_move else None,
        )
        try:
            yield from Preparation(game, self._now).run()
            yield from game.play_moves()
        except KeyboardInterrupt:
            game.void("abort", "interrupted by the operator")
            self._score = replace(self._score, interrupted=True, stopped="interrupted")
        except Exception as error:
            game.void("referee", f"the referee failed: {type(error).__name__}")
            self._conclude(game)
            raise
        verdict = self._conclude(game)
        if more and self._score.stopped is None:
            yield from self._settle_between_games(game, verdict)
        return verdict

    def _conclude(self, game: Game) -> Verdict:
        """Tell the bots, end the processes that are not to be used again, and hand the finished game on."""
        assert game.verdict is not None
        verdict = game.verdict
        broken = [player for player in self._players if player.broken]
        lost = any(not player.entrant.again for player in broken)
        stops = self._rules.on_fault == "stop" and verdict.fault is not None and verdict.why in POLICY
        replayed = (
            game.rules.on_fault == "void"
            and game.rules.replays is not None
            and verdict.void
            and verdict.why in POLICY
        )
        fails = verdict.why == "referee"
        game.more = (game.more or replayed) and not (lost or stops or fails or self._score.interrupted)
        tell(game)
        for player in broken:
            player.dismiss(player.parting or verdict.why)
        for player in broken:
            player.bury()
        over = finished(game)
        self._count(over)
        self._observe(GameOver(over))
        return verdict

    def _count(self, game: FinishedGame) -> None:
        verdict = game.verdict
        first = "x" if game.number % 2 else "o"
        score = self._score
        stopped = score.stopped
        if self._rules.on_fault == "stop" and verdict.fault and verdict.why in POLICY:
            stopped = f"{verdict.why} in game {game.number}"
        failed = verdict.why == "referee"
        self._score = replace(
            score,
            games=score.games + 1,
            wins=score.wins + (verdict.winner == first and not verdict.void),
            losses=score.losses + (verdict.winner not in (first, "-") and not verdict.void),
            draws=score.draws + (verdict.winner == "-" and not verdict.void),
            voids=score.voids + verdict.void,
            faults=score.faults + (verdict.fault is not None),
            starts=score.starts + (verdict.why in ("start", "version")),
            stopped=verdict.text if failed else stopped,
            failed=failed,
        )

    # --- between games -------------------------------------------------------------------------------------------

    def _settle_between_games(self, game: Game, verdict: Verdict) -> Steps:
        """A bot that lost on time is kept if it answers a ping; whoever cannot be had again ends the match."""
        if verdict.why == "timeout":
            for side in verdict.fault or "":
                yield from self._keep_if_it_answers(game, game.players[side])
        for player in self._players:
            if not player.alive and not player.entrant.again:
                self._score = replace(self._score, stopped=f"{player.entrant.bot} cannot be started again")

    def _keep_if_it_answers(self, game: Game, player: Player) -> Steps:
        if not player.alive:
            return
        question = player.session.next_id()
        player.send(Ping(id=question))
        due = self._now() + PONG_WITHIN
        answered = False
        while not (answered or player.broken) and self._now() < due:
            for one in (yield from game.listen(due)):
                if type(one.what) is Pong and one.player is player:
                    answered = True
                elif type(one.what) is Back and one.player is player:  # the ping was lost with the connection
                    player.send(Ping(id=player.session.next_id()))
                elif isinstance(one.what, Fault):
                    one.player.postpone(one.what)
                elif isinstance(one.what, Leave):
                    one.player.postpone(None)
        for each in self._players:
            if each.broken or (each is player and not answered):
                each.dismiss("timeout" if each is player else "done")
                each.bury()

    def _farewell(self, why: str) -> None:
        for player in self._players:
            if player.remains:
                player.leave()
        for player in self._players:
            player.dismiss(why)
        for player in self._players:
            player.bury()

    def _warn(self, player: Player, why: str, what: Dropped | Noise) -> None:
        warned = Warned(player.game, player.side, player.entrant.bot, why, what.shown, what.number, what.text)
        self._observe(warned)
