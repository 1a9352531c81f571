"""`donuts export`, `verify` and `rerun` as an operator runs them: what they print, and how they end."""

import json
import sys
from pathlib import Path

import pytest

from competition.kept_event import described, simulate
from donuts_referee.cli.main import main
from donuts_referee.contest import JOURNAL
from donuts_referee.records.journal import Journal
from donuts_referee.records.record import Record
from records.played import played, side

MATCH = "20260104-101500-000000-0badcafe"


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    """Run `donuts WORDS` in an empty directory, in this process."""
    monkeypatch.chdir(tmp_path)

    def donuts(*words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        told = capsys.readouterr()
        return code, told.out, told.err

    return donuts


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return simulate(tmp_path / "event", described(("alpha", "beta", "gamma")))


def test_an_event_is_packed_and_anyone_can_verify_it(run, event):
    assert run("export", event, "event.zip")[:2] == (
        0,
        "wrote event.zip; anyone can check it with: donuts verify event.zip\n",
    )
    code, out, err = run("verify", "event.zip")
    assert (code, err) == (0, "")
    assert out.startswith("event.zip holds: 6 games\n")
    chain = (event / JOURNAL).read_bytes()[-67:-3].decode()
    assert f"the chain is whole and ends in {chain}\n" in out
    assert "standings.json is what the games make" in out
    code, out, err = run("verify", event, "--json")
    assert (code, json.loads(out)["holds"], json.loads(out)["chain"]) == (0, True, chain)


def test_what_does_not_hold_is_one_line_and_exit_1(run, event):
    journal = event / JOURNAL
    journal.write_bytes(journal.read_bytes().replace(b'"sq":"', b'"sq": "', 1))
    code, out, err = run("verify", event)
    assert (code, err) == (1, "")
    assert out.splitlines()[1].startswith("journal.jsonl:1: the chain is broken")
    code, out, _ = run("verify", event, "--json")
    assert (code, json.loads(out)["place"]) == (1, "journal.jsonl:1")
    code, _, err = run("export", event, "event.zip")
    assert code == 2
    assert "journal.jsonl:1" in err
    assert not Path("event.zip").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("verify", "nothing.zip"), "no such file"),
        (("verify", "."), "there is no journal.jsonl"),
        (("verify", "event/games.pgn"), "is a PGN file, which has no chain"),
        (("verify", "games.pgn"), "no such file"),
        (("export", "nothing", "a.zip"), "is no directory"),
        (("export", ".", "a.zip"), "holds no journal.jsonl"),
        (("export", "event", "a/b.zip"), "cannot write"),
        (("export", "event", "a.zip", "--bot", "delta"), "has no game of 'delta'"),
        (("export", "event", "event"), "is there already"),
        (("rerun", "nothing"), "cannot read nothing"),
        (("rerun", "event/games.pgn"), "name a journal"),
        (("rerun", "event"), "cannot be started: there is no secret-program here; name a program with --x"),
        (("rerun", "event", "--x", "human", "--o", "human"), "rerun starts programs"),
    ],
)
def test_a_fault_of_usage_is_one_line_and_exit_2(words, says, run, event):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert says in err
    assert err.startswith("donuts: ") and err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("play", "donuts:random", "donuts:random", "--games", "1"),
        ("arena", "serve", "--endpoint", "tcp://127.0.0.1:*"),
    ],
    ids=("play", "arena"),
)
def test_no_other_games_are_added_to_an_event(words, run, event):
    """Their lines have no chain, and the journal of the event would hold no longer."""
    before = {path.name: path.read_bytes() for path in event.iterdir()}
    code, out, err = run(*words, "--records", event)
    assert (code, out) == (2, "")
    assert err == (
        f"donuts: {event} holds the records of an event (event.json), to which no other games are added; "
        "name another folder\n"
    )
    assert {path.name: path.read_bytes() for path in event.iterdir()} == before
    assert run("verify", event)[0] == 0


def test_an_author_gets_the_games_of_one_bot(run, event):
    assert run("export", event, "beta.zip", "--bot", "beta")[:2] == (0, "wrote beta.zip: 4 games of beta\n")
    code, _, err = run("export", event, "beta.zip", "--bot", "beta")
    assert (code, "--force" in err) == (2, True)
    assert run("export", event, "beta.zip", "--bot", "beta", "--force")[0] == 0
    code, out, _ = run("verify", "beta.zip")
    assert (code, "the journal has no chain" in out) == (0, True)


def test_kept_moves_are_played_over(run, event, tmp_path):
    code, out, _ = run("rerun", event, "--game", "2", "--moves")
    assert (code, "come out the same" in out) == (0, True)
    code, out, _ = run("rerun", event, "--game", "2", "--moves", "--json")
    assert (code, json.loads(out)["holds"]) == (0, True)
    game = played(3, x=side(argv=()), o=side("random"))
    with Journal(tmp_path / "forged.jsonl") as journal:
        journal.append(Record.of(game, MATCH))
    forged = (tmp_path / "forged.jsonl").read_bytes().replace(b'"groups":[', b'"groups":[1')
    (tmp_path / "forged.jsonl").write_bytes(forged)
    code, out, _ = run("rerun", "forged.jsonl", "--moves")
    assert (code, "groups are" in out) == (1, True)
    assert "does not say how donuts:greedy was started" in run("rerun", "forged.jsonl")[2]


