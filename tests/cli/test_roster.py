"""Finding a bot: the order of the look-up, what a command line becomes, and what a bad roster is told."""

import sys
from pathlib import Path

import pytest

from donuts_referee.bots_file import NAME
from donuts_referee.channels.limits import Limits
from donuts_referee.roster import LEVELS, SHIPPED, TEAM_FILE, Kind, RosterFault, find, unique
from donuts_referee.teams import bot_toml


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def argv(text: str, folder: Path) -> tuple[str, ...]:
    found = find(text, folder).program
    assert found is not None
    return found.argv


def roster(folder: Path, text: str) -> None:
    (folder / "bots.toml").write_text(text, "utf-8")


def fault(text: str, folder: Path) -> str:
    with pytest.raises(RosterFault) as caught:
        find(text, folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- the order ---


def test_a_person(tmp_path: Path) -> None:
    program(tmp_path / "human")
    entry = find("human", tmp_path)
    assert (entry.name, entry.kind, entry.program) == ("human", Kind.HUMAN, None)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_bots_run_with_this_python_and_shadow_no_module(name: str, tmp_path: Path) -> None:
    entry = find(f"donuts:{name}", tmp_path)
    assert (entry.name, entry.kind) == (name, Kind.SHIPPED)
    assert argv(f"donuts:{name}", tmp_path) == (sys.executable, "-P", "-m", f"donuts_client.bots.{name}")


def test_an_unknown_shipped_bot_lists_those_there_are(tmp_path: Path) -> None:
    said = fault("donuts:clever", tmp_path)
    assert "donuts:random" in said and "donuts:greedy" in said and "'clever'" in said


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_is_told_to_the_bot_and_is_part_of_its_name(name: str, tmp_path: Path) -> None:
    for level in range(1, LEVELS[name] + 1):
        entry = find(f"donuts:{name}:{level}", tmp_path)
        assert (entry.name, entry.kind) == (f"{name}-{level}", Kind.SHIPPED)
        assert NAME.fullmatch(entry.name), "a name that an event takes"
        assert argv(f"donuts:{name}:{level}", tmp_path)[-3:] == (
            f"donuts_client.bots.{name}",
            "--level",
            str(level),
        )


@pytest.mark.parametrize("level", ["0", "6", "", "x", "01", " 1", "-1", "1:2", "\u0661"])
def test_a_level_that_does_not_exist_is_told_those_that_do(level: str, tmp_path: Path) -> None:
    said = fault(f"donuts:mcts:{level}", tmp_path)
    assert "1 to 5" in said and "donuts:mcts:5" in said


def test_a_bot_without_levels_says_so(tmp_path: Path) -> None:
    assert "has no levels" in fault("donuts:greedy:2", tmp_path)


def test_a_name_in_the_roster_comes_before_a_program(tmp_path: Path) -> None:
    program(tmp_path / "alpha")
    roster(tmp_path, '[bots.alpha]\nrun = "./beta -x"\n')
    entry = find("alpha", tmp_path)
    assert (entry.name, entry.kind) == ("alpha", Kind.NAMED)
    assert argv("alpha", tmp_path) == (str(tmp_path / "beta"), "-x")


def test_a_folder_with_a_bot_toml_is_the_bot_of_a_team(tmp_path: Path) -> None:
    program(tmp_path / "teams" / "one" / "bin" / "bot")
    (tmp_path / "teams" / "one" / "bot.toml").write_text(
        'name = "alpha"\nrun = "./bot -x"\ncwd = "bin"\nenv = { THREADS = "1" }\nlimits = { memory = 64 }\n'
    )
    home = str(tmp_path / "teams" / "one" / "bin")
    for text in ("teams/one", "./teams/one/", str(tmp_path / "teams" / "one")):
        entry = find(text, tmp_path)
        assert (entry.name, entry.kind) == ("alpha", Kind.FOLDER)
        assert entry.program == ((f"{home}/bot", "-x"), home, (("THREADS", "1"),), Limits(memory=64))
    assert find("one", tmp_path / "teams").kind is Kind.FOLDER
    roster(tmp_path / "teams", '[bots.one]\nrun = "./beta"\n')
    assert find("one", tmp_path / "teams").kind is Kind.NAMED


def test_the_name_of_the_file_is_the_teams_own() -> None:
    assert bot_toml.FILE == TEAM_FILE


def test_every_fault_of_a_bot_toml_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "alpha").mkdir()
    (tmp_path / "alpha" / "bot.toml").write_text('run = 5\nenv = "x"\n')
    said = fault("alpha", tmp_path)
    assert "bot.toml:1: run" in said and "bot.toml:2: env" in said


def test_a_command_line_may_be_longer_than_a_name_of_a_file(tmp_path: Path) -> None:
    assert argv(f"./bot {'x' * 5000}", tmp_path)[1] == "x" * 5000


