"""From the wire log of a real match the clocks can be recomputed, and they are those of the record."""

import msgspec
import pytest

from donuts_referee.records.record import Record
from donuts_referee.records.wire import recompute_clocks
from match.arena import Arena


@pytest.mark.parametrize(
    "first, options",
    [
        ("two_writes.py", ("--tc", "5+0.01")),
        ("comments.py", ("--movetime", "2")),
        ("packed.py", ("--tc", "3+0.05")),
        ("silent.py", ("--movetime", "0.2", "--games", "1")),
        ("plain.py", ("--tc", "inf")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_clocks_of_the_wire_are_those_of_the_record(
    first: str, options: tuple[str, ...], arena: Arena
) -> None:
    played = arena.play(first, "plain.py", "--seed", "11", *options)
    assert played.records
    for kept in played.records:
        record = msgspec.convert(kept, Record)
        [path] = played.wire.glob(f"*-{record.number:04d}.wire.jsonl")
        again = recompute_clocks(path, record.conditions)
        answered = [turn for turn in record.turns if turn.sq is not None]
        assert [turn.id for turn in again] == [turn.id for turn in record.turns]
        assert [(turn.id, turn.used, turn.spent, turn.clock) for turn in again if turn.used is not None] == [
            (turn.id, turn.used, turn.spent, turn.clock) for turn in answered
        ]
        assert len(answered) == len(record.moves)