# --- bots that are started anew ------------------------------------------------------------------------------------


@pytest.fixture
def kept(run, bot) -> str:
    """A game of two bots that always play the same."""
    bot("first")
    assert (
        run("play", "first.py", "donuts:greedy", "--games", "1", "--seed", "4", "--records", "kept")[0] == 0
    )
    return "kept"


def test_a_game_of_bots_that_play_the_same_comes_out_the_same(run, kept):
    code, out, err = run("rerun", kept)
    assert (code, err) == (0, "")
    assert "the same " in out
    then, now = (line.partition(":")[2].strip() for line in out.splitlines()[-2:])
    assert then == now


def test_the_first_ply_that_differs_is_shown_with_both_moves(run, kept, bot):
    bot("other", "fields['legal'] = fields['legal'].split(',')[-1] if turns > 2 else fields['legal']")
    code, out, _ = run("rerun", kept, "--x", "other.py", "--json")
    facts = json.loads(out)
    then, now = facts["then"], facts["now"]
    ply = facts["ply"]
    assert (code, facts["same"], facts["side"]) == (1, False, "x")
    assert then["moves"][:ply] == now["moves"][:ply]
    assert (then["turn"]["sq"], now["turn"]["sq"]) == (then["moves"][ply], now["moves"][ply])
    assert then["turn"]["sq"] != now["turn"]["sq"]
    assert ply >= 4  # the third turn of x, or a later one where it had a choice
    code, out, _ = run("rerun", kept, "--x", "other.py")
    assert f"differs at ply {ply}, first (x) on turn:\n  then: {then['turn']['sq']}" in out


def test_a_changed_program_is_told(run, kept, bot):
    bot("first", "turns += 0")
    code, _, err = run("rerun", kept)
    assert code == 0
    assert err == "donuts: the program of first is not the one that played: its sha256 differs\n"


def test_a_bot_that_does_not_start_any_more_is_exit_3(run, kept, tmp_path):
    (tmp_path / "first.py").write_text("import sys; sys.exit(5)")
    code, out, _ = run("rerun", kept)
    assert (code, "exit status 5" in out) == (3, True)


def test_a_program_that_is_gone_is_one_line(run, kept, tmp_path):
    assert run("rerun", kept, "--x", "gone.py")[0] == 2
    journal = tmp_path / kept / JOURNAL
    journal.write_bytes(
        journal.read_bytes().replace(json.dumps(sys.executable).encode(), b'"/nowhere/python3"')
    )
    code, out, err = run("rerun", kept)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "there is no /nowhere/python3 here" in err


# --- bots of teams' folders ----------------------------------------------------------------------------------------


@pytest.fixture
def alpha(run, bot, tmp_path) -> Path:
    """The folder of a team whose bot starts in its folder, with its variable, alone; and a kept game of it."""
    bot("alpha", "turns or os.environ['LEVEL']")
    folder = tmp_path / "teams" / "alpha"
    folder.mkdir(parents=True)
    (folder / "main.py").write_text("import os\n" + (tmp_path / "alpha.py").read_text())
    (tmp_path / "alpha.py").unlink()
    (folder / "bot.toml").write_text(
        f"run = {json.dumps([sys.executable, 'main.py'])}\nenv = {{ LEVEL = '1' }}\n"
    )
    words = ("--games", "1", "--seed", "4", "--records", "kept")
    code, out, _ = run("play", "teams/alpha", "donuts:greedy", *words, "--strict")
    assert code == 0 and "alpha" in out
    return folder


def test_a_bot_of_a_team_s_folder_is_started_again_by_its_bot_toml(run, alpha, tmp_path):
    code, out, err = run("rerun", "kept")
    assert (code, err) == (0, "") and "the same " in out
    alpha.rename(tmp_path / "alpha")
    assert run("rerun", "kept")[::2] == (0, "")
    (tmp_path / "alpha").rename(tmp_path / "moved")
    assert run("rerun", "kept") == (
        2,
        "",
        "donuts: alpha cannot be started: there is no file main.py here; name a program with --x, or a folder with "
        "a bot.toml\n",
    )
    assert run("rerun", "kept", "--x", "moved")[::2] == (0, "")
    assert run("check", "--only", "hello-time", "moved")[0] == 0


def test_a_folder_of_that_name_is_used_only_where_it_is_the_bot(run, alpha):
    (alpha / "bot.toml").write_text('name = "beta"\nrun = "./beta"\n')
    assert "alpha cannot be started: there is no file main.py here" in run("rerun", "kept")[2]
    (alpha / "bot.toml").write_text("run = 5\n")
    code, out, err = run("rerun", "kept")
    assert (code, out, err.count("\n")) == (2, "", 1) and "alpha/bot.toml:1: run" in err


def test_a_program_that_is_there_comes_before_another_of_a_folder(run, kept, tmp_path):
    (tmp_path / "first").mkdir()
    for text in ('run = "./nothing"\n', "run = 5\n"):
        (tmp_path / "first" / "bot.toml").write_text(text)
        assert run("rerun", kept)[::2] == (0, "")
