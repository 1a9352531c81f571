"""What is handed on of an event: archives that hold, that are made whole or not at all, and that can do no harm."""

import io
import json
import struct
import zipfile
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

import pytest

from competition.kept_event import described, simulate
from donuts_referee.channels.link import Stderr
from donuts_referee.competition.archive import Archive, write_archive
from donuts_referee.competition.audit.auditing import audit
from donuts_referee.competition.bundle import QUOTES, write_bundle
from donuts_referee.competition.event import RoundRobin
from donuts_referee.competition.faults import ArchiveFault, NoSuchBot
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import ReadFault, WriteFault
from donuts_referee.records.journal import JournalReader
from donuts_referee.table.sentences import last_words
from donuts_referee.web.export import export
from records.played import Ending

BOTS = ("alpha", "beta", "gamma")
ENDINGS = {1: Ending("crash", 5), 2: Ending("crash", 4), 5: Ending("timeout", 6)}


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulate(tmp_path_factory.mktemp("event"), described(BOTS, RoundRobin()), ENDINGS)


@pytest.fixture(scope="module")
def packed(event: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("packed") / "event.zip"
    export(event, target)
    return target


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(path: Path, content: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path


# --- the archive of an event --------------------------------------------------------------------------------


def test_an_archive_holds_all_of_an_event_and_is_verified(event, packed):
    found = audit(packed, workers=0)
    assert (found.holds, found.fault, found.unchecked) == (True, None, ())
    assert found.games == 6
    content = members(packed)
    assert content["journal.jsonl"] == (event / JOURNAL).read_bytes()
    assert content["games.pgn"] == (event / "games.pgn").read_bytes()
    assert {
        "event.json",
        "standings.json",
        "standings.csv",
        "site/index.html",
        "site/games.html",
    } < content.keys()
    assert [row["bot"] for row in json.loads(content["standings.json"])["rows"]] != []
    assert any("standings.json" in one for one in found.checked)


def test_the_same_records_give_the_same_bytes_and_sorted_names(event, packed, tmp_path):
    again = tmp_path / "again.zip"
    export(event, again)
    assert again.read_bytes() == packed.read_bytes()
    names = list(members(packed))
    assert names == [*sorted(names[:-1]), "manifest.json"]


def test_a_file_that_is_there_stays_unless_forced(event, tmp_path):
    target = tmp_path / "event.zip"
    target.write_bytes(b"mine")
    with pytest.raises(WriteFault, match="is there already"):
        export(event, target)
    assert target.read_bytes() == b"mine"
    export(event, target, force=True)
    assert audit(target, workers=0).holds
    assert [path.name for path in tmp_path.iterdir()] == ["event.zip"]


def test_an_archive_is_whole_or_not_there(tmp_path):
    def broken():
        yield b"some"
        raise ReadFault("gone")

    with pytest.raises(ReadFault):
        write_archive(tmp_path / "a.zip", {"a": lambda: [b"a"], "b": broken})
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(WriteFault):
        write_archive(tmp_path / "nowhere" / "a.zip", {})


def test_what_is_being_written_at_the_end_of_a_journal_is_left_out(event, packed, tmp_path):
    folder = tmp_path / event.name
    folder.mkdir()
    for path in event.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / JOURNAL).write_bytes((event / JOURNAL).read_bytes() + b'{"format":1,"id":"half')
    export(folder, tmp_path / "event.zip")
    assert (tmp_path / "event.zip").read_bytes() == packed.read_bytes()


def test_records_of_no_event_can_be_packed_too(event, tmp_path):
    folder = tmp_path / "records"
    folder.mkdir()
    with (folder / JOURNAL).open("wb") as file:
        for line in (event / JOURNAL).read_bytes().splitlines():
            file.write(line[: line.rindex(b',"chain"')] + b"}\n")
    export(folder, tmp_path / "records.zip")
    found = audit(tmp_path / "records.zip", workers=0)
    assert (found.holds, found.games, found.event) == (True, 6, None)
    assert "standings.json" not in members(tmp_path / "records.zip")


def _standings(data: bytes) -> bytes:
    standings = json.loads(data)
    standings["rows"][1]["rating"] += 1
    return json.dumps(standings).encode()


TAMPERED = {
    "the journal": (
        "journal.jsonl",
        lambda data: data.replace(b'"used":', b'"used":1', 1),
        "journal.jsonl:1",
    ),
    "the description": ("event.json", lambda data: data.replace(b"spring", b"winter"), "event.json"),
    "a rating": ("standings.json", _standings, "standings.json"),
    "a place": (
        "standings.json",
        lambda data: data.replace(b'"place": 1', b'"place": 2', 1),
        "standings.json",
    ),
    "no standings": ("standings.json", lambda data: b"{}", "standings.json"),
    "a row of the table": ("standings.csv", lambda data: data.replace(b"alpha", b"omega"), "standings.csv"),
    "the PGN": ("games.pgn", lambda data: data.replace(b'[White "', b'[White "x', 1), "games.pgn:5"),
    "a game too many in the PGN": ("games.pgn", lambda data: data + data[:80], "games.pgn:"),
    "a page": ("site/index.html", lambda data: data + b"<p>alpha won", "site/index.html"),
    "the manifest": (
        "manifest.json",
        lambda data: data.replace(b"site/index", b"site/other"),
        "site/index.html",
    ),
    "the seal": ("journal.seal", lambda data: data.replace(b":6,", b":7,"), "journal.jsonl:7"),
    "a file too many": ("site/more.html", lambda data: b"<p>more", "site/more.html"),
}


@pytest.mark.parametrize(("name", "change", "place"), TAMPERED.values(), ids=TAMPERED)
def test_a_changed_member_is_named(name, change, place, packed, tmp_path):
    content = members(packed)
    changed = change(content.get(name, b""))
    assert changed != content.get(name)
    found = audit(pack(tmp_path / "event.zip", content | {name: changed}), workers=0)
    assert not found.holds
    assert (found.place or "").startswith(place)


def test_standings_of_a_version_that_said_less_hold(packed, tmp_path):
    """Later versions add keys."""
    content = members(packed)
    standings = json.loads(content["standings.json"])
    del standings["beyond"]
    content["standings.json"] = json.dumps(standings).encode()
    manifest = json.loads(content["manifest.json"])
    manifest["standings.json"] = sha256(content["standings.json"]).hexdigest()
    content["manifest.json"] = json.dumps(manifest).encode()
    assert audit(pack(tmp_path / "event.zip", content), workers=0).fault is None


def test_a_missing_member_is_named(packed, tmp_path):
    for name in ("site/index.html", "manifest.json"):
        content = members(packed)
        del content[name]
        found = audit(pack(tmp_path / "event.zip", content), workers=0)
        assert (found.holds, found.place) == (False, name)


# --- archives that mean harm --------------------------------------------------------------------------------


def test_an_archive_that_was_packed_again_by_other_means_holds(packed, tmp_path):
    """Which list folders too, as `zip -r` does."""
    content = members(packed)
    folders = {f"{Path(name).parent.as_posix()}/" for name in content if "/" in name}
    assert "site/" in folders
    again = pack(tmp_path / "event.zip", dict.fromkeys(sorted(folders), b"") | content)
    with Archive(again) as archive:
        assert set(archive.names) == content.keys()
    assert audit(again, workers=0).holds


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("site/", b"hidden", "no plain file or folder"),
        ("../site/", b"", "no name for a file"),
        ("site//", b"", "no name for a file"),
        ("/", b"", "no name for a file"),
        ("Journal.jsonl/", b"", "there twice"),
    ],
)
def test_a_folder_that_is_none_is_refused(name, data, says, tmp_path):
    info = zipfile.ZipInfo(name)
    with zipfile.ZipFile(tmp_path / "event.zip", "w") as archive:
        archive.writestr("journal.jsonl", b"")
        archive.writestr(info, data)
    with pytest.raises(ArchiveFault, match=says):
        Archive(tmp_path / "event.zip")


