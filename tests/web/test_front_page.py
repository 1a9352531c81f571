"""What the front page shows beside who stands where: when, the bracket, the games as PGN, tables that can be read."""

import re
import zipfile
from pathlib import Path

import msgspec
import pytest

from competition.kept_event import described, simulate
from donuts_referee.competition.crosstable import crosstable
from donuts_referee.competition.event import Knockout, Ladder, RoundRobin, Sprt
from donuts_referee.competition.reading import read_event
from donuts_referee.competition.results import of_event
from donuts_referee.competition.standings import report
from donuts_referee.competition.state import Roster
from donuts_referee.web.export import export
from donuts_referee.web.pages import CROSSED, Front, Listed, Place, front_page
from donuts_referee.web.site import write_site
from donuts_referee.web.standing import notes
from donuts_referee.web.tally import tally
from donuts_referee.web.words import number, played
from records.played import Ending
from web.reading import Tags, pages

STAGES = ("round of 8", "semifinal", "final")


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bots = ("alpha", "beta", "gamma")
    return simulate(tmp_path_factory.mktemp("event"), described(bots, RoundRobin()), {3: Ending("crash", 5)})


@pytest.fixture(scope="module")
def site(event: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "site"
    write_site(event, out)
    return out


def test_words_stand_to_the_left_and_numbers_to_the_right_with_their_heads(tmp_path):
    write_site(simulate(tmp_path, described(("alpha", "beta"), Knockout())), tmp_path / "site")
    text = (tmp_path / "site" / "index.html").read_text("utf-8")
    standings, crosstable = re.findall(r"<table>.*?</table>", text, re.DOTALL)
    heads = re.findall(r'<th scope="col"( class="number")?>([^<]*)</th>', standings)
    assert {name for right, name in heads if not right} == {"bot", "stage", "decided by"}
    for row in standings.split("<tr>")[2:]:
        assert [right for right, _ in heads] == re.findall(r'<td( class="number")?>', row)
    assert crosstable.count('<td class="number"') == crosstable.count('class="up number"') == 2


def test_a_table_that_a_telephone_cannot_show_whole_says_that_it_scrolls(site):
    for path, page in pages(site):
        hints = [at for at, (_, attributes) in enumerate(page.tags) if attributes.get("class") == "hint"]
        regions = [at for at, (_, attributes) in enumerate(page.tags) if attributes.get("class") == "wide"]
        assert {at + 1 for at in hints} <= set(regions)
        wide = [
            here
            for here, after in zip(regions, [*regions[1:], len(page.tags)], strict=True)
            if sum(tag == "th" and each.get("scope") == "col" for tag, each in page.tags[here:after]) > 4
        ]
        assert [at + 1 for at in hints] == wide, path


def test_a_crosstable_of_more_bots_than_a_page_can_show_is_left_to_the_command():
    def text(many):
        bots = [Listed(f"b{at}", f"bots/{at}.html") for at in range(many)]
        places = [Place(1, at, 0.0) for at in range(many)]
        accounts = tally([bot.name for bot in bots], (), {})
        return front_page(Front("cup", "", (), (), (), places, "games.pgn"), bots, accounts).decode()

    assert text(CROSSED).count('<td class="self">') == CROSSED
    left_out = Tags(text(CROSSED + 1))
    assert {"class": "self"} not in [attributes for _, attributes in left_out.tags]
    assert f"{CROSSED + 1} bots are too many for a page. donuts crosstable --csv prints it." in left_out.text


def test_the_front_page_says_when_it_was_and_leads_to_the_games_as_pgn(event, site, tmp_path):
    page = Tags((site / "index.html").read_text("utf-8"))
    assert "Played2026-01-04 10:15 UTC" in page.text
    assert ("a", {"href": "games.pgn"}) in page.tags
    assert (site / "games.pgn").read_bytes() == (event / "games.pgn").read_bytes()
    export(event, tmp_path / "event.zip")
    with zipfile.ZipFile(tmp_path / "event.zip") as archive:
        packed = Tags(archive.read("site/index.html").decode())
        assert ("a", {"href": "../games.pgn"}) in packed.tags
        assert "games.pgn" in archive.namelist() and "site/games.pgn" not in archive.namelist()


@pytest.mark.parametrize(
    ("last", "says"),
    [
        (1_767_521_730, "2026-01-04 10:15 UTC"),
        (1_767_525_330, "2026-01-04 10:15 to 11:15 UTC"),
        (1_767_608_130, "2026-01-04 10:15 to 2026-01-05 10:15 UTC"),
    ],
)
def test_the_time_of_an_event_is_no_longer_than_it_must_be(last, says):
    assert played(1_767_521_730.25, last) == ("Played", says)


def test_walkovers_are_said_and_the_figures_are_those_of_the_terminal(tmp_path):
    """One bot was withdrawn: what the others won without playing is among their points, and in no game."""
    gone = {4: Roster(3, withdrawn=("gamma",))}
    folder = simulate(tmp_path, described(("alpha", "beta", "gamma"), RoundRobin(cycles=2)), changes=gone)
    write_site(folder, tmp_path / "site")
    text = (tmp_path / "site" / "index.html").read_text("utf-8")
    standings, crossed = (
        [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in part.split("<tr>")[1:]]
        for part in re.findall(r"<table>.*?</table>", text, re.DOTALL)
    )
    kept = read_event(folder)
    rows = report(kept).rows
    assert any(row.walkovers for row in rows) and any(row.missed for row in rows)
    at = standings[0].index("walkovers")
    assert [row[at] for row in standings[1:]] == [f"+{row.walkovers:g} -{row.missed}" for row in rows]
    assert "Walkovers: points won (+) and games lost (-) that were not played" in text
    assert "points of walkovers are counted, their games are not" in text
    for row, told in zip(crossed[1:], crosstable(of_event(kept)).rows, strict=True):
        cells = {pair.opponent: f"{number(pair.points)} / {pair.games}" for pair in told.against}
        assert row[1:] == [cells.get(other.bot, "") for other in rows]
        page = next(
            (tmp_path / "site" / file).read_text("utf-8")
            for file in re.findall(r'href="(bots/[^"]*)"', row[0])
        )
        assert '<th scope="col" class="number">walkovers</th>' in page and "Walkovers, without play: " in page


def test_where_nobody_was_gone_no_walkover_is_said(site):
    assert not [path for path, page in pages(site) if "alkover" in page.text]


def test_a_knockout_has_its_bracket(tmp_path):
    bots = ("a<b>", "beta", "gamma", "delta", "eps")
    folder = simulate(tmp_path, described(bots, Knockout(third_place=True, tie_breaks=1)))
    write_site(folder, tmp_path / "site")
    text = (tmp_path / "site" / "index.html").read_text("utf-8")
    drawn = text[text.index('<div class="bracket">') : text.index("<h2>Crosstable")]
    sections = [Tags(part).text for part in re.findall(r"<section>.*?</section>", drawn, re.DOTALL)]
    assert [text.startswith(name) for text, name in zip(sections, STAGES, strict=True)] == [True] * 3
    assert sections[0].count("bye") == 3 and drawn.count("<li>") == 1 + 2 + 2
    # the best seeds stand beside those whom they are to meet: 1, 4 - 5, 2, 3
    assert re.search("a<b>.*delta.*eps.*beta.*gamma", sections[0], re.DOTALL)
    assert sections[2].count("third place") == 1 and "not decided" not in drawn
    state = read_event(folder).state
    for bot in state.names():
        met = sum(bot in (duel.encounter.first, duel.encounter.second) for duel in state.duels())
        assert met and any(bot in section for section in sections)
    # who won is in bold: of each pairing one, and those with a bye
    assert drawn.count('<div class="through">') == 5 and drawn.count('<li class="through">') == 3
    ranked = [row.bot for row in report(read_event(folder)).rows]
    assert Tags(re.findall(r'<div class="through">.*?</div>', drawn)[-2]).text.startswith(ranked[0])


def test_only_a_knockout_has_a_bracket(site):
    assert "Bracket" not in (site / "index.html").read_text("utf-8")


def test_what_a_sequential_test_leaves_out_is_said(tmp_path):
    told = msgspec.structs.replace(
        report(read_event(simulate(tmp_path, described(("a", "b"), Sprt(encounters=1))))), beyond=7
    )
    assert notes(told)[-1] == "Games that were under way when the test decided, which do not count: 7."


def test_the_two_ratings_of_a_ladder_are_told_apart(tmp_path):
    write_site(
        simulate(tmp_path, described(("alpha", "beta", "gamma"), Ladder(encounters=5))), tmp_path / "site"
    )
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    heads = re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', page)
    assert heads.count("rating") == heads.count("Elo") == 1
    assert "Elo: by which the ladder pairs" in page
