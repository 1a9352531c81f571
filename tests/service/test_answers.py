"""What the service says of positions: every golden game at every ply, both ways of asking, and every code of error."""

from collections.abc import Callable

import pytest

from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import index
from donuts_protocol.messages import Error, Message, State

LAYOUT = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH"
NINE = "AVDADHHHVHDADVHADAVVHHAVHDVVVVAHAHVHADHDVVDAAHADVDHVDHDHVDVVAHAAAVAAHDHVHDHDHVHDV"
EMPTY = "." * 36


def test_the_golden_games_from_their_moves(
    golden: list[dict], converse: Callable[[list[str]], list[Message]]
) -> None:
    queries = [
        f"query {number} layout={game['layout']} size={game['size']} rings={game['rings']} "
        f"moves={','.join(game['moves'])}"
        for number, game in enumerate(golden)
    ]
    answers = converse(queries)
    assert len(answers) == len(golden)
    for number, (game, said) in enumerate(zip(golden, answers, strict=True)):
        assert said == State(
            id=number,
            ply=len(game["moves"]),
            you="xo"[len(game["moves"]) % 2],
            cells=game["cells"],
            last=game["moves"][-1],
            legal=(),
            flips=tuple("+".join(flip) or "-" for flip in game["flips"]),
            winner=None if game["winner"] == "-" else game["winner"],
            why=game["why"],
        )


def test_a_draw_says_so_in_text(ask: Callable[[str], Message]) -> None:
    from donuts_protocol import text

    said = ask(f"query 1 layout={'H' * 36} rings=1 moves=a1,b1")
    assert said.why == "group" and said.winner is None
    assert b"winner=- why=group" in text.encode(said)


def test_every_position_of_a_game_as_it_stands(
    golden: list[dict], converse: Callable[[list[str]], list[Message]]
) -> None:
    """Asking with `cells` and with `moves` comes to the same, but for the flips, which `cells` cannot know."""
    for game in (golden[0], golden[-1], next(g for g in golden if g["why"] == "group")):
        base = f"layout={game['layout']} size={game['size']} rings={game['rings']}"
        position = Position.start(Board.of(game["layout"]), game["rings"])
        by_moves, by_cells = [], []
        for ply, move in enumerate(game["moves"]):
            by_moves.append(f"query {ply} {base} moves={','.join(game['moves'][:ply])}")
            last = position.last_name or "-"
            by_cells.append(f"query {ply} {base} cells={position.cells} last={last} you={position.you}")
            position = play(position, index(move, game["size"]))
        for one, other in zip(converse(by_moves), converse(by_cells), strict=True):
            assert isinstance(one, State) and isinstance(other, State)
            assert one.legal and one.why is None
            assert other.flips == ()
            assert (one.ply, one.you, one.cells, one.last, one.legal) == (
                other.ply,
                other.you,
                other.cells,
                other.last,
                other.legal,
            )


def test_a_full_board_as_it_stands_is_over(ask: Callable[[str], Message]) -> None:
    said = ask(f"query 1 layout={LAYOUT} rings=1 cells=xo{'.' * 34} last=b1 you=x")
    assert said == State(
        id=1, ply=2, you="x", cells="xo" + "." * 34, last="b1", legal=(), flips=(), winner=None, why="group"
    )


@pytest.mark.parametrize("how", ["", " moves=", f" cells={EMPTY} last=- you=x"])
def test_the_start(how: str, ask: Callable[[str], Message]) -> None:
    said = ask(f"query 9007199254740991 layout={LAYOUT}{how}")
    assert isinstance(said, State)
    assert (said.id, said.ply, said.you, said.last, len(said.legal)) == (2**53 - 1, 0, "x", None, 36)


def test_the_size_is_6_unless_it_is_said(ask: Callable[[str], Message]) -> None:
    assert isinstance(ask(f"query 1 layout={NINE} size=9"), State)
    refused = ask(f"query 1 layout={NINE}")
    assert isinstance(refused, Error) and refused.code == "layout"


