"""Compares the standings that an archive holds with those that its games make."""

from typing import Any

import msgspec

from donuts_referee.competition.audit.finding import Broken
from donuts_referee.competition.audit.sources import Source
from donuts_referee.competition.placings import Report
from donuts_referee.competition.reading import Kept

__all__ = ["CSV", "JSON", "check_standings"]

JSON = "standings.json"
CSV = "standings.csv"

ROUNDED = {"rating": 0.11, "deviation": 0.11, "elo": 0.11, "to_settle": 2.0}
"""by how much figures may differ that another version of a library, or another processor, rounds otherwise"""

FINE = 2e-4
"""the same for all other fractions"""


def check_standings(source: Source, kept: Kept) -> bool:
    """False where the source holds no standings. Raises Broken at the first figure that does not follow."""
    if JSON not in source.names:
        return False
    from donuts_referee.competition.standings import csv, report  # brings numpy and scipy

    data = source.read(JSON, 64 << 20)
    try:
        said = msgspec.json.decode(data, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Broken(JSON, f"no standings ({error})") from None
    made = report(kept)
    difference = _difference(msgspec.to_builtins(made), msgspec.json.decode(data), "")
    if difference is not None:
        raise Broken(JSON, difference)
    if CSV in source.names and source.read(CSV, 64 << 20) != csv(said).encode():
        raise Broken(CSV, f"not the standings of {JSON}")
    return True


def _difference(made: Any, said: Any, where: str) -> str | None:
    """The first difference in words; None without one."""
    if isinstance(made, dict) and isinstance(said, dict):
        if not said.keys() <= made.keys():
            return f"{where or 'the whole'} has {', '.join(said)}, and should have {', '.join(made)}"
        # keys that later versions added may be missing; without any other the file was not read as standings
        parts = ((made[key], said[key], f"{where}.{key}" if where else key) for key in made if key in said)
    elif isinstance(made, (list, tuple)) and isinstance(said, list):
        if len(made) != len(said):
            return f"{where} has {len(said)} entries, and the games make {len(made)}"
        parts = (
            (one, other, f"{where}[{at}]") for at, (one, other) in enumerate(zip(made, said, strict=True))
        )
    else:
        return None if _same(made, said, where) else f"{where} is {said}, but the games make {made}"
    return next((told for one in parts if (told := _difference(*one)) is not None), None)


def _same(made: object, said: object, where: str) -> bool:
    slack = ROUNDED.get(where.rpartition(".")[2])
    number = isinstance(made, (int, float)) and isinstance(said, (int, float))
    if not number or isinstance(made, bool) or isinstance(said, bool):
        return made == said and type(made) is type(said)
    if slack is None:
        slack = FINE if isinstance(made, float) else 0
    assert isinstance(made, (int, float)) and isinstance(said, (int, float))
    return abs(made - said) <= slack
