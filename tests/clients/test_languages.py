"""Every language against every other through the referee, over pipes and over ZeroMQ, on both boards."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.hall import hall
from check.leisure import leisurely
from clients.built import CLIENTS, command, leave_out, names, words

BY_THE_RULES = {"five", "group"}
STDIO = names("text")
REMOTE = names("zmq")


@pytest.mark.parametrize("size", [6, 9])
@pytest.mark.parametrize("pair", list(itertools.combinations(STDIO, 2)), ids="-".join)
def test_any_two_languages_play_by_the_rules_over_pipes(
    pair: tuple[str, str], size: int, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "donuts_referee", "play", *map(command, pair), "--size", str(size), "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    verdicts = [event for event in events if event["event"] == "verdict"]
    assert len(verdicts) == 2 and {event["why"] for event in verdicts} <= BY_THE_RULES, verdicts
    assert [event for event in events if event["event"] == "warning"] == []


@pytest.mark.timeout(400)
@pytest.mark.parametrize("size", [6, 9])
def test_all_languages_play_a_round_robin_at_an_arena(size: int, tmp_path: Path) -> None:
    runs = {name: words(name, "zmq") for name in REMOTE}
    pairs = {frozenset(pair) for pair in itertools.combinations(REMOTE, 2)}
    bots: list[subprocess.Popen[bytes]] = []
    with hall(tmp_path, f'[games]\ntc = "300+0.5"\nsize = {size}\n') as one:
        try:
            for name, run in runs.items():
                bots.append(_dial(run, one.tcp, name))
            one.until(lambda: pairs <= {frozenset((g["x"], g["o"])) for g in one.games()}, 200)
            games = list(one.games())
            one.process.terminate()
            one.wait()
        finally:
            for bot in bots:
                bot.kill()
                bot.communicate(timeout=30)
    assert {game["why"] for game in games} <= BY_THE_RULES, [g for g in games if g["why"] not in BY_THE_RULES]
    assert one.of("warning") == []
    encodings = {side["bot"]: side["encoding"] for game in one.journal() for side in (game["x"], game["o"])}
    assert {name for name, encoding in encodings.items() if encoding == "msgpack"} >= set(REMOTE) - {"python"}


def _dial(run: list[str], endpoint: str, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*run, "--connect", endpoint, "--name", name],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("name", REMOTE)
def test_a_bot_that_dials_in_says_how_it_is_used(name: str) -> None:
    run = words(name, "zmq")
    asked = subprocess.run([*run, "--help"], capture_output=True, text=True, check=False, timeout=60)
    assert asked.returncode == 0 and "seat-file FILE" in asked.stdout + asked.stderr
    wrong = subprocess.run([*run, "--nonsense"], capture_output=True, text=True, check=False, timeout=60)
    assert wrong.returncode == 2 and wrong.stdout == ""
    assert "nonsense" in wrong.stderr or "usage: " in wrong.stderr


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_a_client_passes_its_own_tests(name: str) -> None:
    client = CLIENTS[name]
    if client.absent:
        leave_out(f"{name}: {client.absent}")
    words(name, "text")
    if client.built is not None and not client.built.exists():
        leave_out(f"{name} is not built: make clients")
    for step in client.steps("test"):
        done = subprocess.run(
            step, cwd=client.folder, capture_output=True, text=True, check=False, timeout=600
        )
        assert done.returncode == 0, f"{' '.join(step)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"


@pytest.mark.parametrize(("name", "kind"), [(n, "text") for n in STDIO] + [(n, "zmq") for n in REMOTE])
def test_a_client_passes_the_checker(name: str, kind: str, tmp_path: Path) -> None:
    if os.environ.get("DONUTS_CLIENTS") != "all":
        pytest.skip("it takes a while: DONUTS_CLIENTS=all does it")
    run = words(name, kind)
    check = leisurely("--margin", "5000")
    if kind == "zmq":
        check += ["--connect", "tcp://127.0.0.1:*"]
        run = [*run, "--connect", "{endpoint}", *(["--msgpack"] if name == "python" else [])]
        check += ["--encoding", "msgpack"]
    done = subprocess.run(
        [*check, "--", *run], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_language_of_the_table_is_there() -> None:
    readme = (Path(__file__).parents[2] / "clients" / "README.md").read_text("utf-8")
    for name in STDIO:
        assert f"({name}/README.md)" in readme, f"clients/README.md does not name {name}"
