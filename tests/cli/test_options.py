"""What is asked of a match: every bad input is one line and exit 2 before a file is made or a bot is started."""

from pathlib import Path

import pytest

from donuts_protocol.keys import NO_LIMIT
from donuts_referee.cli.main import main
from donuts_referee.cli.options import MatchOptions, add_options, read_options
from donuts_referee.cli.parser import Parser
from donuts_referee.table.adjudication import Adjudication, Resignation

LAYOUT = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(*words: str, person: bool = False) -> MatchOptions:
    parser = Parser(prog="donuts play")
    add_options(parser)
    return read_options(parser.parse_args(list(words)), person=person)


def test_the_defaults() -> None:
    options = read()
    control = options.rules.control
    assert (control.main, control.inc, control.movemax) == (60_000, 100, None)
    assert (control.margin, control.prep, control.hello) == (50, 10_000, 30_000)
    assert [each.board.size for each in options.settings] == [6, 6]
    assert options.settings[0].rings == 15
    assert options.rules.on_fault == "forfeit"
    assert options.records == Path("donuts-records")
    assert (options.wire, options.view, options.strict, options.drawn) == (None, "lines", False, True)


def test_a_drawn_seed_can_be_given_back() -> None:
    drawn = read("--games", "6")
    assert read("--games", "6", "--seed", str(drawn.seed)).settings == drawn.settings


@pytest.mark.parametrize(
    ("words", "main_", "inc", "movemax"),
    [
        (["--tc", "60+0.1"], 60_000, 100, None),
        (["--tc", "5"], 5_000, 0, None),
        (["--tc", "0+0.5"], 0, 500, None),
        (["--tc", "inf"], NO_LIMIT, 0, None),
        (["--movetime", "0.25"], 0, 250, 250),
    ],
)
def test_time_controls(words: list[str], main_: int, inc: int, movemax: int | None) -> None:
    control = read(*words).rules.control
    assert (control.main, control.inc, control.movemax) == (main_, inc, movemax)


def test_a_person_plays_without_a_clock_unless_one_is_asked_for() -> None:
    assert read(person=True).rules.control.unlimited
    assert read("--tc", "60", person=True).rules.control.main == 60_000
    assert read("--movetime", "9", person=True).rules.control.movemax == 9_000


def test_games_are_adjudicated_only_where_that_is_asked_for() -> None:
    assert read().rules.adjudication is None
    asked = read("--adjudicate", "resign=950,2", "--adjudicate", "plies=40").rules.adjudication
    assert asked == Adjudication(Resignation(eval=950, plies=2), max_plies=40)


def test_boards() -> None:
    assert {each.board.layout for each in read("--layout", LAYOUT).settings} == {LAYOUT}
    assert {each.number for each in read("--board", "5").settings} == {5}
    nine = read("--size", "9").settings[0]
    assert (nine.board.size, nine.rings) == (9, 36)
    assert read("--layout", "H" * 81).settings[0].rings == 36
    assert read("--size", "9", "--rings", "40").settings[0].rings == 40


BAD: list[tuple[list[str], str]] = [
    *(([f"--tc={text}"], "--tc") for text in ("abc", "nan", "-1", "1e9", "", "inf+1", "60+", "+1", "0")),
    *(([f"--tc={text}"], "--tc") for text in ("60+0.0001", "1_0", "６0", ".", "1.2.3", "9" * 400)),
    *(([f"--movetime={text}"], "--movetime") for text in ("abc", "nan", "-1", "1e9", "", "0", "inf")),
    (["--tc", "60", "--movetime", "1"], "--movetime"),
    *(([f"--games={text}"], "--games") for text in ("0", "-1", "x", "", "1.5", "100001", "1_0")),
    *(([f"--seed={text}"], "--seed") for text in ("-1", "x", str(2**53))),
    *(([f"--margin={text}"], "--margin") for text in ("-1", "x")),
    *(([f"--prep={text}"], "--prep") for text in ("0", "x", "")),
    *(([f"--hello={text}"], "--hello") for text in ("0", "nan")),
    (["--size", "7"], "--size"),
    (["--layout", LAYOUT[1:]], "--layout"),
    (["--layout", LAYOUT[1:] + "Q"], "--layout"),
    (["--layout", LAYOUT, "--size", "9"], "--layout"),
    (["--layout", LAYOUT, "--board", "1"], "--board"),
    (["--board", "24576"], "--board"),
    (["--board", "1", "--size", "9"], "--board"),
    (["--rings", "19"], "--rings"),
    (["--rings", "0"], "--rings"),
    (["--rings", "41", "--size", "9"], "--rings"),
    (["--opening", "a1,z9"], "--opening"),
    (["--opening", "a1,g1"], "--opening"),
    (["--opening", "a1,a1"], "--opening"),
    (["--opening", "a1,f1", "--layout", "V" * 36], "--opening"),
    (["--opening", ","], "--opening"),
    (["--tiles", "nowhere.toml"], "nowhere.toml"),
    (["--on-fault", "shrug"], "--on-fault"),
    (["--adjudicate", "resign=400"], "--adjudicate: an eval of 400 says of no side that it wins"),
    (["--adjudicate", "plies"], "--adjudicate: 'plies' is not understood; write resign"),
    (["--adjudicate", "plies=9", "--adjudicate", "plies=8"], "--adjudicate: plies is asked for twice"),
    (["--adjudicate", "solver"], "--adjudicate: a match has no solver; write resign"),
    (["--watch", "--json"], "--watch"),
    (["--wath"], "--wath (donuts play --help says more)"),
    (["--game", "3"], "--game"),
    (["--records", "file/below"], "file"),
    (["--records", ""], "--records is empty"),
    (["--wire", ""], "--wire is empty"),
    (["--tiles", ""], "--tiles is empty"),
    (["--wire", "file/below"], "file"),
    (["--records", "file"], "file"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "named"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_is_one_line_and_exit_2(
    words: list[str], named: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main(["play", "donuts:greedy", "donuts:random", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    line = err.removeprefix("seed: ")
    assert line.startswith("donuts: ") and line.count("\n") == 1 and "Traceback" not in line
    assert named in line


def test_a_bad_tile_set_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "tiles.toml").write_text("[[tile]]\nfront = 'H'\n")
    assert main(["play", "donuts:greedy", "donuts:random", "--tiles", "tiles.toml"]) == 2
    err = capsys.readouterr().err
    assert "tiles.toml" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["play"],
        ["play", "donuts:greedy"],
        ["play", "donuts:greedy", "donuts:random", "donuts:random"],
        ["play", "donuts:greedy", "nosuchbot"],
        ["play", "donuts:nosuch", "donuts:greedy"],
        ["play", "", "donuts:greedy"],
        ["referee"],
        ["referee", "--against", "human"],
        ["referee", "--against", "nosuchbot"],
        ["referee", "--against", "donuts:random", "--watch"],
        ["bench"],
        ["bench", "speed"],
        ["bench", "ply", "--games", "0"],
        ["nosuchcommand"],
        ["--nosuchoption"],
        ["\x1b[31m"],
    ],
)
def test_a_bad_command_line_is_one_line_and_exit_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("donuts: ") and err.count("\n") == 1 and "\x1b" not in err


def test_nothing_is_made_when_the_input_is_bad(tmp_path: Path) -> None:
    assert main(["play", "donuts:greedy", "donuts:random", "--tc", "abc"]) == 2
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_channel_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DONUTS_CHANNEL", "smoke")
    assert main(["play", "donuts:greedy", "donuts:random"]) == 2
    err = capsys.readouterr().err
    assert "DONUTS_CHANNEL" in err and err.count("\n") == 1
