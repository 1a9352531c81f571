"""A site in a real browser, from the disk: games are stepped through, and the board is the engine's."""

import html
import json
import os
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from donuts_engine.board import Board
from donuts_engine.outcome import fives
from donuts_engine.position import Position
from donuts_engine.rules import flipped, play
from donuts_engine.squares import NAMES, index
from donuts_referee.contest import JOURNAL
from donuts_referee.records.journal import Journal
from donuts_referee.records.record import Record
from donuts_referee.web.site import write_site
from records.played import played, side

MATCH = "20260104-101500-000000-0badcafe"
NAME = "<img src=x onerror=document.title='broken'>"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory):
    """The page at an address as the browser has it when its scripts have run."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        if os.environ.get("DONUTS_BROWSER") == "required":
            pytest.fail("DONUTS_BROWSER=required, and there is no chromium")
        pytest.skip("no browser: apt install chromium")
    profile = tmp_path_factory.mktemp("profile")

    def dump(path: Path, address: str = "") -> str:
        words = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        words += [f"--user-data-dir={profile}", "--virtual-time-budget=10000", "--dump-dom"]
        done = subprocess.run(
            [*words, f"{path.as_uri()}{address}"], capture_output=True, text=True, timeout=120, check=True
        )
        return done.stdout

    return dump


@pytest.fixture(scope="module")
def records() -> list[Record]:
    games = [
        played(number, number=number, size=(6, 9)[number % 2], x=side("alpha"), o=side(NAME))
        for number in range(1, 16)
    ]
    return [Record.of(game, MATCH) for game in games]


@pytest.fixture(scope="module")
def site(records: list[Record], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    with Journal(folder / JOURNAL) as journal:
        for record in records:
            journal.append(record)
    write_site(folder, folder / "site")
    return folder / "site"


def positions(record: Record) -> list[Position]:
    position = Position.start(Board.of(record.layout), record.rings)
    reached = [position]
    for square in record.moves:
        position = play(position, index(square, record.size))
        reached.append(position)
    return reached


def test_the_address_says_which_game_and_ply_are_on_the_board(browser, site, records):
    record, ply = records[11], 7
    position = positions(record)[ply]
    page = browser(site / "games.html", f"#g=12&ply={ply}")
    squares = re.findall(r'<g class="([^"]*)"[^>]* data-square="(..)" data-cell="(.)"', page)
    names = NAMES[record.size]
    assert [name for _, name, _ in squares] == list(names)
    assert "".join(cell for _, _, cell in squares) == position.cells
    marked = {
        mark: [name for marks, name, _ in squares if mark in marks.split()] for mark in ("last", "legal")
    }
    assert marked == {"last": [record.moves[ply - 1]], "legal": list(position.legal_names)}
    text = html.unescape(re.sub(r"<[^>]*>", " ", page.partition("<body>")[2]))
    assert f"Game 12: alpha – {NAME}" in text
    assert record.verdict.text in text
    assert f"Ply 6: Chocolate on {record.moves[ply - 1]}" in text
    assert f"{ply} / {len(record.moves)}" in text
    assert "<title>Games" in page
    assert page.count("<img") == 0


def test_what_is_out_of_bounds_shows_the_nearest_ply_or_no_game(browser, site, records):
    page = browser(site / "games.html", "#g=3&ply=9999")
    assert f"{len(records[2].moves)} / {len(records[2].moves)}" in page
    assert re.search(r'<section id="viewer" hidden', browser(site / "games.html", "#g=16&ply=0"))


CLICKS = """
<script>
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
addEventListener("load", () => setTimeout(() => {
  const seen = [];
  const note = () => seen.push(document.getElementById("count").textContent);
  press("ArrowRight"); press("ArrowRight"); note();
  press("ArrowLeft"); note();
  press("End"); note();
  press("Home"); note();
  document.getElementById("on").click(); note();
  document.querySelectorAll("#moves button")[4].click(); note();
  document.getElementById("next").click(); note();
  seen.push(location.hash);
  const pre = document.createElement("pre");
  pre.id = "seen"; pre.textContent = JSON.stringify(seen);
  document.body.appendChild(pre);
}, 500));
</script>
"""


def test_keys_and_buttons_step_through_a_game(browser, site, records):
    page = (site / "games.html").read_text("utf-8")
    (site / "clicked.html").write_text(page.replace("</body>", CLICKS + "</body>"), "utf-8")
    found = re.search(r'<pre id="seen">(.*?)</pre>', browser(site / "clicked.html", "#g=1&ply=0"))
    assert found is not None
    most, after = len(records[0].moves), len(records[1].moves)
    counts = [f"{at} / {most}" for at in (2, 1, most, 0, 1, 5)]
    assert json.loads(html.unescape(found[1])) == [*counts, f"0 / {after}", "#g=2&ply=0"]


def test_the_board_of_the_page_is_that_of_the_engine(browser, site, records):
    """Cells, flips, legal squares and rows of five at every ply of many games, in one page."""
    given = json.dumps([[record.layout, list(record.moves), record.rings] for record in records])
    (site / "rules.html").write_text(
        '<!doctype html><script src="assets/board.js"></script><pre id="told"></pre><script>'
        f"const games = {given};"
        'document.getElementById("told").textContent = JSON.stringify('
        "games.map(([layout, moves, rings]) => DonutsBoard.positions(layout, moves, rings)));</script>",
        "utf-8",
    )
    told = re.search(r'<pre id="told">(.*?)</pre>', browser(site / "rules.html"))
    assert told is not None
    for record, drawn in zip(records, json.loads(html.unescape(told[1])), strict=True):
        reached = positions(record)
        assert [one["cells"] for one in drawn] == [one.cells for one in reached]
        assert [one["legal"] for one in drawn[1:]] == [list(one.legal) for one in reached[1:]]
        assert [one["five"] for one in drawn] == [list(fives(one)) for one in reached]
        turned = [list(flipped(*both)) for both in pairwise(reached)]
        assert [sorted(set(one["flips"])) for one in drawn[1:]] == turned
    assert any(len(position["flips"]) > 1 for position in drawn)
