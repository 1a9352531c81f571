"""The standings of an event, its crosstable and comparisons: from a state built by hand, and from a journal."""

import csv
import io
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competition.kept_event import described, simulate
from donuts_referee.columns import width, wrapped
from donuts_referee.competition.comparison import compare, comparison_text
from donuts_referee.competition.crosstable import crosstable, crosstable_csv, crosstable_text
from donuts_referee.competition.event import Format, Knockout, Ladder, RoundRobin, Sprt, Swiss
from donuts_referee.competition.formats.choose import schedule_of
from donuts_referee.competition.placings import Placing, Report
from donuts_referee.competition.reading import Kept, read_event
from donuts_referee.competition.results import Results, of_event, of_journal, read_results
from donuts_referee.competition.standings import csv as standings_csv
from donuts_referee.competition.standings import report, table
from donuts_referee.competition.state import Game, Roster, State
from donuts_referee.competition.timetable import Timetable
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import ReadFault
from donuts_referee.records.journal import Journal
from donuts_referee.records.record import Place, Record
from donuts_referee.statistics.crosstable import Score
from donuts_referee.statistics.results import Meeting
from donuts_referee.table.finished import Verdict
from records.played import played, side

BOTS = ("ann", "bob", "cyd")


def kept(
    bots: Sequence[str],
    format: Format,
    results: Sequence[str],
    roster: Sequence[Roster] = (),
    limit: int | None = None,
) -> Kept:
    """An event with these results, two letters an encounter: x, o, -, X or O (the other crashed), v (void).

    The encounters of a test are all handed out before the first result is in.
    """
    state = State(tuple(bots), replays=0, limit=limit)
    description = msgspec.structs.replace(described(bots, format), crash_limit=limit, replays=0)
    timetable = Timetable(lambda: schedule_of(format, 1, state), state)
    for change in roster:
        state.change(change)
    ahead = [timetable.next() for _ in results] if isinstance(format, Sprt) else []
    for at, letters in enumerate(results):
        encounter = ahead[at] if ahead else timetable.next()
        assert encounter is not None
        for leg, letter in enumerate(letters, 1):
            x, o = (encounter.first, encounter.second)[:: 1 if leg == 1 else -1]
            state.count(
                Game(Place(event="e", encounter=encounter.number, round=1, leg=leg), x, o, verdict(letter))
            )
    timetable.catch_up()
    return Kept(description, state, timetable, 0, "", (), None)


def verdict(letter: str) -> Verdict:
    if letter == "v":
        return Verdict(winner="-", why="crash", text="", fault="xo", void=True)
    if letter.isupper():
        return Verdict(winner=letter.lower(), why="crash", text="", fault="o" if letter == "X" else "x")
    return Verdict(winner=letter, why="five", text="")


def rows(told: Report) -> dict[str, Placing]:
    return {row.bot: row for row in told.rows}


def test_a_row_has_points_sides_faults_and_strength() -> None:
    # the circle method has bob - cyd, ann - cyd, ann - bob in some order; whoever they are, x won all but two games
    told = report(kept(BOTS, RoundRobin(), ["xx", "X-", "xO"]))
    assert [row.place for row in told.rows] == sorted(row.place for row in told.rows)
    assert sum(row.points for row in told.rows) == 6 and told.encounters == 3 and told.games == 6
    for row in told.rows:
        assert (row.wins, row.draws, row.losses) == (
            row.as_x.wins + row.as_o.wins,
            row.as_x.draws + row.as_o.draws,
            row.as_x.losses + row.as_o.losses,
        )
        assert row.games == 4 and row.points == row.wins + row.draws / 2
        assert row.rating is not None and row.deviation is not None and row.pool == 1
    assert sum(one.games for row in told.rows for one in row.faults if one.why == "crash") == 2
    assert told.x_share == pytest.approx(4.5 / 6, abs=1e-4) and told.drawn == pytest.approx(1 / 6, abs=1e-4)
    assert rows(told)["ann"].version == "2" and rows(told)["bob"].version is None
    assert told.pools == (tuple(sorted(BOTS, key=lambda bot: -(rows(told)[bot].rating or 0))),)
    assert told.over and told.test is None and told.format == "round-robin"


