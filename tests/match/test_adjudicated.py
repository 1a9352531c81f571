"""A match whose operator had its games adjudicated, from the command line to the records."""

from donuts_referee.cli.main import main
from match.arena import Arena


def test_both_bots_are_told_stay_for_the_next_game_and_leave_records_that_hold(arena: Arena, capsys) -> None:
    played = arena.play("plain.py", "comments.py", "--json", "--games", "2", "--adjudicate", "plies=6")
    assert played.exit == 0, played.err
    assert [(each["why"], each["winner"], each["fault"]) for each in played.of("verdict")] == [
        ("adjudicated", "-", None)
    ] * 2
    assert [record["conditions"]["adjudication"] for record in played.records] == [
        {"resignation": None, "max_plies": 6, "solver": False}
    ] * 2
    assert (played.hellos("1"), played.hellos("2")) == (1, 1)
    records = played.folder / "records"
    assert (records / "games.pgn").read_text().count('[Termination "adjudicated"]') == 2
    for file in ("journal.jsonl", "games.pgn"):
        assert main(["replay", str(records / file), "--game", "2", "--ascii"]) == 0
    capsys.readouterr()
    assert arena.left_behind() == []


def test_a_match_without_it_says_nothing_of_it_in_its_records(arena: Arena) -> None:
    played = arena.play("plain.py", "comments.py", "--json", "--games", "1")
    assert list(played.records[0]["conditions"]) == ["main", "inc", "movemax", "margin", "prep"]