def test_a_word_found_nowhere_is_told_what_was_tried(tmp_path: Path) -> None:
    said = fault("nosuchbot", tmp_path)
    for tried in ("human", "donuts:random", "bots.toml", "bot.toml", "file", "PATH"):
        assert tried in said


@pytest.mark.parametrize("text", ["", "   ", "''", "'a", "a\0b"])
def test_what_is_no_command_line(text: str, tmp_path: Path) -> None:
    fault(text, tmp_path)


# --- command lines ---


def test_a_relative_program_is_made_absolute_and_words_are_kept(tmp_path: Path) -> None:
    assert argv("./mybot -x 'a b'", tmp_path) == (str(tmp_path / "mybot"), "-x", "a b")
    assert argv("../other/bot", tmp_path) == (str(tmp_path.parent / "other" / "bot"),)


def test_a_missing_path_is_left_for_the_start_to_fail(tmp_path: Path) -> None:
    assert argv("./missing", tmp_path) == (str(tmp_path / "missing"),)


def test_a_program_in_path_is_found_and_its_script_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = program(tmp_path / "bin" / "node")
    monkeypatch.setenv("PATH", str(node.parent))
    (tmp_path / "deep.js").write_text("")
    entry = find("node --fast deep.js 3", tmp_path)
    assert entry.name == "deep"
    assert argv("node --fast deep.js 3", tmp_path) == (str(node), "--fast", "deep.js", "3")
    assert find("node", tmp_path).name == "node"


def test_a_file_of_this_folder_counts_as_a_bare_word(tmp_path: Path) -> None:
    program(tmp_path / "mybot")
    assert argv("mybot", tmp_path) == (str(tmp_path / "mybot"),)


def test_python_and_java_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "mybot.py").write_text("")
    assert argv("mybot.py -x", tmp_path) == (sys.executable, str(tmp_path / "mybot.py"), "-x")
    assert argv("sub/mybot.jar", tmp_path) == ("java", "-jar", str(tmp_path / "sub" / "mybot.jar"))
    assert find("sub/mybot.jar", tmp_path).name == "mybot"


def test_names_are_short_and_printable(tmp_path: Path) -> None:
    assert find("./" + "x" * 90, tmp_path).name == "x" * 40
    assert find("./a\x1b[31m", tmp_path).name == "a?[31m"


def test_names_are_unique_in_a_match() -> None:
    assert unique("greedy", "random") == ("greedy", "random")
    assert unique("greedy", "greedy") == ("greedy", "greedy#2")
    first, second = unique("x" * 40, "x" * 40)
    assert first != second and len(second) == 40


# --- bots.toml ---


def test_all_of_an_entry(tmp_path: Path) -> None:
    (tmp_path / "engines").mkdir()
    roster(tmp_path, '[bots.beta]\nrun = ["beta.py", "-d", "4"]\ncwd = "engines"\nenv = { THREADS = "1" }\n')
    found = find("beta", tmp_path).program
    assert found is not None
    assert found.argv == (sys.executable, str(tmp_path / "engines" / "beta.py"), "-d", "4")
    assert found.cwd == str(tmp_path / "engines")
    assert dict(found.env) == {"THREADS": "1"}


def test_every_fault_at_once_each_with_its_key(tmp_path: Path) -> None:
    roster(
        tmp_path,
        'typo = 1\n[bots.a]\nrum = "./a"\n[bots.b]\nrun = 5\ncwd = "nowhere"\n[bots.c]\nrun = "x \'y"\n'
        'env = { A = 1, "B=" = "x" }\n[bots.human]\nrun = []\n[bots]\nd = 3\n"a b" = { run = "x" }\n',
    )
    said = fault("a", tmp_path)
    for key in ("bots.toml", "typo", "bots.a.rum", "bots.a.run", "bots.b.run", "bots.b.cwd", "bots.c.run",
                "bots.c.env.A", "bots.c.env.'B='", "bots.human:", "bots.human.run", "bots.d", "'a b'"):  # fmt: skip
        assert key in said


def test_a_roster_with_faults_stops_whoever_would_look_into_it(tmp_path: Path) -> None:
    roster(tmp_path, "[bots.a]\n")
    fault("./mybot", tmp_path)
    assert find("donuts:random", tmp_path).kind is Kind.SHIPPED


@pytest.mark.parametrize("text", ["[bots", "bots = 3", "\xff"])
def test_what_is_no_roster(text: str, tmp_path: Path) -> None:
    (tmp_path / "bots.toml").write_bytes(text.encode("latin-1"))
    assert "bots.toml" in fault("alpha", tmp_path)


def test_a_name_too_long_for_a_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(RosterFault, match="cannot be looked up here"):
        find("a" * 5000, tmp_path)