def test_what_is_said_of_neighbours_is_said_in_words() -> None:
    text = table(report(kept(("ann", "bob"), RoundRobin(cycles=10), ["xo"] * 5 + ["xx"] * 5)))
    assert "cannot be told apart: " in text and "more games between ann and bob would settle place 1" in text
    equal = table(report(kept(("ann", "bob"), RoundRobin(cycles=4), ["xo"] * 4)))
    assert "no number of games would settle place 1: ann and bob look equal" in equal and " never" in equal
    # in few lines: sums, what the figures are, who is tied and what would settle it
    assert len(text.split("\n\n")[1].splitlines()) == 3
    assert "stronger than the next, told apart above 97.5 %" in text
    # the first of an encounter changes from cycle to cycle: ann wins all
    apart = table(report(kept(("ann", "bob"), RoundRobin(cycles=20), ["xo", "ox"] * 10)))
    assert "cannot be told apart" not in apart and "settle place" not in apart
    assert apart.splitlines()[1].split()[:2] == ["1", "ann"]


def test_a_knockout_settles_its_places_itself() -> None:
    bots = ("ann", "bob", "cyd", "dan")
    over = table(report(kept(bots, Knockout(third_place=True), ["xo", "ox", "xx", "xo", "xo"])))
    assert "cannot be told apart: " in over and "would settle" not in over and " more" not in over
    lines = over.splitlines()
    # words begin where their heads do
    assert {line[lines[0].index("stage") :].split("  ")[0] for line in lines[1:5]} == {
        "winner",
        "lost the final",
        "third place",
        "fourth place",
    }
    begun = table(report(kept(bots, Knockout(), ["xo"])))
    assert begun.count("in the semifinal") == 4  # which is looked at when all of it is played
    level = table(report(kept(bots, Knockout(), ["xo", "xx"])))
    assert [level.count(f"{word} the semifinal") for word in ("in", "won", "lost")] == [2, 1, 1]
    final = table(report(kept(bots, Knockout(third_place=True), ["xo", "xo"])))
    assert final.count("in the final") == 2 and final.count("plays for third place") == 2


def test_a_ladder_has_its_elo_beside_the_rating() -> None:
    told = report(kept(BOTS, Ladder(encounters=9), ["xo", "xx", "--", "xo"] * 2))
    heads = table(told).splitlines()[0].split()
    assert heads.count("Elo") == heads.count("rating") == 1
    assert "Elo: by which the ladder pairs" in table(told)
    (elos,) = [[row.columns[0].value for row in told.rows]]
    assert [f"{elo:g}" for elo in elos] == [str(int(float(elo))) for elo in elos]
    read = next(csv.reader(io.StringIO(standings_csv(told))))
    assert len(set(read)) == len(read)


def test_who_is_gone_and_who_won_without_playing() -> None:
    told = report(kept(BOTS, RoundRobin(cycles=2), ["xo"] * 3, roster=[Roster(3, withdrawn=("cyd",))]))
    cyd = rows(told)["cyd"]
    assert cyd.gone == "withdrawn" and cyd.missed > 0
    assert sum(row.walkovers for row in told.rows) == sum(row.missed for row in told.rows)
    assert {row.rating is None for row in told.rows if row.games == 0} <= {True}
    text = table(told)
    assert "cyd (withdrawn)" in text and "walkovers" in text and f"-{cyd.missed}" in text
    benched = report(kept(BOTS, RoundRobin(cycles=3), ["XX"] * 4, limit=2))
    assert {row.gone for row in benched.rows} >= {"benched"}


