"""PGN: what is written is read back the same, common tools can read its tags, and torn games never count."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donuts_referee.records.faults import BadLine, ReadFault, WriteFault
from donuts_referee.records.journal import Torn
from donuts_referee.records.pgn import PgnFile, clock_text, control_text, pgn, quoted
from donuts_referee.records.pgn_reading import PgnReader, unquoted
from donuts_referee.records.record import Record
from donuts_referee.records.sheet import Sheet
from donuts_referee.table.adjudication import Adjudication, Resignation
from donuts_referee.table.control import TimeControl
from records.played import CONTROLS, Ending, games, played, side, words

MATCH = "20260104-101500-000000-0badcafe"
ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]


def sheet(*args: object, **changed: object) -> Sheet:
    return Sheet.of(Record.of(played(*args, **changed), MATCH))  # type: ignore[arg-type]


def read(path):
    return [one.sheet for one in PgnReader(path)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.pgn"


@settings(max_examples=60)
@given(st.lists(games(), min_size=1, max_size=3))
def test_games_come_back_the_same(tmp_path_factory, several):
    path = tmp_path_factory.mktemp("pgn") / "games.pgn"
    kept = [Record.of(game, MATCH) for game in several]
    with PgnFile(path) as file:
        for one in kept:
            file.append(one)
    reader = PgnReader(path)
    assert [one.sheet for one in reader] == [Sheet.of(one) for one in kept]
    assert reader.torn == ()


@given(words(60))
def test_the_value_of_a_tag_comes_back_and_is_one_printable_line(value):
    told = quoted(value)
    assert unquoted(told) == value
    assert told.isprintable()
    assert re.fullmatch(r'(?:\\.|[^"\\])*', told)


def test_a_plain_name_stands_as_it_is():
    assert quoted("greedy é 🍩 v1.2") == "greedy é 🍩 v1.2"
    assert quoted('my "bot" \\o/') == r"my \"bot\" \\o/"
    assert quoted("a\nb") == r"a\u000ab"


def test_the_seven_tags_come_first_and_a_lax_reader_of_tags_understands_all():
    """The expression is what common PGN readers use for a tag line."""
    text = pgn(sheet(x=side('the "x" bot'), control=TimeControl.parse("60+0.1")))
    head = text.split("\n\n")[0].split("\n")
    tags = dict(
        re.fullmatch(r'\[([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s+"([^\r]*)"\]\s*', one).groups() for one in head
    )
    assert list(tags)[:7] == ROSTER
    assert tags["White"] == r"the \"x\" bot"
    assert tags["Black"] == "donuts:random"
    assert tags["Date"] == tags["UTCDate"] == "2026.01.04"
    assert tags["UTCTime"] == "10:15:30"
    assert tags["TimeControl"] == "60+0.1"
    assert tags["Size"] == "6"
    assert tags["Rings"] == "15"
    assert tags["Seed"] == "1"
    assert re.fullmatch("[HVDA]{36}", tags["Layout"])
    assert tags["Termination"] in ("five", "group")
    assert tags["Verdict"].startswith(tags["Termination"])


def test_the_move_text_has_numbers_clocks_and_narrow_lines():
    game = played(3, control=TimeControl())
    one = Sheet.of(Record.of(game, MATCH))
    body = pgn(one).split("\n\n")[1]
    assert max(map(len, pgn(one).split("\n\n")[1].split("\n"))) <= 79
    text = body.replace("\n", " ")
    first = one.marks[0]
    assert text.startswith(f"1. {one.moves[0]} {{[%clk {clock_text(first.clock)}] [%emt 0:00:00.")
    assert f" 1... {one.moves[1]} " in text
    assert text.endswith(" " + one.result)


def test_where_no_clock_runs_none_is_told():
    game = played(3, control=TimeControl.parse("inf"))
    one = Sheet.of(Record.of(game, MATCH))
    body = pgn(one).split("\n\n")[1]
    assert "%clk" not in body and "%emt" not in body
    told = [turn.eval for turn in game.turns if turn.eval is not None]
    assert told and re.findall(r"\{([^}]*)\}", body) == [f"[%eval {chances}]" for chances in told]


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0:00:00.0"),
        (100, "0:00:00.1"),
        (59_312, "0:00:59.312"),
        (3_600_000, "1:00:00.0"),
        (36_061_050, "10:01:01.05"),
    ],
)
def test_clocks_are_exact_to_the_millisecond(ms, text):
    assert clock_text(ms) == text


@pytest.mark.parametrize(
    ("control", "text"),
    [
        (TimeControl.parse("60+0.1"), "60+0.1"),
        (TimeControl.parse("60"), "60+0"),
        (TimeControl(main=1_234, inc=7), "1.234+0.007"),
        (TimeControl.each("0.1"), "0+0.1"),
        (TimeControl.parse("inf"), "-"),
    ],
)
def test_the_time_control_is_in_seconds(control, text):
    assert control_text(Record.of(played(control=control), MATCH).conditions) == text


def test_an_adjudicated_game_has_its_code_and_what_was_asked_for(path):
    asked = Adjudication(Resignation(501, 1), max_plies=60)
    one = sheet(12, adjudication=asked)
    path.write_text(pgn(one))
    text = path.read_text()
    assert '[Termination "adjudicated"]' in text and '[Adjudication "resign=501,1 plies=60"]' in text
    assert one.result in ("1-0", "0-1") and read(path) == [one]
    assert "[Adjudication" not in pgn(sheet(3))


def test_an_adjudication_that_cannot_be_is_refused_with_its_place(path):
    path.write_text(pgn(sheet(3, adjudication=Adjudication(max_plies=9))).replace("plies=9", "plies=0"))
    with pytest.raises(BadLine, match=r"games\.pgn:1: the tag Adjudication: a game of 0 placements is none"):
        read(path)


@pytest.mark.parametrize(
    ("ending", "result"), [("timeout", "0-1"), ("crash", "0-1"), ("abort", "*"), ("referee", "*")]
)
def test_results_are_told_from_the_side_of_x(path, ending, result):
    one = sheet(ending=Ending(ending, 4), opening=2)
    assert one.result == result
    path.write_text(pgn(one))
    assert read(path) == [one]


def test_a_game_without_a_move_is_a_game(path):
    one = sheet(ending=Ending("start", 0))
    assert one.moves == ()
    path.write_text(pgn(one))
    assert read(path) == [one]


def test_a_game_torn_at_any_byte_is_reported_and_skipped_and_the_next_writer_goes_on(path):
    first, second, third = (sheet(number, number=number, x=side(f"é{number}")) for number in (1, 2, 3))
    whole, last = pgn(first).encode(), pgn(second).encode()
    line = whole.count(b"\n") + 1
    for cut in range(1, len(last)):
        path.write_bytes(whole + last[:cut])
        reader = PgnReader(path)
        complete = cut >= len(last.rstrip())
        assert [one.sheet for one in reader] == ([first, second] if complete else [first])
        assert [one.line for one in reader.torn] == ([] if complete else [line])
        with PgnFile(path) as file:
            file.append(third)
        assert [one.sheet for one in reader] == ([first, second, third] if complete else [first, third])
        assert [one.line for one in reader.torn] == ([] if complete else [line])


def test_a_short_write_leaves_no_half_game(path):
    import os

    first, second = sheet(1), sheet(2)
    limits = [None, 700, None]

    def short(fd, data, /):
        limit = limits.pop(0)
        return os.write(fd, data if limit is None else data[:limit])

    with PgnFile(path, write=short) as file:
        file.append(first)
        with pytest.raises(WriteFault, match="700 of"):
            file.append(second)
        file.append(second)
    reader = PgnReader(path)
    assert [one.sheet for one in reader] == [first, second]
    assert [type(one) for one in reader.torn] == [Torn]


def test_what_other_tools_add_is_passed_over(path):
    one = sheet(3)
    text = pgn(one)
    text = text.replace('[Site "?"]', '[Site "?"]\n[ECO "A00"]').replace("1. ", "1. ", 1)
    square = one.moves[0]
    text = text.replace(f"1. {square} ", f"1. {square} $1 (1. a9 {{no}} (2. b9)) {{a word}} ; rest\n", 1)
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert read(path) == [one]


def test_the_least_that_makes_a_game_is_its_layout_and_a_result(path):
    layout = sheet(1).layout
    path.write_text(f'[White "me"]\n[Layout "{layout}"]\n\n1. c1 e1 1-0\n')
    (one,) = read(path)
    assert (one.x, one.o, one.size, one.rings, one.moves, one.winner) == ("me", "?", 6, 15, ("c1", "e1"), "x")
    assert one.marks == (None, None)
    assert one.id == "games-1"


@pytest.mark.parametrize(
    ("broken", "line", "says"),
    [
        ('[Layout "{layout}"]\n\n1. c1 Nf3 1-0\n\n', 3, "'Nf3' is not a placement"),
        ('[Layout "{layout}"]\n\n1. c1 e1\n\n', 1, "the game has no result"),
        ('[White "a"]\n\n1. c1 1-0\n\n', 1, "the tag Layout is missing"),
        ('[Layout "{layout}"]\n[Rings "many"]\n\n1-0\n\n', 1, "the tag Rings is 'many'"),
        (
            '[Layout "{layout}"]\n[TimeControl "40/9000"]\n\n1-0\n\n',
            1,
            "TimeControl '40/9000' is not in seconds",
        ),
        ('[Layout "{layout}"]\n[Rings 15]\n\n1-0\n\n', 2, "not a tag"),
        ('[Layout "{layout}"]\n\n1. j1 1-0\n\n', 3, "'j1' is not a placement"),
    ],
)
def test_a_bad_game_in_the_middle_names_file_line_and_remedy(path, broken, line, says):
    one = sheet(1)
    path.write_text(broken.replace("{layout}", one.layout) + pgn(one))
    with pytest.raises(BadLine) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:{line}: {says}")
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_text_without_a_game_and_a_file_that_is_not_there(path):
    with pytest.raises(ReadFault, match="no such file"):
        read(path)
    path.write_text("once upon a time")
    with pytest.raises(BadLine, match=":1: no game begins here"):
        read(path)


def test_bytes_that_are_no_utf8_are_read(path):
    path.write_bytes(f'[White "Andr\xe9"]\n[Layout "{sheet(1).layout}"]\n\n*\n'.encode("latin-1"))
    assert read(path)[0].x == "Andr\udce9"


@pytest.mark.parametrize("control", CONTROLS, ids=str)
def test_conditions_come_back_exactly(path, control):
    one = sheet(5, control=control, opening=1)
    path.write_text(pgn(one))
    assert read(path)[0].conditions == one.conditions
