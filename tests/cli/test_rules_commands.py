"""`donuts board`, `perft` and `position`: what they print, and the one line for every bad input."""

import json
import os
from pathlib import Path

import pytest

from donuts_referee.cli.main import main

GOLDEN = Path(__file__).parent.parent / "golden"
LAYOUT = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH"


def golden(name: str) -> list[dict]:
    return [json.loads(line) for line in (GOLDEN / name).read_text("ascii").splitlines()]


def one_object(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == "" and out.count("\n") == 1
    return json.loads(out)


# --- position ---


@pytest.mark.parametrize("game", golden("games.jsonl")[::11], ids=lambda g: f"{g['size']}-{g['layout'][:6]}")
def test_position_judges_the_golden_games(game: dict, capsys: pytest.CaptureFixture[str]) -> None:
    moves = ",".join(game["moves"])
    said = one_object(capsys, "position", game["layout"], "--rings", str(game["rings"]), "--moves", moves)
    assert said == {
        "size": game["size"],
        "layout": game["layout"],
        "rings": game["rings"],
        "ply": len(game["moves"]),
        "you": "xo"[len(game["moves"]) % 2],
        "cells": game["cells"],
        "last": game["moves"][-1],
        "legal": [],
        "flips": game["flips"],
        "winner": game["winner"],
        "why": game["why"],
        "groups": game["groups"],
    }


def test_position_at_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    said = one_object(capsys, "position", LAYOUT)
    assert (said["rings"], said["ply"], said["you"], said["cells"]) == (15, 0, "x", "." * 36)
    assert (said["last"], said["winner"], said["why"], said["flips"]) == (None, None, None, [])
    assert said["groups"] == [0, 0]
    assert len(said["legal"]) == 36 and said["legal"][:2] == ["a1", "b1"] and said["legal"][-1] == "f6"


def test_position_in_mid_game_offers_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    said = one_object(capsys, "position", LAYOUT, "--moves", "e3")
    assert (said["you"], said["last"], said["legal"]) == ("o", "e3", ["a3", "b3", "c3", "d3", "f3"])


def test_position_draws_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    game = golden("games.jsonl")[0]
    assert main(["position", game["layout"], "--moves", ",".join(game["moves"])]) == 0
    out = capsys.readouterr().out
    assert "a     b     c     d     e     f" in out
    assert "flipped a3, e3" in out
    assert "largest groups: x 3, o 9" in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("words", "names", "right"),
    [
        (["A" * 35], "35 letters", "36"),
        (["a" * 36], "LAYOUT", "H V D A"),
        ([LAYOUT, "--moves", "e3,e3"], "move 2", "taken"),
        ([LAYOUT, "--moves", "e3,a1"], "move 2", "a3,b3,c3,d3,f3"),
        ([LAYOUT, "--moves", "e3,z9"], "z9", "a1 to f6"),
        ([LAYOUT, "--moves", "e3,"], "''", "a1 to f6"),
        ([LAYOUT, "--rings", "1", "--moves", "e3,a3,a2"], "move 3", "over"),
        ([LAYOUT, "--rings", "19"], "--rings", "1 to 18"),
        ([LAYOUT, "--rings", "0"], "--rings", "1 to 40"),
        ([LAYOUT, "--rings", "many"], "many", "1 to 40"),
        ([], "LAYOUT", "--help"),
    ],
)
def test_position_refuses(
    words: list[str], names: str, right: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_one_line(["position", *words], names, right, capsys)


def assert_one_line(words: list[str], names: str, right: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1 and names in err and right in err


# --- perft ---


@pytest.mark.parametrize("row", golden("perft.jsonl")[::7], ids=lambda r: f"{r['size']}-{r['layout'][:6]}")
def test_perft_prints_the_golden_counts(row: dict, capsys: pytest.CaptureFixture[str]) -> None:
    said = one_object(capsys, "perft", row["layout"], "--depth", "4", "--rings", str(row["rings"]))
    assert said == {**row, "perft": row["perft"][:4]}


def test_perft_prints_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    row = golden("perft.jsonl")[0]
    assert main(["perft", row["layout"], "--depth", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines] == [
        [str(i + 1), f"{n:,}"] for i, n in enumerate(row["perft"][:4])
    ]


@pytest.mark.parametrize(
    ("words", "names", "right"),
    [
        ([LAYOUT], "--depth", "required"),
        ([LAYOUT, "--depth", "0"], "'0'", "1 to 80"),
        ([LAYOUT, "--depth", "-1"], "--depth", "perft"),
        ([LAYOUT, "--depth", "1e3"], "1e3", "whole number"),
        (["HV", "--depth", "1"], "2 letters", "36"),
    ],
)
def test_perft_refuses(words: list[str], names: str, right: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_one_line(["perft", *words], names, right, capsys)


# --- board ---


def test_a_board_from_a_seed_is_the_same_every_time(capsys: pytest.CaptureFixture[str]) -> None:
    first = one_object(capsys, "board", "--seed", "5")
    assert one_object(capsys, "board", "--seed", "5") == first
    assert one_object(capsys, "board", "--seed", "6")["layout"] != first["layout"]
    assert (first["size"], first["seed"], len(first["layout"])) == (6, 5, 36)


def test_a_board_can_be_had_again_by_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = one_object(capsys, "board", "--seed", "5")
    again = one_object(capsys, "board", "--number", str(drawn["number"]))
    assert again == {**drawn, "seed": None}
    assert one_object(capsys, "board", "--board", str(drawn["number"])) == again


def test_a_board_without_a_seed_says_which_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = one_object(capsys, "board", "--size", "9")
    assert len(drawn["layout"]) == 81 and drawn["number"] is None
    assert one_object(capsys, "board", "--size", "9", "--seed", str(drawn["seed"])) == drawn


def test_a_board_from_a_layout(capsys: pytest.CaptureFixture[str]) -> None:
    assert one_object(capsys, "board", "--layout", LAYOUT) == {
        "size": 6,
        "layout": LAYOUT,
        "number": None,
        "seed": None,
    }


def test_a_board_is_drawn_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "--number", "17"]) == 0
    out = capsys.readouterr().out
    assert "number  17" in out and "seed" not in out
    layout = out.split("layout  ")[1].split()[0]
    assert one_object(capsys, "board", "--number", "17")["layout"] == layout


@pytest.mark.parametrize(
    ("words", "names", "right"),
    [
        (["--number", "24576"], "24576", "24575"),
        (["--number", "24576"], "--number: ", "24575"),
        (["--board", "24576"], "--board: ", "24575"),
        (["--number", "1", "--size", "9"], "--number: ", "--seed"),
        (["--board", "1", "--size", "9"], "--board: ", "--seed"),
        (["--tiles", ""], "--tiles", "empty"),
        (["--nosuch"], "--nosuch", "(donuts board --help says more)"),
        (["--size", "7"], "7", "6"),
        (["--seed", "x"], "'x'", "whole number"),
        (["--layout", "HV"], "2 letters", "36"),
        (["--layout", LAYOUT, "--size", "9"], "36 letters", "81"),
        (["--layout", LAYOUT, "--seed", "1"], "--layout", "not allowed"),
        (["--tiles", "no/such/file.toml"], "no/such/file.toml", "TOML"),
    ],
)
def test_board_refuses(words: list[str], names: str, right: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_one_line(["board", *words], names, right, capsys)


@pytest.mark.skipif(os.name == "nt", reason="makes a named pipe")
@pytest.mark.parametrize("words", [["board"], ["play", "donuts:random", "donuts:random"]])
def test_tiles_that_might_never_end_are_refused(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "fifo")
    for file in (str(tmp_path / "fifo"), "/dev/zero"):
        assert_one_line([*words, "--tiles", file], file, "regular file", capsys)


@pytest.mark.parametrize("words", [["board"], ["play", "donuts:random", "donuts:random"]])
def test_four_tiles_make_no_board_of_nine_by_nine(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import donuts_engine.tiles

    shipped = Path(donuts_engine.tiles.__file__).with_name("tiles.toml").read_text()
    file = tmp_path / "four.toml"
    file.write_text("[[tile]]".join(shipped.split("[[tile]]")[:5]))
    assert_one_line([*words, "--size", "9", "--tiles", str(file)], "9 tiles", "has 4", capsys)


@pytest.mark.parametrize("content", ["", "tiles = 3\n", "[[[", "\0"])
def test_board_refuses_a_file_that_is_no_tile_set(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tiles.toml"
    file.write_text(content)
    assert_one_line(["board", "--tiles", str(file)], "--tiles", "tiles.toml", capsys)


def test_a_board_from_another_tile_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import donuts_engine.tiles

    shipped = Path(donuts_engine.tiles.__file__).with_name("tiles.toml")
    file = tmp_path / "mine.toml"
    file.write_bytes(shipped.read_bytes())
    assert one_object(capsys, "board", "--tiles", str(file), "--seed", "5") == one_object(
        capsys, "board", "--seed", "5"
    )