def test_walkovers_and_legs_both_lost_say_nothing_of_strength() -> None:
    state = kept(BOTS, RoundRobin(), ["vv", "xv", "xx"])
    told, results = report(state), of_event(state)
    assert results.meetings[0][2:] == (None, None) and results.meetings[1][2:] == (1.0, None)
    assert results.meetings[2][2:] == (1.0, 0.0)
    assert (
        sum(row.losses for row in told.rows) == 2 * 2 + (1 + 2) + 2
    )  # both lose what came out void for good
    assert told.voids == 3 and ", 3 of them void" in table(told)


def test_pools_and_bots_without_a_game_are_said() -> None:
    swiss = kept(("ann", "bob", "cyd", "dan"), Swiss(rounds=2), ["xo", "xo"])
    told = report(swiss)
    assert sorted(map(len, told.pools)) == [2, 2]
    assert all(row.superiority is None for row, below in pairwise(told.rows) if row.pool != below.pool)
    assert "no chain of games connects these, so that their ratings cannot be compared:" in table(told)
    some = report(kept(("ann", "bob", "cyd", "dan"), Swiss(rounds=2), ["xo"]))
    assert {row.bot for row in some.rows if row.rating is None} == {"ann", "bob", "cyd", "dan"} - set(
        some.pools[0]
    )
    assert "without a game: " in table(some)


def test_an_event_that_has_not_begun() -> None:
    told = report(kept(BOTS, RoundRobin(), []))
    assert [row.rating for row in told.rows] == [None] * 3 and told.x_share is None and not told.over
    assert "0 games; encounters settled: 0" in table(told) and "rating:" not in table(told)
    assert len(list(csv.reader(io.StringIO(standings_csv(told))))) == 4


def test_a_match_by_a_sequential_test_tells_how_far_it_is() -> None:
    format = Sprt(elo0=0, elo1=200, scale="logistic")
    begun = report(kept(("ann", "bob"), format, ["xo", "xo"]))
    assert begun.test is not None and begun.test.decision is None
    assert begun.test.counts == (1, 0, 0, 0, 1)  # who is first changes, and won both games
    assert "undecided after 2 encounters" in table(begun)
    won = report(kept(("ann", "bob"), format, ["xo", "ox"] * 20))
    assert won.test is not None and won.test.decision == "H1" and won.test.first == "ann"
    assert won.encounters == won.test.encounters < 40 and "H1 accepted" in table(won)
    assert won.test.llr >= won.test.upper and (won.test.elo or 0) > 200
    assert (
        sum(row.games for row in won.rows) == 4 * won.encounters
    )  # what came in after the decision is left out
    assert begun.beyond == 0 and "beyond" not in table(begun)
    assert won.beyond == 80 - 2 * won.encounters > 0
    assert f"{won.beyond} games beyond the decision are kept and do not count" in table(won)
    assert "would settle" not in table(begun) and " more" not in table(begun)
    none = report(kept(("ann", "bob"), format, []))
    assert none.test is None


def test_the_report_is_json_that_reads_back() -> None:
    told = report(kept(BOTS, RoundRobin(), ["xx", "X-", "xO"]))
    assert msgspec.json.decode(msgspec.json.encode(told), type=Report) == told


def test_csv_has_a_column_for_each_thing() -> None:
    told = report(kept(BOTS, RoundRobin(), ["xx", "X-", "xO"]))
    read = list(csv.DictReader(io.StringIO(standings_csv(told))))
    assert [row["bot"] for row in read] == [row.bot for row in told.rows]
    for text, row in zip(read, told.rows, strict=True):
        assert float(text["points"]) == row.points and int(text["x_wins"]) == row.as_x.wins
        assert (
            float(text["Sonneborn-Berger"])
            == {one.name: one.value for one in row.columns}["Sonneborn-Berger"]
        )
        assert int(text["fault_crash"]) == sum(one.games for one in row.faults)


NASTY = ("\x1b[31mred", "two\nlines", "x" * 300, "日本語", '"; =1+1,')


