"""What a site holds: every game as it was, every stranger's text as text, and no more than plain files."""

import html
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competition.kept_event import described, simulate
from donuts_referee.competition.event import Gauntlet, Knockout, Ladder, RoundRobin, Sprt, Swiss
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import ReadFault, WriteFault
from donuts_referee.records.journal import Journal, JournalReader
from donuts_referee.records.record import Record
from donuts_referee.web import scripts
from donuts_referee.web.markup import Html, element, fill, script, slug
from donuts_referee.web.pages import guilty_games
from donuts_referee.web.scripts import Line
from donuts_referee.web.site import write_site
from records.played import Ending, played, side
from web.reading import Tags, pages

MATCH = "20260104-101500-000000-0badcafe"
NASTY = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "\"'`&lt;",
    "../../etc/passwd",
    "a\u202eb\u2028c\x1b[2J",
    "ALPHA",
    "alpha",
    "Alpha!",
    "con",
    "",
    "🍩🍩",
    "x" * 300,
)


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("event")
    endings = {3: Ending("crash", 5), 6: Ending("abort", 3), 7: Ending("timeout", 4)}
    return simulate(folder, described(("alpha", "be<b>ta", "gamma"), RoundRobin(cycles=2)), endings)


@pytest.fixture(scope="module")
def site(event: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "site"
    write_site(event, out)
    return out


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of games of bots that are called as nobody should be."""
    folder = tmp_path_factory.mktemp("nasty")
    with Journal(folder / JOURNAL) as journal:
        for number, name in enumerate(NASTY, 1):
            game = played(
                number,
                number=number,
                x=side(name, stderr=name),
                o=side(NASTY[number % len(NASTY)]),
                ending=Ending("crash", 3) if number % 2 else None,
            )
            verdict = game.verdict.__class__(
                winner=game.verdict.winner,
                why=game.verdict.why,
                text=f"stderr ends: {name}",
                fault=game.verdict.fault,
            )
            journal.append(Record.of(_with(game, verdict), MATCH))
    write_site(folder, folder / "site")
    return folder / "site"


def _with(game, verdict):
    from msgspec.structs import replace

    return replace(game, verdict=verdict)


def called(path: Path, name: str) -> list:
    """The values that a script calls its function with."""
    text = path.read_bytes().decode("ascii")
    assert text.startswith(f"{name}(") and text.endswith(");\n")
    return json.loads(f"[{text[len(name) + 1 : -3]}]")


# --- strangers' texts ------------------------------------------------------------------------------------------


def test_no_text_of_a_stranger_becomes_a_tag_or_a_control(nasty):
    scripts_of = {"assets/board.js", "assets/viewer.js", "data/list.js"}
    for path, page in pages(nasty):
        names = {tag for tag, _ in page.tags}
        assert "img" not in names
        assert all(not name.startswith("on") for _, attributes in page.tags for name in attributes)
        loaded = {attributes["src"] for tag, attributes in page.tags if tag == "script"}
        assert loaded == (scripts_of if path.name == "games.html" else set())
        assert page.open == []
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u2028\x1b]", page.text)
    assert any("<script>alert(1)</script>" in page.text for _, page in pages(nasty))
    for path in (nasty / "data").iterdir():
        assert b"<" not in path.read_bytes()


def test_every_bot_has_a_page_of_its_own_with_a_plain_name(nasty):
    files = [path.name for path in (nasty / "bots").iterdir()]
    assert len(files) == len(NASTY)
    assert len({name.lower() for name in files}) == len(NASTY)
    assert all(re.fullmatch(r"[0-9]+(-[a-z0-9]+)*\.html", name) and len(name) < 40 for name in files)


@given(st.text())
def test_text_in_a_page_is_the_text(text):
    shown = Tags(element("p", text, title=text))
    assert [tag for tag, _ in shown.tags] == ["p"]
    assert shown.text == html.unescape(fill(text))
    assert shown.tags[0][1]["title"] == html.unescape(fill(text))
    if text.isprintable():
        assert shown.text == text


def test_a_piece_is_escaped_once():
    assert element("b", Html("<i>1</i>"), "<") == "<b><i>1</i>&lt;</b>"


@given(st.text())
def test_text_in_a_script_is_the_text_and_ends_nothing(text):
    line = script("f", text, [text])
    assert line.isascii() and b"<" not in line and line.count(b"\n") == 1
    assert json.loads(f"[{line.decode()[2:-3]}]") == [text, [text]]


@given(st.text())
def test_a_slug_is_fit_for_every_file_system(text):
    assert re.fullmatch(r"([a-z0-9]+(-[a-z0-9]+)*)?", slug(text))
    assert len(slug(text)) <= 24


# --- what it says -------------------------------------------------------------------------------------------------


def test_links_lead_to_files_of_the_site(site):
    for path, page in pages(site):
        for tag, attributes in page.tags:
            target = attributes.get("href") if tag in ("a", "link") else attributes.get("src")
            if target and not target.startswith("#"):
                assert (path.parent / target.partition("#")[0]).resolve().is_relative_to(site.resolve())
                assert (path.parent / target.partition("#")[0]).is_file(), target


def test_pages_load_nothing_from_elsewhere(site):
    for path in site.rglob("*"):
        if path.suffix in (".html", ".js", ".css"):
            text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
            assert not re.search(
                r"https?:|//[a-z]+\.|@import|url\(|fetch\(|XMLHttp|innerHTML|eval\(", text
            ), path


def test_the_front_page_says_what_the_event_is_and_who_stands_where(site):
    page = Tags((site / "index.html").read_text("utf-8"))
    for words in (
        "spring cup",
        "round robin, 2 cycles",
        "0.1/move",
        "be<b>ta",
        "the event is over",
        "1 void",
    ):
        assert words in page.text
    assert ("html", {"lang": "en"}) in page.tags
    assert sum(tag == "th" and attributes.get("scope") == "col" for tag, attributes in page.tags) > 10


FORMATS = {
    "gauntlet: 1 challenger against all others, 1 cycle": Gauntlet(),
    "Swiss system, 2 rounds": Swiss(rounds=2),
    "knockout, 1 encounter a pairing, with a match for third place": Knockout(third_place=True),
    "ladder, 5 encounters": Ladder(encounters=5),
    "SPRT of 0 against 10 Elo (normalized)": Sprt(encounters=3),
}


@pytest.mark.parametrize("words", FORMATS)
def test_every_format_has_its_standings(words, tmp_path):
    format = FORMATS[words]
    bots = ("alpha", "beta") if isinstance(format, Sprt) else ("alpha", "beta", "gamma", "delta")
    folder = simulate(tmp_path, described(bots, format))
    write_site(folder, tmp_path / "site")
    text = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert words in Tags(text).text
    table = re.search(r"<table>.*?</table>", text, re.DOTALL)
    assert table is not None
    heads, rows = table[0].count("<th "), table[0].count("<tr>") - 1
    assert rows == len(bots)
    assert table[0].count("<td") == heads * rows
    assert ("The test of alpha against beta goes on" in Tags(text).text) == isinstance(format, Sprt)


def test_a_bot_s_page_has_its_faults_by_kind_with_its_games(event, site):
    lost = {
        (record.x if record.verdict.fault == "x" else record.o).bot: (
            number,
            record.verdict.why,
            len(record.moves),
        )
        for number, record in enumerate((entry.record for entry in JournalReader(event / JOURNAL)), 1)
        if record.verdict.fault
    }
    assert lost
    for bot, (number, why, plies) in lost.items():
        page = Tags(
            (site / "bots" / f"{1 + ('alpha', 'be<b>ta', 'gamma').index(bot)}-{slug(bot)}.html").read_text(
                "utf-8"
            )
        )
        assert why in page.text
        assert ("a", {"href": f"../games.html#g={number}&ply={plies}"}) in page.tags


def test_a_game_is_listed_of_each_bot_at_fault_and_once_of_one_that_met_itself():
    def game(x, o, fault):
        return Line(x, o, "v", "abort", 3, "", fault)

    games = guilty_games([game(0, 1, None), game(0, 1, "o"), game(2, 1, "xo"), game(2, 2, "xo")])
    assert {bot: [one.number for one in guilty] for bot, guilty in games.items()} == {1: [2, 3], 2: [3, 4]}


def test_every_game_is_in_its_chunk_as_it_was(event, site):
    (listed,) = called(site / "data" / "list.js", "donutsList")
    number, games = called(site / "data" / "games-0001.js", "donutsGames")
    records = [entry.record for entry in JournalReader(event / JOURNAL)]
    assert number == 0
    assert len(listed["games"]) == len(games) == len(records)
    for line, game, record in zip(listed["games"], games, records, strict=True):
        assert listed["bots"][line[0]] == record.x.bot
        assert listed["bots"][line[1]] == record.o.bot
        assert line[2] == ("v" if record.verdict.void else record.verdict.winner)
        assert line[3:5] == [record.verdict.why, len(record.moves)]
        assert line[5] == f"{record.place.encounter}.{record.place.leg}"
        assert re.findall("..", game["moves"]) == list(record.moves)
        assert game["layout"] == record.layout
        assert game["text"] == record.verdict.text
        turns = {turn.ply: turn for turn in record.turns}
        assert game["clocks"] == [turns[ply].clock for ply in range(len(record.moves))]
        assert game["evals"] == [turns[ply].eval for ply in range(len(record.moves))]


def test_many_games_go_into_many_files(event, tmp_path, monkeypatch):
    monkeypatch.setattr(scripts, "CHUNK", 5)
    monkeypatch.setattr("donuts_referee.web.site.CHUNK", 5)
    write_site(event, tmp_path / "site")
    files = sorted((tmp_path / "site" / "data").glob("games-*.js"))
    chunks = [called(path, "donutsGames") for path in files]
    assert [path.name for path in files] == ["games-0001.js", "games-0002.js", "games-0003.js"]
    assert [(number, len(games)) for number, games in chunks] == [(0, 5), (1, 5), (2, 3)]
    assert called(tmp_path / "site" / "data" / "list.js", "donutsList")[0]["chunk"] == 5


def test_the_same_records_give_the_same_site_and_it_may_be_written_anew(event, site, tmp_path):
    def files(folder):
        return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    write_site(event, tmp_path / "again")
    write_site(event, tmp_path / "again")
    assert files(tmp_path / "again") == files(site)


def test_a_page_of_somebody_else_is_not_overwritten(event, tmp_path):
    (tmp_path / "index.html").write_text("<h1>mine</h1>")
    with pytest.raises(WriteFault, match="none of ours"):
        write_site(event, tmp_path)
    assert (tmp_path / "index.html").read_text() == "<h1>mine</h1>"


def test_a_folder_without_records_is_refused(tmp_path):
    with pytest.raises(ReadFault, match=r"holds no journal\.jsonl"):
        write_site(tmp_path, tmp_path / "site")
    assert not (tmp_path / "site").exists()