@pytest.mark.parametrize(
    "name",
    [
        "../up",
        "/etc/x",
        "a/../../b",
        "a\\b",
        "C:x",
        "a//b",
        " a",
        "a\nb",
        "\u202ea",
        "./a",
        "a/b/c/d/e/f",
        "x" * 120,
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(name, packed, tmp_path):
    with pytest.raises(ArchiveFault, match="no name for a file"):
        Archive(pack(tmp_path / "event.zip", {"journal.jsonl": b"", name: b"x"}))


def _raw(entries: list[tuple[zipfile.ZipInfo, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, data in entries:
            archive.writestr(info, data)
    return buffer.getvalue()


def test_a_name_that_is_there_twice_is_refused(tmp_path):
    path = tmp_path / "event.zip"
    for other in ("a.txt", "A.txt"):
        with pytest.warns(UserWarning) if other == "a.txt" else nullcontext():
            path.write_bytes(_raw([(zipfile.ZipInfo("a.txt"), b"1"), (zipfile.ZipInfo(other), b"2")]))
        with pytest.raises(ArchiveFault, match="there twice"):
            Archive(path)


def test_a_link_is_refused(tmp_path):
    link = zipfile.ZipInfo("journal.jsonl")
    link.create_system = 3
    link.external_attr = 0o120777 << 16
    (tmp_path / "event.zip").write_bytes(_raw([(link, b"/etc/passwd")]))
    with pytest.raises(ArchiveFault, match="no plain file"):
        Archive(tmp_path / "event.zip")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path):
    with pytest.raises(ArchiveFault, match="would grow from"):
        Archive(pack(tmp_path / "event.zip", {"journal.jsonl": b"\0" * (4 << 20)}))


def test_members_that_overlap_are_refused(tmp_path):
    """Many names for the same packed bytes, each of which alone looks harmless."""
    data = bytearray(_raw([(zipfile.ZipInfo(f"file{at}"), bytes(range(256)) * 40) for at in range(8)]))
    first = struct.unpack_from("<L", data, data.index(b"PK\1\2") + 42)[0]
    keep = data.index(b"PK\3\4", 4)
    directory = data.index(b"PK\1\2")
    at = directory
    while data[at : at + 4] == b"PK\1\2":
        struct.pack_into("<L", data, at + 42, first)
        at = data.find(b"PK\1\2", at + 4) if data.find(b"PK\1\2", at + 4) > 0 else len(data) - 22
    moved = directory - keep
    end = data.rindex(b"PK\5\6")
    struct.pack_into("<L", data, end + 16, directory - moved)
    path = tmp_path / "event.zip"
    path.write_bytes(bytes(data[:keep] + data[directory:]))
    with pytest.raises(ArchiveFault, match="overlap"):
        Archive(path)


def test_a_file_that_was_cut_off_anywhere_does_not_hold(packed, tmp_path):
    whole = packed.read_bytes()
    path = tmp_path / "event.zip"
    for size in (0, 1, 3, 100, len(whole) // 2, len(whole) - 30, len(whole) - 1):
        path.write_bytes(whole[:size])
        found = audit(path, workers=0)
        assert (found.holds, found.place) == (False, "event.zip")
        assert "not a whole zip file" in (found.fault or "")


def test_a_member_with_a_damaged_byte_does_not_hold(packed, tmp_path):
    whole = bytearray(packed.read_bytes())
    with zipfile.ZipFile(packed) as archive:
        member = archive.getinfo("journal.jsonl")
    whole[member.header_offset + 300] ^= 0x55
    (tmp_path / "event.zip").write_bytes(whole)
    found = audit(tmp_path / "event.zip", workers=0)
    assert not found.holds
    assert (found.place or "").startswith("journal.jsonl:")


# --- what the author of a bot gets --------------------------------------------------------------------------


def test_a_bundle_has_all_of_the_bot_and_nothing_private_of_the_others(event, tmp_path):
    count = write_bundle(event, "beta", tmp_path / "beta.zip")
    assert count == 4
    content = members(tmp_path / "beta.zip")
    everything = b"".join(content.values()).decode()
    for other in ("alpha", "gamma"):
        assert f"secret of {other}" not in everything
        assert f"--of={other}" not in everything
        assert f"secret error of {other}" not in everything
        assert f"secret noise of {other}" not in everything
    assert content["stderr.txt"].decode().count("secret of beta") == 4
    assert "--of=beta" in everything
    (tmp_path / JOURNAL).write_bytes(content[JOURNAL])
    kept = [entry.record for entry in JournalReader(tmp_path / JOURNAL)]
    for record in kept:
        theirs = record.o if record.x.bot == "beta" else record.x
        assert (theirs.argv, theirs.digest, theirs.stderr, theirs.said) == ((), None, "", None)
    assert audit(tmp_path / "beta.zip", workers=0).holds


def test_a_bundle_tells_of_the_faults_of_the_bot_alone(event, tmp_path):
    for bot in BOTS:
        write_bundle(event, bot, tmp_path / f"{bot}.zip")
        told = members(tmp_path / f"{bot}.zip")["faults.txt"].decode()
        own = [
            entry.record.id
            for entry in JournalReader(event / JOURNAL)
            if bot in [side.bot for side, guilty in _sides(entry.record) if guilty]
        ]
        assert [line.split()[1] for line in told.splitlines() if "warnings" not in line] == own


def _sides(record):
    return [(record.x, "x" in (record.verdict.fault or "")), (record.o, "o" in (record.verdict.fault or ""))]


def test_a_crash_of_the_opponent_is_told_without_its_words(event, tmp_path):
    crash = next(
        entry.record for entry in JournalReader(event / JOURNAL) if entry.record.verdict.why == "crash"
    )
    loser, winner = (crash.x.bot, crash.o.bot) if crash.verdict.fault == "x" else (crash.o.bot, crash.x.bot)
    for bot, sees in ((loser, True), (winner, False)):
        write_bundle(event, bot, tmp_path / f"{bot}.zip")
        assert (f"secret of {loser}" in members(tmp_path / f"{bot}.zip")["games.pgn"].decode()) is sees


def test_the_words_of_a_bot_are_found_in_a_verdict_where_sentences_put_them():
    assert last_words(Stderr(b"secret", b"", 6)) == f"{QUOTES}secret"


def test_a_bot_that_never_played_is_named_with_one_that_is_near(event, tmp_path):
    with pytest.raises(NoSuchBot, match="did you mean 'alpha'"):
        write_bundle(event, "alpa", tmp_path / "a.zip")
    assert list(tmp_path.iterdir()) == []
