"""Bots of both encodings meet at one table, the shipped ones among them."""

import sys

import pytest

from match.arena import Arena


@pytest.mark.parametrize("size", ["6", "9"])
def test_msgpack_plays_text(arena: Arena, size: str) -> None:
    played = arena.play("packed.py", "plain.py", "--json", "--size", size, "--movetime", "30")
    assert played.exit == 0
    assert {each["why"] for each in played.of("verdict")} <= {"five", "group"}
    for record in played.records:
        sides = {record[side]["name"]: record[side]["encoding"] for side in "xo"}
        assert sides == {"packed": "msgpack", "plain": "text"}


def test_the_shipped_bots_play_in_both_encodings(arena: Arena) -> None:
    words = [sys.executable, "-P", "-m", "donuts_client.bots.random", "--msgpack"]
    (arena.folder / "bots.toml").write_text(f"[bots.named-random]\nrun = {words!r}\n")
    options = ("--json", "--movetime", "30", "--games", "4", "--seed", "3")
    played = arena.play("donuts:greedy", "named-random", *options)
    assert played.exit == 0, played.err
    assert {each["why"] for each in played.of("verdict")} <= {"five", "group"}
    assert {record[side]["encoding"] for record in played.records for side in "xo"} == {"text", "msgpack"}
    assert played.of("score")[0]["score"]["1"] >= 3, "looking one ring ahead beats dice"


def test_the_same_seed_gives_the_same_match(arena: Arena) -> None:
    one = arena.play("donuts:greedy", "donuts:random", "--json", "--seed", "5", "--movetime", "30")
    two = arena.play("donuts:greedy", "donuts:random", "--json", "--seed", "5", "--movetime", "30")
    moves = [record["moves"] for record in one.records]
    assert [record["moves"] for record in two.records] == moves + moves