@pytest.mark.parametrize(
    ("rest", "code", "says"),
    [
        ("layout", "query", "="),
        (f"layout={LAYOUT[1:]}", "layout", "36"),
        (f"layout={LAYOUT[1:]}X", "layout", "H, V, D and A"),
        (f"layout={LAYOUT} size=9", "layout", "81"),
        ("moves=a1", "layout", "missing"),
        (f"layout={LAYOUT} size=7", "query", "6, 9"),
        (f"layout={LAYOUT} moves=e3,z9", "moves", "square"),
        (f"layout={LAYOUT} moves=e3,g1", "moves", "a1 to f6"),
        (f"layout={LAYOUT} moves=e3,e3", "moves", "move 2, e3: e3 is taken"),
        (f"layout={LAYOUT} moves=e3,a1", "moves", "a3,b3,c3,d3,f3"),
        (f"layout={LAYOUT} rings=1 moves=e3,a3,a2", "moves", "move 3"),
        (f"layout={LAYOUT} moves=e3, ", "moves", "square"),
        (f"layout={LAYOUT} cells={EMPTY[1:]} last=- you=x", "cells", "36"),
        (f"layout={LAYOUT} cells={EMPTY[1:]}z last=- you=x", "cells", ". x and o"),
        (f"layout={LAYOUT} cells={'.' * 81} last=- you=x", "cells", "36"),
        (f"layout={LAYOUT} cells=xoxo{'.' * 32} last=a1 you=x rings=1", "cells", "2"),
        (f"layout={LAYOUT} cells=xxxxx.oooo..{'.' * 24} last=a1 you=o", "cells", "five"),
        (f"layout={LAYOUT} cells=xxxx..ooooo.x{'.' * 23} last=a2 you=x", "cells", "five"),
        (f"layout={LAYOUT} cells=x{'.' * 35} you=o", "last", "missing"),
        (f"layout={LAYOUT} cells=x{'.' * 35} last=- you=o", "last", "empty board"),
        (f"layout={LAYOUT} cells=x{'.' * 35} last=b1 you=o", "last", "b1"),
        (f"layout={LAYOUT} cells=x{'.' * 35} last=g1 you=o", "last", "a1 to f6"),
        (f"layout={LAYOUT} cells=xo{'.' * 34} last=a1 you=x", "last", "a1"),
        (f"layout={LAYOUT} cells={EMPTY} last=a1 you=x", "last", "empty"),
        (f"layout={LAYOUT} cells=x{'.' * 35} last=a1 you=x", "you", "o is on turn"),
        (f"layout={LAYOUT} cells=x{'.' * 35} last=a1 you=z", "you", "o, x"),
        (f"layout={LAYOUT} cells=x{'.' * 35} last=a1", "you", "missing"),
        (f"layout={LAYOUT} rings=19", "rings", "1 to 18"),
        (f"layout={LAYOUT} rings=0", "rings", "1"),
        (f"layout={NINE} size=9 rings=41", "rings", "40"),
        (f"layout={LAYOUT} rings=015", "rings", "zero"),
        (f"layout={LAYOUT} moves=a1 cells={EMPTY} last=- you=x", "query", "exclude"),
        (f"layout={LAYOUT} moves=a1 last=a1", "query", "cells"),
        (f"layout={LAYOUT} you=x", "query", "cells"),
        (f"layout={LAYOUT} layout={LAYOUT}", "layout", "twice"),
        (f"layout={LAYOUT} ", "query", "one space"),
        (f"layout={LAYOUT} word", "query", "="),
        (f"layout={LAYOUT} X=1", "query", "key"),
    ],
)
def test_a_bad_query_is_refused(rest: str, code: str, says: str, ask: Callable[[str], Message]) -> None:
    said = ask(f"query 41 {rest}")
    assert isinstance(said, Error)
    assert (said.id, said.code) == (41, code)
    assert said.text is not None and says in said.text


@pytest.mark.parametrize(
    "line",
    [
        "query",
        "query ",
        "query x layout=",
        "query -1 layout=",
        "query 01 layout=",
        f"query {2**53} layout=",
        "quit",
        "Q",
    ],
)
def test_an_id_that_cannot_be_read_is_a_dash(line: str, ask: Callable[[str], Message]) -> None:
    said = ask(line)
    assert isinstance(said, Error) and (said.id, said.code) == (None, "query")


def test_another_verb_of_the_protocol_is_no_query(ask: Callable[[str], Message]) -> None:
    said = ask("hello donuts=1-1 name=lost")
    assert isinstance(said, Error) and said.code == "query" and "query" in (said.text or "")


def test_unknown_fields_are_ignored(ask: Callable[[str], Message]) -> None:
    assert isinstance(ask(f"query 1 layout={LAYOUT} x_mine=%20 later=1"), State)
