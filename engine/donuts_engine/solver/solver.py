"""Perfect play on a 6 x 6 board: the exact value of positions and moves, how far the end is, and the best line."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from threading import Lock
from typing import Literal

from ..board import Board
from ..position import DEFAULT_RINGS, MAX_RINGS, Position
from ..rules import play, refusal
from ..solved import Value
from .arising import refusal as unreachable
from .expand import LEGAL, MINE, NODES, PLY, THEIRS, UNFINISHED, WANT, counters_at, make_desk
from .grid import lay, make_grid, twins
from .jit import WORD, Ints
from .proof import prove
from .table import BUCKET_BYTES, copy, make_table
from .turn import wins_at_once
from .verdict import VALUES, Choice, SolverFault, Verdict

Limit = Callable[[int], bool]
"""Asked about a hundred times a second with the nodes searched since the call began; True ends the search.

Time is passed in here: a limit may look at a clock. With several threads it is asked by any of them, one at a time.
"""

DEFAULT_MEMORY = 256 << 20
LEAST_MEMORY = 1 << 20
"""Bytes the table of positions may take, and the least that make sense."""

_FIRST_MEMORY = 2 << 20  # what fits near the processor: five times as many nodes a second as in 256 MiB
_NODES_PER_ENTRY = 64  # from there on a table of twice the size saves more nodes than its slowness costs
_SLICE = 1 << 15  # nodes between two looks at the limit

Bounds = tuple[int, int]


class _Run:
    """One call: what it may use and whether it has to stop."""

    def __init__(self, limit: Limit | None, nodes: Callable[[], int]) -> None:
        self._limit = limit
        self._nodes = nodes
        self._before = nodes()
        self._lock = Lock()
        self.stopped = False

    def goes_on(self) -> bool:
        with self._lock:
            if not self.stopped and self._limit is not None:
                self.stopped = True  # unless the limit says otherwise: where it raises, no thread goes on
                self.stopped = self._limit(self._nodes() - self._before)
            return not self.stopped


class Solver:
    """Solves positions of one board and one number of rings, and remembers what it found.

    `memory` bounds the table, in bytes; it begins small and grows with the work. A call that ends early, by its limit
    or by an exception such as KeyboardInterrupt, leaves what it found and nothing wrong. One call at a time; inside
    it several threads may search. `step` is how many nodes pass between two looks at the limit; fewer than the usual
    ones, of which there are about a hundred a second, serve who has only some ms.

    SolverFault for a 9 x 9 board, rings out of range and too little memory, and in every method for a position of
    another board or number of rings, a finished game, and a position that no game reaches.
    """

    def __init__(
        self, board: Board, rings: int | None = None, memory: int = DEFAULT_MEMORY, *, step: int = _SLICE
    ) -> None:
        if board.size != 6:
            raise SolverFault(f"only 6 x 6 boards can be solved; this one is {board.size} x {board.size}")
        rings = DEFAULT_RINGS[6] if rings is None else rings
        if not 1 <= rings <= MAX_RINGS[6]:
            raise SolverFault(f"rings is {rings}; 1 to {MAX_RINGS[6]} a side fit a 6 x 6 board")
        if memory < LEAST_MEMORY:
            raise SolverFault(f"memory is {memory} bytes; {LEAST_MEMORY} (1 MiB) or more are needed")
        self.board = board
        self.rings = rings
        self.memory = memory
        self._step = step
        self._grid = make_grid(board)
        self._end = 2 * rings
        self._table = make_table(1 << (min(memory, _FIRST_MEMORY) // BUCKET_BYTES).bit_length() - 1)
        self._growing = Lock()
        self._desks: list[Ints] = []
        self._idle: list[Ints] = []

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return sum(int(_counters(desk)[NODES]) for desk in self._desks)

    @property
    def used_memory(self) -> int:
        """Bytes the table takes now."""
        return self._table.nbytes

    def value(self, position: Position, limit: Limit | None = None) -> Value | Literal["unknown"]:
        """Return what the position is worth for the side on turn; `unknown` when the limit came first."""
        return self.verdict(position, limit).value

    def verdict(self, position: Position, limit: Limit | None = None) -> Verdict:
        """Return what the position is worth for the side on turn, or the bounds known when the limit came."""
        self._check(position)
        with self._desk() as desk:
            return _verdict(self._bounds(desk, position, _Run(limit, self._count)))

    def distance(self, position: Position, limit: Limit | None = None) -> int | None:
        """Return the plies to the end when the winner hurries and the loser delays; None when the limit came first.

        A drawn game lasts until every ring is placed.
        """
        self._check(position)
        run = _Run(limit, self._count)
        with self._desk() as desk:
            return self._plies(desk, position, self._bounds(desk, position, run), run)

    def choice(
        self, position: Position, square: int, *, limit: Limit | None = None, plies: bool = False
    ) -> Choice:
        """Return one legal move, as `moves` does. IllegalMove for another square."""
        self._check(position)
        with self._desk() as desk:
            return self._choice(desk, play(position, square), _Run(limit, self._count), plies)

    def moves(
        self,
        position: Position,
        *,
        limit: Limit | None = None,
        report: Callable[[Choice], None] | None = None,
        threads: int = 1,
        plies: bool = False,
    ) -> tuple[Choice, ...]:
        """Return every legal move, in index order, with its value for the side that makes it.

        With `plies` the moves tell the way to the end, too. `report` gets each move when it is done, in any order. On
        a symmetric board first moves that are images of each other are searched once.
        """
        self._check(position)
        if threads < 1:
            raise SolverFault(f"threads is {threads}; 1 or more are needed")
        run = _Run(limit, self._count)
        same = twins(self.board) if not position.ply else tuple(range(36))
        asked = [square for square in position.legal if same[square] == square]
        found: dict[int, Choice] = {}

        def judge(square: int) -> Choice:
            with self._desk() as desk:
                return self._choice(desk, play(position, square), run, plies)

        def settle(choice: Choice) -> None:
            for square in position.legal:
                if same[square] == choice.square:
                    found[square] = choice._replace(square=square)
                    if report is not None:
                        report(found[square])

        if threads == 1 or len(asked) == 1:
            for square in asked:
                settle(judge(square))
        else:
            with ThreadPoolExecutor(threads) as pool:
                try:
                    for done in as_completed([pool.submit(judge, square) for square in asked]):
                        settle(done.result())
                except BaseException:
                    run.stopped = True
                    raise
        return tuple(found[square] for square in position.legal)

    def openings(
        self,
        *,
        limit: Limit | None = None,
        report: Callable[[Choice], None] | None = None,
        threads: int = 1,
        plies: bool = False,
    ) -> tuple[Choice, ...]:
        """Return all 36 first moves with their values for x; arguments as for `moves`."""
        start = Position.start(self.board, self.rings)
        return self.moves(start, limit=limit, report=report, threads=threads, plies=plies)

    def best_line(
        self, position: Position, limit: Limit | None = None, *, shortest: bool = False
    ) -> tuple[int, ...]:
        """Return moves, all of which keep the value, to the end of the game; as far as found when the limit comes.

        With `shortest` the winner hurries and the loser delays. Of equal moves the first in index order is taken.
        """
        self._check(position)
        run = _Run(limit, self._count)
        line: list[int] = []
        with self._desk() as desk:
            while position.result is None:
                low, high = self._bounds(desk, position, run)
                if low != high:
                    break
                square = self._keeping(desk, position, low, run, shortest)
                if square is None:
                    break
                line.append(square)
                position = play(position, square)
        return tuple(line)

    def _keeping(self, desk: Ints, position: Position, value: int, run: _Run, shortest: bool) -> int | None:
        """The first move that keeps `value`, or of those that do the one that ends best in time."""
        wanted = self._plies(desk, position, (value, value), run) if shortest else 0
        if wanted is None:
            return None
        for square in position.legal:
            child = play(position, square)
            bounds = self._bounds(desk, child, run)
            if bounds != (-value, -value):
                continue
            if not shortest or self._plies(desk, child, bounds, run) == wanted - 1:
                return square
        return None

    def _choice(self, desk: Ints, child: Position, run: _Run, plies: bool) -> Choice:
        low, high = bounds = self._bounds(desk, child, run)
        length = self._plies(desk, child, bounds, run) if plies else None
        return Choice(child.last, _verdict((-high, -low)), None if length is None else length + 1)

    def _bounds(self, desk: Ints, position: Position, run: _Run) -> Bounds:
        """The bounds of the value for the side on turn, equal unless the run was stopped."""
        if position.result is not None:
            winner = position.result.winner
            value = 0 if winner == "-" else 1 if winner == position.you else -1
            return value, value
        if self._wins_at_once(desk, position):
            return 1, 1
        low, high = -1, 1
        while low < high:
            # Draws are rare, so either question mostly answers both; "does x win" is a little less work to begin with.
            wanted = (0 if position.ply & 1 else 1) if low + 1 < high else high
            answer = self._ask(desk, position, wanted, self._end, run)
            if answer is None:
                break
            if answer >= wanted:
                low = answer
            else:
                high = answer
        return low, high

    def _plies(self, desk: Ints, position: Position, bounds: Bounds, run: _Run) -> int | None:
        """The plies to the end for a known value: who wins by five does it in the fewest that can be proved."""
        value, high = bounds
        if value != high:
            return None
        if position.result is not None:
            return 0
        left = self._end - position.ply
        if value == 1 and self._wins_at_once(desk, position):
            return 1
        if value != 0:
            for plies in range(3 if value == 1 else 2, left, 2):
                wanted = 1 if value == 1 else 0
                answer = self._ask(desk, position, wanted, position.ply + plies, run)
                if answer is None:
                    return None
                if answer == value:
                    return plies
        return left

    def _wins_at_once(self, desk: Ints, position: Position) -> bool:
        frame = lay(desk, self._grid, position)
        return bool(wins_at_once(int(frame[MINE]), int(frame[THEIRS]), int(frame[LEGAL])))

    def _ask(self, desk: Ints, position: Position, wanted: int, horizon: int, run: _Run) -> int | None:
        """A bound that tells whether the side on turn gets `wanted` by `horizon`; None when the run was stopped."""
        lay(desk, self._grid, position)
        root = position.ply
        counters = _counters(desk)
        counters[PLY], counters[WANT] = root, wanted
        groups = horizon == self._end
        while run.goes_on():
            table = self._table  # held here, since another thread may put a larger one in its place
            at = desk.ctypes.data, self._grid.ctypes.data, table.ctypes.data
            answer = prove(*at, root, horizon, groups, self._step)
            self._grow()
            if answer != UNFINISHED:
                return answer
        return None

    def _grow(self) -> None:
        """Double the table when the work has outgrown it and `memory` allows.

        A thread that still writes into the old one loses what it writes until its next slice, no more.
        """
        with self._growing:
            table = self._table
            if self.nodes <= table.size // 2 * _NODES_PER_ENTRY or 2 * table.nbytes > self.memory:
                return
            try:
                grown = make_table(2 * (table.nbytes // BUCKET_BYTES - 1))
            except MemoryError:  # the table that is there goes on to serve
                self.memory = table.nbytes
                return
            copy(table.ctypes.data, table.nbytes, grown.ctypes.data)
            self._table = grown

    def _count(self) -> int:
        return self.nodes

    @contextmanager
    def _desk(self) -> Iterator[Ints]:
        """A desk that no other thread works on."""
        with self._growing:
            if not self._idle:
                self._desks.append(make_desk())
                self._idle.append(self._desks[-1])
            desk = self._idle.pop()
        try:
            yield desk
        finally:
            self._idle.append(desk)

    def _check(self, position: Position) -> None:
        if position.board != self.board:
            raise SolverFault(
                "the position is on another board than the solver's; make a solver for its board"
            )
        if position.rings != self.rings:
            raise SolverFault(f"the position has {position.rings} rings a side, the solver {self.rings}")
        reason = refusal(position, -1) if position.result is not None else unreachable(position)
        if reason:
            raise SolverFault(reason)


def _verdict(bounds: Bounds) -> Verdict:
    return Verdict(VALUES[bounds[0]], VALUES[bounds[1]])


def _counters(desk: Ints) -> Ints:
    return desk[counters_at(0) // WORD :]