def test_names_of_strangers_are_harmless_in_every_text() -> None:
    event = kept(NASTY, RoundRobin(), ["xo"] * 10)
    results = of_event(event)
    for text in (
        table(report(event)),
        crosstable_text(crosstable(results)),
        comparison_text(compare(results, NASTY[0], NASTY[1])),
    ):
        assert all(letter.isprintable() or letter == "\n" for letter in text) and r"\x1b[31mred" in text
    read = list(csv.DictReader(io.StringIO(standings_csv(report(event)))))
    assert {row["bot"] for row in read} == set(NASTY)


def test_many_bots_are_told_in_short() -> None:
    bots = [f"bot{number:02}" for number in range(30)]
    text = table(report(kept(bots, RoundRobin(), ["xo", "ox"] * 200)))
    assert "(30 bots)" in text or "further group" in text
    assert max(map(len, text.splitlines())) < 200


# --- the width of a terminal ---

LONG = tuple(f"team {number} of the upper school" for number in range(5))


@pytest.mark.parametrize("bots", [LONG, NASTY, BOTS], ids=["long", "nasty", "short"])
def test_a_table_fits_where_it_can_and_says_what_it_left_out(bots: Sequence[str]) -> None:
    told = report(kept(bots, RoundRobin(cycles=4), ["xX", "xo", "o-", "Xx"] * 2))
    whole = table(told)
    assert table(told, 300) == whole and "left out" not in whole
    before = len(whole.splitlines()[0].split())
    for room in range(150, 44, -1):
        text = table(told, room)
        words = max(width(word) for word in text.split("\n\n")[1].split())
        lines, remarks = (part.splitlines() for part in text.split("\n\n"))
        assert max(map(width, lines)) <= room and max(map(width, remarks)) <= max(room, words + 2)
        assert len(lines) == 1 + len(bots) and lines[0].split()[:2] == ["place", "bot"]
        assert "points" in lines[0] and len({line[7:] for line in lines}) == len(lines)
        assert len(lines[0].split()) <= before
        before = len(lines[0].split())
    assert "left out, as there is no room: " in " ".join(text.split())
    assert "faults" in table(told, 60).splitlines()[0] and "LOS" not in table(told, 60).splitlines()[0]
    assert table(told, 1).split()  # the least there can be


def test_a_crosstable_too_wide_for_a_terminal_comes_in_parts() -> None:
    told = crosstable(of_event(kept(LONG, RoundRobin(cycles=2), ["xo"] * 20)))
    whole = crosstable_text(told)
    assert crosstable_text(told, 300) == whole
    parts = crosstable_text(told, 42).split("\n\n")
    *tables, legend = [part.splitlines() for part in parts]
    assert len(tables) > 1 and max(width(line) for part in (*tables, legend) for line in part) <= 42
    heads = [head for part in tables for head in part[0].split()[3:]]
    assert heads == whole.splitlines()[0].split()[3:]
    for at in range(1, 6):
        cells = [cell for part in tables for cell in part[at].split()[-len(part[0].split()) + 3 :]]
        assert cells == whole.splitlines()[at].split()[-5:]
    assert all(crosstable_text(told, room) for room in (1, 20))


@given(st.text(st.characters(codec="utf-8", categories=["L", "P", "N"]) | st.just(" ")), st.integers(1, 40))
def test_wrapped_text_has_all_its_words_and_room_where_these_have(text: str, room: int) -> None:
    lines = wrapped(text, room)
    assert " ".join(lines).split() == text.split()
    indent = len(text) - len(text.lstrip(" "))
    longest = max(map(width, text.split()), default=0)
    assert max(map(width, lines)) <= max(room, longest + indent + 2, width(text) if not text.strip() else 0)


# --- head to head ---


def test_a_comparison_is_from_the_view_of_the_one_that_is_named_first() -> None:
    results = of_event(kept(("ann", "bob"), RoundRobin(cycles=4), ["xo", "ox", "x-", "-o"]))
    told, turned = compare(results, "ann", "bob"), compare(results, "bob", "ann")
    assert told.counts == turned.counts[::-1] and told.points + turned.points == 8
    assert (told.as_x, told.as_o) == (turned_score(turned.as_o), turned_score(turned.as_x))
    assert told.direct is not None and turned.direct is not None
    assert told.direct.elo == -turned.direct.elo and told.direct.deviation == turned.direct.deviation
    assert told.to_settle == turned.to_settle and told.alone == 0
    assert [test.scale for test in told.tests] == ["logistic", "normalized"]
    assert told.tests[0].llr > 0 > turned.tests[0].llr


