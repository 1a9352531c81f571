"""Workers find what one process finds; interrupted, killed or short of time nothing wrong comes and nobody stays."""

import json
import os
import signal
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from analysis.made import found, random_game, sheet
from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_referee.analysis import searching
from donuts_referee.analysis.faults import SearchFault, Unplayable
from donuts_referee.analysis.game import positions
from donuts_referee.analysis.journal import Analyst, Stand
from donuts_referee.analysis.searching import Effort, Searchers, Solved
from donuts_referee.analysis.worth import fits

LATE = [position for seed in range(6) for position in positions(random_game(seed, 12))[-4:]]
"""Of six boards, solved in no time."""

GOLDEN = (Path(__file__).parents[1] / "golden" / "solved.jsonl").read_text("utf-8").splitlines()

HEAVY = [Position.start(Board.of(json.loads(GOLDEN[row])["layout"])) for row in (9, 3, 5, 1) * 2]
"""Boards of which all lengths take seconds; each twice, so that they are four."""

PLIES = Effort(memory=1 << 20, plies=True)


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def workers(searchers: Searchers) -> list[int]:
    return [worker.process.pid for worker in searchers._workers if worker.process.pid is not None]


def test_workers_find_the_same_and_leave_when_interrupted() -> None:
    here: dict = {}
    with Searchers(PLIES) as alone:
        alone.solve(LATE, here.update)
    assert set(here) == set(LATE) and all(fits(worth, position) for position, worth in here.items())
    there: dict = {}
    with Searchers(PLIES._replace(workers=2)) as searchers:
        searchers.solve(LATE[:4], there.update)
        assert not workers(searchers)  # one board is not worth the start of a worker
        searchers.solve(LATE, there.update)
        assert there == here
        processes = workers(searchers)
        assert len(processes) == 2
        late: list[Solved] = []

        def interrupt(solved: Sequence[Solved]) -> None:
            late.extend(solved)
            if len(late) == len(solved):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            searchers.solve([*LATE[:4], *HEAVY], interrupt)
        assert all(gone(process) for process in processes)
    assert set(dict(late)) >= set(LATE[:4]) and not set(dict(late)) & set(HEAVY)
    assert all(here[position] == worth for position, worth in late)


def test_a_worker_that_is_killed_is_said_in_one_line() -> None:
    with Searchers(PLIES._replace(workers=2)) as searchers:

        def kill(solved: Sequence[Solved]) -> None:
            for process in workers(searchers):
                os.kill(process, signal.SIGKILL)

        with pytest.raises(SearchFault, match=r"a process that searched is gone.*fewer --workers"):
            searchers.solve([*LATE[:4], *HEAVY], kill)


def test_an_interrupt_taken_by_another_thread_waits_as_well() -> None:
    """As threads of libraries take it, which know of no mask."""
    told: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        begun = threading.Barrier(2)
        taker = threading.Thread(target=_take, args=(begun,))
        taker.start()
        with searching._no_interrupts():
            begun.wait()
            taker.join()
            told.append("finished")
        told.append("went on")
    assert told == ["finished"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _take(begun: threading.Barrier) -> None:
    begun.wait()
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)


def test_a_worker_in_the_middle_of_a_chunk_hands_over_what_it_found() -> None:
    """One chunk holds quick positions and a heavy one: it is killed with this one, the others are told of."""
    quick = list(positions(random_game(1, 12))[-4:])
    handed: list[Solved] = []
    with Searchers(PLIES._replace(workers=2)) as searchers:
        searchers.solve(LATE, lambda solved: None)  # the workers are there

        worker = searchers._workers[0]
        hear = worker.hear

        def interrupt() -> None:
            hear()
            if worker._heard == len(quick):
                raise KeyboardInterrupt

        worker.hear = interrupt  # type: ignore[method-assign]
        with pytest.raises(KeyboardInterrupt):
            searchers._there([[*quick, HEAVY[0]]], handed.extend)
    assert [position for position, _ in handed] == quick


def test_what_was_found_before_an_interrupt_is_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    solve, asked = searching._moves, []

    def moves(position: Position, *rest: object) -> object:
        asked.append(position)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return solve(position, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(searching, "_moves", moves)
    handed: list[Solved] = []
    with Searchers(PLIES) as alone, pytest.raises(KeyboardInterrupt):
        alone.solve(LATE, handed.extend)
    assert [position for position, _ in handed] == LATE[:2]


def test_too_short_a_time_leaves_a_position_unknown() -> None:
    handed: dict = {}
    with Searchers(PLIES._replace(seconds=1e-9)) as alone:
        alone.solve(HEAVY[:1], handed.update)
    assert handed == {HEAVY[0]: None}


def test_games_that_cannot_be_analysed_stand_among_others_in_order() -> None:
    games = [
        found(random_game(1, 2), 1, 4),
        found(sheet(("a1", "a1")), 2, 4),
        found(sheet(("a1", "b1"), layout="H" * 81, size=9, rings=36), 3, 4),
        found(random_game(1, 2), 4, 4),
    ]
    stands: list[Stand] = []
    skipped: list[tuple[int, str]] = []

    def skip(game: object, fault: Unplayable) -> None:
        skipped.append((game.number, str(fault)))  # type: ignore[attr-defined]

    with Analyst(Effort(memory=1 << 20), None, report=stands.append, skip=skip) as analyst:
        told = list(analyst.games(games))
    assert [game.found.number for game in told] == [1, 3, 4]
    assert [number for number, _ in skipped] == [2]
    assert [move.known for move in told[1].moves] == [False, False]
    assert all(move.known for move in told[0].moves) and told[0].moves == told[2].moves
    assert stands[-1] == Stand(games=3, positions=4, wanted=4)


def test_openings_can_be_left_out() -> None:
    game = found(random_game(1, 2, opening=2))
    with Analyst(Effort(memory=1 << 20), None, openings=False) as analyst:
        (told,) = analyst.games([game])
    assert [move.known for move in told.moves] == [False, False, True, True]
