"""Crosstables: points, games by side, walkovers, and games that both lose."""

from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.statistics.crosstable import Cell, Crosstable, Score
from donuts_referee.statistics.results import Game

GAMES = [
    Game("a", "b", 1.0, 0.0),
    Game("b", "a", 0.5, 0.5),
    Game("b", "a", 0.5, 0.5),
    Game("a", "c", 0.0, 0.0),  # both at fault
    Game("c", "a", 0.0, 1.0, played=False),
]


def test_a_cell_has_the_games_of_either_side() -> None:
    table = Crosstable(GAMES, ("z", "a"))
    assert table.bots == ("z", "a", "b", "c")
    assert table.cell("a", "b") == Cell(as_x=Score(wins=1), as_o=Score(draws=2))
    assert table.cell("b", "a") == Cell(as_x=Score(draws=2), as_o=Score(losses=1))
    assert table.cell("a", "c") == Cell(as_x=Score(losses=1), walkovers=1.0)
    assert table.cell("c", "a") == Cell(as_o=Score(losses=1), missed=1)
    assert table.cell("b", "c") == table.total("z") == Cell()
    assert (table.total("a").points, table.total("a").games, str(table.total("a").score)) == (3.0, 4, "1-2-1")


def outcomes() -> st.SearchStrategy[Game]:
    names = st.sampled_from("abcd")
    points = st.sampled_from([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.0, 0.0)])
    return st.builds(
        lambda x, o, made, played: Game(x, o, *made, played),
        names,
        names,
        points,
        st.booleans(),
    ).filter(lambda game: game.x != game.o)


@given(st.lists(outcomes()))
def test_nothing_is_lost_between_games_and_table(games: list[Game]) -> None:
    table = Crosstable(games)
    assert sum(table.total(bot).points for bot in table.bots) == sum(
        one.x_points + one.o_points for one in games
    )
    assert sum(table.total(bot).games for bot in table.bots) == 2 * sum(one.played for one in games)
    for one in table.bots:
        for other in table.bots:
            cell, back = table.cell(one, other), table.cell(other, one)
            assert cell.games == back.games and cell.as_x.games == back.as_o.games
