"""README.md says what is so: its bots play, its commands parse, its picture is the real drawing, its files exist."""

import argparse
import importlib
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from donuts_engine.board import Board
from donuts_engine.drawing import draw
from donuts_engine.notation import parse_moves
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_referee.cli.fault import ExitCode
from donuts_referee.cli.main import COMMANDS
from donuts_referee.cli.parser import Parser
from donuts_referee.roster import SHIPPED

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)


def blocks(language: str) -> list[str]:
    return [text for named, text in BLOCKS if named == language]


def commands() -> list[str]:
    """Every `donuts ...` line of a code block, and the one above the picture."""
    lines = [
        line.removeprefix("$ ").split("  #")[0].strip() for _, text in BLOCKS for line in text.splitlines()
    ]
    return [line for line in lines if line.startswith("donuts ")]


def test_the_ten_line_bot_is_the_shipped_one() -> None:
    shipped = (ROOT / "clients" / "python" / "minimal.py").read_text("utf-8")
    assert blocks("python")[0] == shipped
    assert len(shipped.splitlines()) == 10


@pytest.mark.parametrize("number", [0, 1], ids=["ten lines", "donuts_client"])
def test_the_bots_of_the_readme_play(number: int, tmp_path: Path) -> None:
    bot = tmp_path / "mybot.py"
    bot.write_text(blocks("python")[number], "utf-8")
    match = [sys.executable, "-m", "donuts_referee", "play", "mybot.py", "donuts:random"]
    done = subprocess.run(
        [*match, "--games", "2", "--seed", "7", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert all(json.loads(line) for line in done.stdout.splitlines())
    journal = (tmp_path / "donuts-records" / "journal.jsonl").read_text("utf-8").splitlines()
    games = [json.loads(line) for line in journal]
    assert [game["verdict"]["why"] in ("five", "group") for game in games] == [True, True], games
    assert (tmp_path / "donuts-records" / "games.pgn").is_file()


def test_there_are_commands_to_check() -> None:
    named = {shlex.split(line)[1] for line in commands()}
    assert named == set(COMMANDS)


@pytest.mark.parametrize("line", commands())
def test_a_command_of_the_readme_parses(line: str) -> None:
    words = shlex.split(line)[1:]
    parser = Parser(prog="donuts")
    module = importlib.import_module(f"donuts_referee.cli.{words[0]}")
    module.add_parser(parser.add_subparsers(dest="command", required=True))
    assert isinstance(parser.parse_args(words), argparse.Namespace)


def test_the_picture_is_the_real_drawing() -> None:
    picture = next(text for text in blocks("") if text.startswith("$ donuts position"))
    command, *shown = picture.splitlines()
    _, _, _, layout, _, moves = command.split()
    position = Position.start(Board.of(layout))
    for square in parse_moves(moves, position.board.size):
        position = play(position, square)
    drawn = draw(position, colour=False, ascii=True).splitlines()
    assert shown[: len(drawn)] == drawn


def test_the_roster_table_names_every_shipped_bot() -> None:
    for name in SHIPPED:
        assert f"`donuts:{name}`" in README


def test_the_exit_codes_are_the_ones_of_the_code() -> None:
    table = README.split("## Exit codes")[1].split("\n## ")[0]
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.M)} == {
        int(code) for code in ExitCode
    }


def test_the_make_verbs_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    pages = README + (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    verbs = set(re.findall(r"make ([a-z]+)(?=`|  )", pages))
    assert verbs >= {"play", "test", "check", "fix", "docs", "setup"}
    assert [verb for verb in verbs if not re.search(rf"^{verb}:.*##", makefile, re.M)] == []


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        assert (ROOT / path).is_file(), target
        if anchor:
            heads = re.findall(r"^#+ (.*)$", (ROOT / path).read_text("utf-8"), re.M)
            assert anchor in {
                re.sub(r"[^\w -]", "", head).strip().lower().replace(" ", "-") for head in heads
            }


def test_the_files_it_names_exist() -> None:
    for folder in ("grammar.abnf", "schema/", "vectors/", "transcripts/"):
        assert f"`{folder}`" in README
        assert (ROOT / "protocol" / folder).exists(), folder
    assert (ROOT / ".github" / "workflows" / "tests.yml").is_file()