def turned_score(score: Score) -> Score:
    return Score(score.losses, score.draws, score.wins)


def test_bots_that_have_not_met_are_compared_by_the_others() -> None:
    results = Results(("a", "b", "c"), (), (Meeting("a", "b", 1.0, 0.5), Meeting("b", "c", 1.0, 0.5)))
    told = compare(results, "a", "c")
    assert told.direct is None and told.games == 0 and told.to_settle is None
    assert told.joint is not None and told.joint.elo > 0
    text = comparison_text(told)
    assert "they have not met" in text and "from all games:" in text


# --- the crosstable ---


def test_a_crosstable_has_a_cell_for_each_pair_that_met() -> None:
    told = crosstable(of_event(kept(BOTS, RoundRobin(), ["xo", "xo"])))
    assert sum(len(row.against) for row in told.rows) == 4
    lines = crosstable_text(told).splitlines()
    assert len(lines[1].split()) == 3 + 3 and sum(line.count("*") for line in lines) == 3
    read = list(csv.DictReader(io.StringIO(crosstable_csv(told))))
    assert sum(float(row["points"]) for row in read) == 4
    assert crosstable_text(crosstable(Results((), (), ()))) == "no game has counted yet\n"


# --- from files ---


def test_an_event_is_folded_from_its_folder(tmp_path: Path) -> None:
    simulate(tmp_path, described(BOTS, RoundRobin()))
    told = report(read_event(tmp_path))
    assert told.encounters == 3 and told.over and told.games >= 6
    assert read_results(tmp_path).bots == tuple(row.bot for row in told.rows)


def write(path: Path, games: Sequence[tuple[str, int, str, str, str]]) -> Path:
    """A journal of games: match, number, x, o, winner."""
    with Journal(path) as journal:
        for match, number, x, o, winner in games:
            finished = msgspec.structs.replace(
                played(1, number=number, x=side(x), o=side(o)),
                verdict=Verdict(winner=winner.replace("v", "-"), why="five", text="", void=winner == "v"),
            )
            journal.append(Record.of(finished, f"20260104-101500-000000-{match}"))
    return path


def test_a_plain_journal_has_its_games_in_pairs(tmp_path: Path) -> None:
    path = write(
        tmp_path / JOURNAL,
        [
            ("0badcafe", 1, "a", "b", "x"),
            ("0badcafe", 2, "b", "a", "-"),
            ("0badcafe", 3, "a", "b", "x"),
            ("0badcafe", 4, "b", "a", "v"),  # void: game 3 is alone
            ("0badcafe", 6, "b", "a", "x"),  # game 5 is not there
            ("0badcafe", 7, "a", "b", "o"),
            ("11111111", 8, "b", "a", "o"),  # of another match
            ("11111111", 9, "a", "b", "x"),
            ("11111111", 10, "a", "b", "x"),  # sides were not swapped
        ],
    )
    results = of_journal(path)
    assert list(results.meetings) == [
        Meeting("a", "b", 1.0, 0.5),
        Meeting("a", "b", 1.0, None),
        Meeting("b", "a", 1.0, None),
        Meeting("a", "b", 0.0, None),
        Meeting("b", "a", 0.0, None),
        Meeting("a", "b", 1.0, None),
        Meeting("a", "b", 1.0, None),
    ]
    assert len(results.games) == 8 and results.bots == ("a", "b")
    told = compare(results, "b", "a")
    assert told.counts == (0, 1, 0, 0, 0) and told.alone == 6 and told.games == 8
    assert read_results(tmp_path) == results == read_results(path)
    with pytest.raises(ReadFault, match=r"there is no .*none"):
        of_journal(tmp_path / "none")
