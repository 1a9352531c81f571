"""Reads the [format] table of an event: who meets whom."""

from donuts_referee.competition.event import Format, Gauntlet, Knockout, Ladder, RoundRobin, Sprt, Swiss
from donuts_referee.settings import Section

__all__ = ["FORMAT_KEYS", "KINDS", "format_of"]

KINDS: dict[str, tuple[str, ...]] = {
    "round-robin": ("cycles",),
    "gauntlet": ("cycles", "seeds"),
    "swiss": ("rounds",),
    "knockout": ("encounters", "tie_breaks", "third_place"),
    "ladder": ("encounters", "window"),
    "sprt": ("elo0", "elo1", "alpha", "beta", "scale", "encounters"),
}
"""Every kind with the keys that it takes."""

FORMAT_KEYS = ("kind", *dict.fromkeys(key for keys in KINDS.values() for key in keys))

MOST = 1_000_000
"""Cycles, or encounters."""

FARTHEST = 500
"""Points either side of 0 that hypotheses can be tested for; see `statistics.sprt.WIDEST`."""


def format_of(table: Section, bots: int) -> Format:
    """The format of an event of so many bots; 0: how many there are could not be told."""
    kind = str(table.choice("kind", tuple(KINDS), "round-robin"))
    for key in FORMAT_KEYS:
        if table.has(key) and key != "kind" and key not in KINDS[kind]:
            homes = " and ".join(other for other, keys in KINDS.items() if key in keys)
            table.fault(key, f"is for {homes}; {kind} takes {', '.join(KINDS[kind])}")
    if kind == "gauntlet":
        return _gauntlet(table, bots)
    if kind == "swiss":
        return _swiss(table, bots)
    if kind == "knockout":
        usual = Knockout()
        return Knockout(
            encounters=table.whole("encounters", 1, MOST, usual.encounters),
            tie_breaks=table.whole("tie_breaks", 0, MOST, usual.tie_breaks),
            third_place=table.flag("third_place"),
        )
    if kind == "ladder":
        return Ladder(
            encounters=table.whole("encounters", 1, 1 << 53, None),
            window=table.whole("window", 1, 10_000, Ladder().window),
        )
    if kind == "sprt":
        return _sprt(table, bots)
    return RoundRobin(cycles=table.whole("cycles", 1, MOST, 1))


def _gauntlet(table: Section, bots: int) -> Gauntlet:
    seeds = table.whole("seeds", 1, MOST, 1)
    if bots and seeds >= bots:
        table.fault("seeds", f"{seeds} challengers of {bots} bots leave nobody to meet; say fewer")
    return Gauntlet(cycles=table.whole("cycles", 1, MOST, 1), seeds=seeds)


def _swiss(table: Section, bots: int) -> Swiss:
    rounds = table.whole("rounds", 1, MOST, None)
    if rounds is not None and bots and rounds >= bots:
        table.fault("rounds", f"{bots} bots have {bots - 1} rounds at most, as nobody meets twice; say fewer")
    return Swiss(rounds=rounds)


def _sprt(table: Section, bots: int) -> Sprt:
    usual = Sprt()
    test = Sprt(
        elo0=table.number("elo0", -FARTHEST, FARTHEST, usual.elo0),
        elo1=table.number("elo1", -FARTHEST, FARTHEST, usual.elo1),
        alpha=table.number("alpha", 0, 0.5, usual.alpha),
        beta=table.number("beta", 0, 0.5, usual.beta),
        scale="logistic"
        if table.choice("scale", ("normalized", "logistic"), usual.scale) == "logistic"
        else "normalized",
        encounters=table.whole("encounters", 1, MOST, usual.encounters),
    )
    if test.elo0 >= test.elo1:
        key = "elo1" if table.has("elo1") else "elo0"
        table.fault(key, f"elo0 = {test.elo0:g} must be below elo1 = {test.elo1:g}")
    if bots and bots != 2:
        table.fault("kind", f"sprt is a match of 2 bots, and there are {bots}; name 2, or take another kind")
    return test
