"""Draws the bracket of a knockout for the front page: a column for each stage, with who met whom and who went on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from donuts_referee.competition.encounter import Tables
from donuts_referee.competition.event import Knockout
from donuts_referee.competition.formats.knockout import THIRD, Bracket, Pairing, seeding
from donuts_referee.web.markup import Html, element, wide
from donuts_referee.web.words import number

__all__ = ["bracket"]


def bracket(format: Knockout, tables: Tables, pages: Mapping[str, str]) -> Html:
    """The stages that have begun, the final last; `pages`: the file of each bot, seen from the page."""
    drawn = Bracket(format, tables)
    for due in drawn.schedule():
        if due is None:
            break

    def linked(bot: str) -> Html:
        return element("a", bot, href=pages[bot])

    stages: list[Html] = []
    for at, (_, pairings) in enumerate(groupby(drawn.pairings, key=_stage)):
        # the final stands above the match for third place, which comes first in the schedule
        met = sorted(pairings, key=lambda pairing: pairing.size == THIRD)
        items = [_pairing(pairing, tables, linked) for pairing in met]
        for place, bot in () if at else _byes(drawn.seeds):
            items.insert(place, element("li", linked(bot), element("small", "bye"), class_="through"))
        stages.append(element("section", element("h3", met[0].label), element("ul", *items)))
    return wide("bracket", element("div", *stages, class_="bracket"), len(stages) > 1)


def _stage(pairing: Pairing) -> int:
    return 2 if pairing.size == THIRD else pairing.size


def _byes(seeds: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The bots without an opponent in the first stage, each with its place among the pairings, from 0."""
    order = seeding(len(seeds))
    for place, two in enumerate(zip(order[::2], order[1::2], strict=True)):
        if max(two) > len(seeds):
            yield place, seeds[min(two) - 1]


def _pairing(pairing: Pairing, tables: Tables, linked: Callable[[str], Html]) -> Html:
    duels = [duel for each in pairing.numbers if (duel := tables.duel(each)) is not None]
    bots = [
        element(
            "div",
            linked(bot),
            element("span", number(sum(duel.points(bot) for duel in duels)) if duels else "–"),
            class_="through" if bot == pairing.winner else None,
        )
        for bot in (pairing.better, pairing.other)
    ]
    told = [pairing.label] if pairing.size == THIRD else []
    told += ["not decided"] if pairing.winner is None else [pairing.how] if pairing.how != "points" else []
    return element("li", *bots, element("small", ", ".join(told)) if told else "")
