"""Who takes part: names that clash, programs that are not there, and the words of the file by which both are told."""

import json
from pathlib import Path

import pytest

from donuts_referee.competition.config import ConfigFault, read_event

TWO = 'bots = ["donuts:greedy", "donuts:random"]\n'


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def faults(text: str) -> tuple[str, ...]:
    Path("event.toml").write_text(text)
    with pytest.raises(ConfigFault) as caught:
        read_event(Path("event.toml"))
    return caught.value.faults


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def team(name: str, text: str) -> Path:
    bot = program(Path("teams", name, "bot"))
    (bot.parent / "bot.toml").write_text(text)
    return bot


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('bots = ["donuts:random",\n"./nix"]', "2: bots[2]: there is no file {here}/nix"),
        ('bots = ["donuts:random",\n"teams/nix"]', "2: bots[2]: there is no file {here}/teams/nix"),
        ('bots = ["donuts:random",\n"./nix.py"]', "2: bots[2]: there is no file {here}/nix.py"),
        ('bots = ["donuts:random",\n"sh nix.sh -x"]', "2: bots[2]: there is no file {here}/nix.sh"),
        ('bots = ["donuts:random",\n"nix -x"]', "2: bots[2]: there is no program nix in PATH"),
        (f'{TWO}[[bot]]\nname = "a"\nrun = "./nix"', "4: bot[1].run: there is no file {here}/nix"),
        (
            f'{TWO}[[bot]]\nname = "a"\nrun = "./event.toml"',
            "4: bot[1].run: {here}/event.toml is not executable; chmod +x makes it so",
        ),
        (
            f'{TWO}[[bot]]\nname = "a"\nrun = "./there"',
            "4: bot[1].run: {here}/there is a folder; name the program in it",
        ),
    ],
)  # fmt: skip
def test_a_path_that_leads_nowhere_is_told_with_its_line(text: str, told: str) -> None:
    Path("there").mkdir()
    assert faults(text) == (f"event.toml:{told.format(here=Path.cwd())}",)


@pytest.mark.parametrize("word", ["x" * 5000, "\x00", "a\nb"])
def test_no_word_is_too_odd_to_be_told_in_one_line(word: str) -> None:
    odd = json.dumps(f"./{word}")
    for keys in (f"run = {odd}", f'run = "sh"\ncwd = {odd}'):
        (told,) = faults(f'{TWO}[[bot]]\nname = "a"\n{keys}')
        assert told.isprintable() and len(told) < 1000


def test_what_an_interpreter_runs_otherwise_is_not_looked_for() -> None:
    Path("run.sh").touch()
    Path("event.toml").write_text(
        'bots = ["sh run.sh", "donuts:random"]\n'
        '[[bot]]\nname = "a"\nrun = "sh -c \'exec ./nix.sh\'"\n'
        '[[bot]]\nname = "b"\nrun = ["python3", "-m", "nix.py"]\n'
    )
    assert len(read_event(Path("event.toml")).bots) == 4


def test_a_program_that_is_not_built_yet_is_told_unless_its_bot_is_withdrawn() -> None:
    team("x", 'run = "./bot"\nbuild = "make"').unlink()
    text = 'bots = ["donuts:random", "donuts:greedy",\n"teams/x"]\n'
    assert faults(text) == (
        f"event.toml:2: bots[3]: 'teams/x': there is no file {Path.cwd()}/teams/x/bot; "
        "`donuts intake` builds what teams hand in",
    )
    Path("event.toml").write_text(f'{text}withdrawn = ["x"]')
    assert len(read_event(Path("event.toml")).bots) == 3


def test_of_bots_that_share_a_name_the_words_of_the_file_are_said() -> None:
    program(Path("mine"))
    team("x", 'name = "MINE"\nrun = "./bot"')
    mine = "as './mine --fast' on line 1 is"
    same = "names must differ by more than case: say another in"
    assert faults('bots = ["./mine --fast",\n"./mine --slow",\n"teams/x"]') == (
        f"event.toml:2: bots[2]: './mine --slow' is called mine, {mine}; {same} a [[bot]] table",
        f"event.toml:3: bots[3]: 'teams/x' is called MINE, {mine}; {same} its bot.toml",
    )
    assert faults('[[bot]]\nname = "a"\nrun = "./mine"\n' * 2) == (
        f"event.toml:5: bot[2].name: bot[2] is called a, as bot[1] on line 2 is; {same} a [[bot]] table",
    )


def test_each_fault_of_a_bot_toml_is_a_line_of_its_own_and_very_many_are_counted() -> None:
    team("x", 'runs = "./bot"\n[limits]\nfiles = 0\nmemory = 0')
    inside = f"event.toml:1: bots[2]: {Path.cwd()}/teams/x/bot.toml:"
    assert [fault.removeprefix(inside)[:2] for fault in faults('bots = ["donuts:greedy", "teams/x"]')] == [
        "1:", "1:", "3:", "4:",
    ]  # fmt: skip
    many = faults(TWO + "".join(f"x{number} = 1\n" for number in range(30)))
    assert len(many) == 21 and many[-1] == "and 10 more" and many[0].startswith("event.toml:2: x0: unknown")
