"""One game: both bots are made ready, asked in turn, timed and judged, until there is a verdict.

`Game.play` is a generator of the table (see `channels.link`): it yields deadlines and is handed arrivals. Judgement is
in the order id, time, syntax, legality (DBP-8); everything heard in one wake-up is judged together (DBP-9.16).
"""

from collections.abc import Callable, Generator, Sequence
from time import time as unix_time
from typing import TypeAlias

from donuts_engine.outcome import Outcome, fives, outcome
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import NAMES
from donuts_protocol.messages import Cancel, Error, Leave, Move, Resign, Turn
from donuts_referee.channels.link import Arrival, Back
from donuts_referee.table import listening, sentences
from donuts_referee.table.adjudication import ADJUDICATED, ruling
from donuts_referee.table.clock import MS, Allowance, SideClock
from donuts_referee.table.entrant import MatchRules, Setting
from donuts_referee.table.events import Event, MovePlayed
from donuts_referee.table.finished import TakenTurn, Verdict
from donuts_referee.table.player import Fault, Player, Said
from donuts_referee.table.questions import turn_again, turn_question

Steps: TypeAlias = Generator[int | None, Sequence[Arrival], None]
LATE = 2 * MS
"""ns of lateness of the referee from which on a record mentions it (DBP-8)."""

UNREACHABLE = 60_000 * MS
"""ns that a remote bot may be away for in a game without clocks (DBP-11.11)."""

POLICY = frozenset({"start", "version", "crash", "disconnect"})
"""The codes that `MatchRules.on_fault` applies to (DBP-9.15)."""


