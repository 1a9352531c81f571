"""SPEC.md holds together: its clauses, their citations in the code, its generated parts, its example and its bot."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import generate
from donuts_protocol import states, tally
from donuts_protocol.codes import WHY
from donuts_protocol.fields import shape
from donuts_protocol.framing import MAX_BYTES
from donuts_protocol.messages import FROM_BOT, FROM_REFEREE, SERVICE_ANSWERS, SERVICE_ASKS
from donuts_protocol.version import DBP, PROTOCOL_VERSION
from generation import tables
from protocol.transcript import SPEC

ROOT = SPEC.parents[1]
TEXT = SPEC.read_text(encoding="utf-8")
CLAUSES = dict(
    re.findall(r'<a id="DBP-(\d+\.\d+)"></a>\*\*DBP-\1\*\* (.*?)(?=\n<a id=|\n## |\Z)', TEXT, re.S),
)
"""number -> text of the clause"""
ANCHORS = re.findall(r'<a id="([^"]+)">', TEXT)
CITED = re.compile(r"DBP-(\d+(?:\.\d+)?)")


def _sources() -> Iterator[Path]:
    """Every text file of the project in which a clause may be cited."""
    for folder in ("engine", "protocol", "referee", "clients", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if (
                path.suffix in {".py", ".md", ".abnf", ".txt", ".jsonl", ".json", ".toml", ".c"}
                and path.is_file()
            ):
                yield path
    yield from ROOT.glob("*.md")


# --- clauses --------------------------------------------------------------------------------------


def test_clauses_are_numbered_without_gaps_and_stand_once() -> None:
    numbers = [anchor.removeprefix("DBP-") for anchor in ANCHORS]
    assert len(set(numbers)) == len(numbers)
    expected = [
        number
        for section in range(1, 15)
        for number in [str(section), *(n for n in numbers if n.startswith(f"{section}."))]
    ]
    assert numbers == expected
    for section in range(1, 15):
        mine = [int(n.partition(".")[2]) for n in numbers if n.startswith(f"{section}.")]
        assert mine == list(range(1, len(mine) + 1)) and mine
    assert set(CLAUSES) == {n for n in numbers if "." in n}


def test_sections_have_the_titles_that_the_contents_promise() -> None:
    assert re.findall(r"^## (\d+) ", TEXT, re.M) == [str(n) for n in range(1, 15)]
    assert re.findall(r"\[(\d+) [^\]]+\]\(#DBP-(\d+)\)", TEXT.partition("## Two-minute tour")[0]) == [
        (str(n), str(n)) for n in range(1, 15)
    ]


def test_every_clause_cited_anywhere_exists() -> None:
    known = {anchor.removeprefix("DBP-") for anchor in ANCHORS}
    wrong = {
        f"{path.relative_to(ROOT)}: DBP-{number}"
        for path in _sources()
        for number in CITED.findall(path.read_text(encoding="utf-8", errors="replace"))
        if number not in known
    }
    assert wrong == set()


def test_links_inside_lead_somewhere() -> None:
    headings = re.findall(r"^##? (.+)$", TEXT, re.M)
    slugs = {re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in headings}
    for target in re.findall(r"\]\(#([^)]+)\)", TEXT):
        assert target in ANCHORS or target in slugs, target
    for target in re.findall(r"\]\(([a-z][^)#]*)\)", TEXT):
        assert (SPEC.parent / target).exists(), target


# --- what the code and the document must both say -------------------------------------------------


@pytest.mark.parametrize("name", WHY)
def test_code_is_named_in_its_clause(name: str) -> None:
    code = WHY[name]
    number = code.clause.removeprefix("DBP-")
    assert CLAUSES[number].partition(": ")[0].find(f"`{name}`") >= 0, CLAUSES[number]
    assert f"| `{name}` | [{code.clause}](#{code.clause}) | {code.meaning} |" in TEXT


@pytest.mark.parametrize("kind", FROM_BOT + FROM_REFEREE + SERVICE_ASKS + SERVICE_ANSWERS)
def test_message_and_its_keys_stand_in_the_tables(kind: type) -> None:
    form = shape(kind)
    rows = [line for line in TEXT.splitlines() if line.startswith("|") and f" **{form.verb}** |" in line]
    assert any(all(f"`{field.key}`" in row for field in form.fields) for row in rows)
    for field in form.fields:
        (row,) = [
            line
            for line in TEXT.splitlines()
            if line.startswith(f"| `{field.key}` | ") and "DBP-9" not in line
        ]
        assert form.verb in row.rsplit("|", 2)[1].split()
        assert field.description in row


def test_every_base_message_has_a_clause_of_its_own() -> None:
    section = "".join(text for number, text in CLAUSES.items() if number.startswith("6."))
    for kind in FROM_BOT + FROM_REFEREE:
        assert f"**{kind.verb}**" in section


def test_no_key_has_two_types_or_two_meanings() -> None:
    types: dict[str, set[tuple[object, ...]]] = {}
    for kind in FROM_BOT + FROM_REFEREE + SERVICE_ASKS + SERVICE_ANSWERS:
        for f in shape(kind).fields:
            low = 0 if f.key in kind.nonempty else f.low
            types.setdefault(f.key, set()).add((f.kind, low, f.high, f.choices, f.pattern, f.description))
    assert {key: kinds for key, kinds in types.items() if len(kinds) > 1} == {}
    assert all(description for kinds in types.values() for *_, description in kinds)
    assert list(tables.glossary()) == list(types)


def test_every_arrow_of_the_table_is_drawn() -> None:
    picture = tables.sections()["states"]
    for row in states.ROWS:
        if row.verb not in ("bye", "error"):
            (arrow,) = [
                line for line in picture.splitlines() if line.startswith(f"    {row.state} --> {row.then}: ")
            ]
            assert f"{row.sender} {row.verb}" in arrow.partition(": ")[2].split(", ")


def test_the_numbers_of_the_clauses_are_those_of_the_code() -> None:
    for number, words in (
        ("2.4", f"at most {MAX_BYTES} bytes"),
        ("2.6", f"({tally.FLOOD_BYTES:,} bytes) or {tally.FLOOD_LINES} lines"),
        ("6.10", f"At most {tally.INFO_RATE} are taken in any second"),
        ("12.1", f"This is version {PROTOCOL_VERSION}."),
    ):
        assert words in " ".join(CLAUSES[number].split())
    assert tally.FORGIVEN_NOISE == 10 and "Ten lines of noise a game are forgiven" in " ".join(
        CLAUSES["5.6"].split()
    )
    assert f"\nDBP/{PROTOCOL_VERSION}, edition {DBP}. Normative" in TEXT


# --- generated parts ------------------------------------------------------------------------------


def test_nothing_generated_has_drifted() -> None:
    assert [str(path.relative_to(ROOT)) for path in generate.drifted(generate.generated())] == []


def test_drift_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    files = generate.generated()
    ping = SPEC.parent / "schema" / "referee" / "ping.json"
    monkeypatch.setattr(generate, "generated", lambda: files | {ping: files[ping] + " "})
    assert generate.main(["--check"]) == 1
    assert (
        capsys.readouterr().err
        == "protocol/schema/referee/ping.json is not what protocol/generate.py writes\n"
    )
    del files[ping]  # a file that lies there without a reason
    monkeypatch.setattr(generate, "generated", lambda: files)
    assert generate.main(["--check"]) == 1
    assert "ping.json" in capsys.readouterr().err
    assert generate.main(["--chekc"]) == 2


def test_a_lost_marker_is_told() -> None:
    with pytest.raises(tables.Drift, match="codes"):
        tables.rewritten(TEXT.replace("<!-- /generated: codes -->", ""))
    changed = TEXT.replace("| `rate` |", "| `fast` |")
    assert changed != TEXT and tables.rewritten(changed) == TEXT


# --- the bot --------------------------------------------------------------------------------------


def test_the_ten_line_bot_of_the_tour_plays() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", TEXT, re.M | re.S)
    assert len(code.splitlines()) == 10
    (example,) = re.findall(r"^```dbp-example\n(.*?)^```$", TEXT, re.M | re.S)
    said = [line[3:] for line in example.splitlines() if line.startswith("R: ")]
    bot = subprocess.run(
        [sys.executable, "-c", code],
        input="\n".join(said) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    hello, ready, *moves = bot.stdout.splitlines()
    assert (hello, ready) == ("hello donuts=1-1 name=random", "ready 731")
    legal = {"732": "c1,e3,f4", "733": "a2,c2,e2,f2"}
    assert [move.split()[:2] for move in moves] == [["move", "732"], ["move", "733"]]
    assert all(move.split()[2] in legal[move.split()[1]].split(",") for move in moves)
    assert bot.stderr == ""