class Game:
    """The state of one game while it is played; `finished` is its summary once there is a `verdict`."""

    def __init__(
        self,
        number: int,
        setting: Setting,
        rules: MatchRules,
        x: Player,
        o: Player,
        *,
        more: bool,
        now: Callable[[], int],
        observe: Callable[[Event], None] | None,
    ) -> None:
        self.number = number
        self.setting = setting
        self.rules = rules
        self.players = {"x": x, "o": o}
        self.more = more
        self.verdict: Verdict | None = None
        self.position = Position.start(setting.board, setting.rings)
        self.moves: list[int] = []
        self.five: tuple[str, ...] = ()
        """every square of every row of five, once there is one"""
        self.turns: list[TakenTurn] = []
        self._x = x
        self._o = o
        self.now = now
        self._observe = observe
        self._adjudication = rules.adjudication
        self._clocks = {"x": SideClock(rules.control), "o": SideClock(rules.control)}
        self.started = unix_time()
        self.began = now()
        for square in setting.opening:
            self._place(square)

    def _place(self, square: int) -> None:
        self.position = play(self.position, square)
        self.moves.append(square)

    # --- listening -----------------------------------------------------------------------------------------------

    def listen(self, deadline: int | None) -> Generator[int | None, Sequence[Arrival], list[Said]]:
        """Wait once, until `deadline` at the latest, and return what was heard in that wake-up."""
        return listening.listen((self._x, self._o), deadline, self.now, self.position.ply)

    # --- turns ---------------------------------------------------------------------------------------------------

    def play_moves(self) -> Steps:
        """Ask in turn until there is a verdict."""
        while self.verdict is None and not self._over():
            yield from self._turn()

    def _turn(self) -> Steps:
        position = self.position
        side = position.you
        if side == "x":
            mover, oclock = self._x, self._clocks["o"].left
        else:
            mover, oclock = self._o, self._clocks["x"].left
        while mover.more:
            mover.more = False
            if self._off_turn((yield from self.listen(0))):
                return
        clock = self._clocks[side]
        allowed = clock.begin()
        question = mover.session.next_id()
        turn = turn_question(
            question, mover.game_id, position, allowed, oclock, self.rules.control.inc, clock.spent
        )
        start = mover.send(turn)
        budget = allowed.budget
        look = listening.LastLook()
        while True:
            if budget is None:
                deadline = None if mover.lost is None else mover.lost + UNREACHABLE
            else:
                deadline = None if start is None else start + budget
            said = yield from self.listen(deadline)
            if start is None and mover.stuck is None:
                start = mover.sent_at
            answer = None
            faults: list[Said] = []
            for one in said:
                kind = type(one.what)
                if kind is Move or kind is Resign:
                    answer = one
                elif kind is Fault or kind is Leave:
                    faults.append(one)
                elif kind is Back and one.player is mover and mover.session.question == question:
                    start = self._ask_again(mover, turn, start)
            if answer is not None:
                self._answered(answer, question, start, allowed, clock, faults)
                return
            over = look.over(deadline is not None and self.now() >= deadline)
            if faults or over:
                self._unanswered(mover, question, start, allowed, clock, faults, over)
                return

    def _ask_again(self, mover: Player, turn: Turn, start: int | None) -> int:
        """Send the open turn to a bot that is back; returns the start of its time, which the loss does not move."""
        start = self.now() if start is None else start
        mover.send(turn_again(turn, (self.now() - start) // MS))
        return start

    def _answered(
        self,
        answer: Said,
        question: int,
        start: int | None,
        allowed: Allowance,
        clock: SideClock,
        faults: list[Said],
    ) -> None:
        """Judge an answer to the open turn that came in time, then whatever was heard beside it."""
        mover, what, at = answer
        position = self.position
        used, lateness = allowed.owed(0 if start is None else max(0, at - start))
        charge = clock.charge(used)
        move = what if type(what) is Move else None
        turn = TakenTurn(
            ply=position.ply,
            side=position.you,
            id=question,
            sq=None if move is None else move.sq,
            raw=mover.raw,
            limit=allowed.limit,
            margin=allowed.margin,
            used=used,
            spent=charge.spent,
            clock=charge.left,
            lateness=lateness if lateness > LATE else 0,
            rtt=mover.rtt,
            eval=None if move is None else move.eval,
            proof=None if move is None else move.proof,
            nodes=None if move is None else move.nodes,
            depth=None if move is None else move.depth,
            pv=None if move is None else move.pv,
            text=None if move is None else move.text,
        )
        self.turns.append(turn)
        if move is None:
            self._lose(mover, "resign", f"resign at ply {position.ply}: {position.you} gave up")
            self._postpone(faults)
            return
        names = position.legal_names
        if move.sq not in names:
            text = sentences.illegal(position.ply, move.sq, position)
            mover.send(Error(id=question, code="illegal", text=text[:200]))
            self._judge([Said(mover, Fault("illegal", text), at), *faults])
            return
        square = position.legal[names.index(move.sq)]
        self._place(square)
        if self._observe is not None:
            self._observe(MovePlayed(self.number, position, self.position, square, turn))
        if faults:
            if self._over():
                self._postpone(faults)
            else:
                self._judge(faults)

    def _unanswered(
        self,
        mover: Player,
        question: int,
        start: int | None,
        allowed: Allowance,
        clock: SideClock,
        faults: list[Said],
        expired: bool,
    ) -> None:
        """The open turn ends without an answer: a fault, of either side or both, or the flag."""
        now = self.now()
        own = next((one for one in faults if one.player is mover), None)
        used = 0 if start is None else max(0, (now if own is None else own.at) - start)
        charge = clock.charge(used)
        position = self.position
        late = used - allowed.budget if expired and allowed.budget is not None else 0
        if expired and own is None:
            faults = [*faults, Said(mover, self._overdue(mover, question, used, allowed, late), now)]
        raw = own.what.raw if own is not None and type(own.what) is Fault else ""
        self.turns.append(
            TakenTurn(
                ply=position.ply,
                side=position.you,
                id=question,
                sq=None,
                raw=raw,
                limit=allowed.limit,
                margin=allowed.margin,
                used=used,
                spent=charge.spent,
                clock=charge.left,
                lateness=late if late > LATE else 0,
                rtt=mover.rtt,
            )
        )
        self._judge(faults)
        if mover.session.question == question and mover.alive and self.verdict is not None:
            mover.send(Cancel(id=question, why=self.verdict.why))

    def _overdue(self, mover: Player, question: int, used: int, allowed: Allowance, late: int) -> Fault:
        """The flag fell: a bot that cannot even be sent `cancel` is away, any other was too slow (DBP-11.11)."""
        if mover.alive:
            mover.send(Cancel(id=question, why="timeout"))
        ply = self.position.ply
        if mover.lost is None:
            return Fault("timeout", sentences.timeout(ply, used, allowed, late))
        return Fault("disconnect", sentences.disconnect(ply, self.now() - mover.lost, allowed))

    # --- judgement -----------------------------------------------------------------------------------------------

    def _over(self) -> bool:
        """Is the game over here, by its rules or else by adjudication (DBP-9.21)? Then that is the verdict."""
        result = outcome(self.position)
        if result is not None:
            self._decide(result)
            return True
        asked = self._adjudication
        if asked is None:
            return False
        ruled = ruling(asked, self.rules.oracle, self.position, [turn.eval for turn in self.turns])
        if ruled is not None:
            self.verdict = Verdict(winner=ruled.winner, why=ADJUDICATED, text=ruled.text)
        return ruled is not None

    def _decide(self, result: Outcome) -> None:
        names = NAMES[self.setting.board.size]
        if result.why == "five":
            self.five = tuple([names[square] for square in fives(self.position)])
        text = sentences.result(result, self.position, self.five)
        self.verdict = Verdict(winner=result.winner, why=result.why, text=text)

    def _lose(self, player: Player, why: str, text: str, *, fault: bool = False) -> None:
        winner = "o" if player.side == "x" else "x"
        void = fault and self.rules.on_fault == "void" and why in POLICY
        self.verdict = Verdict(
            winner="-" if void else winner,
            why=why,
            text=text,
            fault=player.side if fault else None,
            void=void,
        )

    def _judge(self, faults: list[Said]) -> None:
        """Turn what was heard in one wake-up into the verdict: the loss of one side, or void when both are at fault."""
        first: dict[str, tuple[Player, Fault]] = {}
        for one in faults:
            fault = self._named(one)
            if one.player.side not in first:
                first[one.player.side] = one.player, fault
            one.player.note(fault)
            if type(one.what) is Leave:
                one.player.broken = True
        self.judge_faults(first)

    def judge_faults(self, first: dict[str, tuple[Player, Fault]]) -> None:
        """The verdict on the first fault of each side."""
        for player, fault in first.values():
            if fault.why == "malformed" and player.alive:
                player.send(
                    Error(
                        id=self.turns[-1].id if self.turns else None, code="malformed", text=fault.text[:200]
                    )
                )
        told = {side: self._sentence(player, fault) for side, (player, fault) in first.items()}
        if len(first) == 2:
            leading = self.position.you
            text = f"both at fault: {leading} {told[leading]}; {other(leading)} {told[other(leading)]}"
            self.verdict = Verdict(winner="-", why=first[leading][1].why, text=text, fault="xo", void=True)
            return
        for side, (player, fault) in first.items():
            self._lose(player, fault.why, told[side], fault=fault.why != "resign")

    def _named(self, one: Said) -> Fault:
        if type(one.what) is Leave:
            text = f"resign at ply {self.position.ply}: {one.player.side} said bye"
            return Fault("resign", text)
        assert isinstance(one.what, Fault)
        return one.what

    def _sentence(self, player: Player, fault: Fault) -> str:
        """The sentence of a fault; a crash is told with the status of the process, which is ended for it."""
        if fault.why != "crash" or fault.text:
            text = fault.text
            return text if text.startswith(fault.why) else f"{fault.why} at ply {self.position.ply}: {text}"
        player.bury()
        return sentences.crash(self.position.ply, player.exit, player.stderr())

    def _postpone(self, faults: list[Said]) -> None:
        """Faults that were heard together with the last answer of a game belong to the next one (DBP-9.16)."""
        for one in faults:
            one.player.postpone(self._named(one) if type(one.what) is Fault else None)

    def _off_turn(self, said: list[Said]) -> bool:
        """Judge faults heard while no turn is open; True when that gave a verdict."""
        faults = [one for one in said if type(one.what) is Fault or type(one.what) is Leave]
        if faults:
            self._judge(faults)
        return bool(faults)

    def void(self, why: str, reason: str) -> None:
        """End the game without a result: the operator's wish or the referee's own fault (DBP-9.14)."""
        self.verdict = Verdict(
            winner="-", why=why, text=f"{why} at ply {self.position.ply}: {reason}", void=True
        )
        for player in self.players.values():
            question = player.session.question
            if player.alive and question is not None and player.session.asked == "turn":
                player.send(Cancel(id=question, why=why))


def other(side: str) -> str:
    """The other side."""
    return "o" if side == "x" else "x"
