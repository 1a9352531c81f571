"""event.toml: what each key means, what holds without it, and that all faults come at once, each with its line."""

import os
import re
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import donuts_engine as engine
from donuts_referee.channels.limits import Limits
from donuts_referee.competition import config
from donuts_referee.competition.config import ConfigFault, read_event
from donuts_referee.competition.event import (
    Event,
    Gauntlet,
    Hooks,
    Knockout,
    Ladder,
    Openings,
    Policies,
    RoundRobin,
    Running,
    Sprt,
    Swiss,
)
from donuts_referee.competition.template import TEMPLATE
from donuts_referee.table.adjudication import Adjudication, Resignation
from donuts_referee.table.control import TimeControl

TWO = 'bots = ["donuts:greedy", "donuts:random"]\n'
LAYOUT = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str | bytes) -> Event:
    Path("event.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_event(Path("event.toml"))


def fault(text: str | bytes) -> str:
    with pytest.raises(ConfigFault) as caught:
        read(text)
    said = str(caught.value)
    assert said.isprintable() and said.startswith("event.toml:")
    return said


def team(name: str, text: str = 'run = "./bot"') -> Path:
    folder = Path("teams", name)
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(text)
    program(folder / "bot")
    return folder


def program(path: Path) -> None:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


def test_two_bots_are_all_that_a_file_must_name(tmp_path: Path) -> None:
    event = read(TWO)
    assert [bot.name for bot in event.bots] == ["greedy", "random"]
    assert event.bots[0].program.argv == (sys.executable, "-P", "-m", "donuts_client.bots.greedy")
    bots = event.bots
    assert event == Event(
        name="event",
        file=tmp_path / "event.toml",
        records=tmp_path / "event-records",
        seed=1,
        bots=bots,
        tiles=engine.TileSet.shipped(),
        control=TimeControl(0, 100, 100, 50, 10_000, 30_000),
    )
    assert (
        read(TWO + "".join(f"[{key}]\n" for key in ("format", "games", "openings", "faults", "running")))
        == event
    )


def test_every_key_is_read(tmp_path: Path) -> None:
    Path("kept").mkdir()
    program(Path("kept", "alpha"))
    Path("tell.py").touch()
    event = read(
        """
        name = "Spring Cup"
        records = "kept"
        seed = 9
        bots = ["donuts:greedy"]
        withdrawn = ["alpha"]
        [[bot]]
        name = "alpha"
        version = "1.2"
        run = ["./alpha", "-x y"]
        cwd = "kept"
        env = { A = "1" }
        limits = { memory = 64, processes = 2, files = 9, file_size = 1 }
        [format]
        kind = "gauntlet"
        cycles = 3
        seeds = 1
        [games]
        size = 6
        rings = 12
        tc = "10+0.1"
        margin = 20
        prep = 5
        hello = 0.5
        reveal = false
        [openings]
        boards = [3, 5]
        plies = 2
        order = "shuffled"
        [faults]
        on_fault = "void"
        replays = 0
        crash_limit = 0
        [adjudication]
        resign = { eval = 950 }
        max_plies = 30
        solver = true
        [running]
        workers = 3
        affinity = true
        stagger = 0
        durable = true
        [hooks]
        start = "tell.py start"
        end = ["./end", "a b"]
        """
    )
    assert (event.name, event.records, event.seed) == ("Spring Cup", tmp_path / "kept", 9)
    alpha = event.bots[1]
    assert (alpha.name, alpha.version, alpha.folder) == ("alpha", "1.2", None)
    assert alpha.program.argv == (f"{tmp_path}/kept/alpha", "-x y")
    assert (alpha.program.cwd, alpha.program.env) == (f"{tmp_path}/kept", (("A", "1"),))
    assert alpha.program.limits == Limits(64, 2, 9, 1)
    assert event.withdrawn == {"alpha"}
    assert event.format == Gauntlet(cycles=3, seeds=1)
    assert (event.size, event.rings, event.reveal) == (6, 12, False)
    assert event.control == TimeControl(10_000, 100, None, 20, 5000, 500)
    assert event.openings == Openings("numbers", numbers=(3, 5), plies=2, order="shuffled")
    assert event.policies == Policies("void", 0, None)
    assert event.adjudication == Adjudication(Resignation(950, 3), 30, True)
    hooks = Hooks(start=(sys.executable, f"{tmp_path}/tell.py", "start"), end=(f"{tmp_path}/end", "a b"))
    assert event.running == Running(3, True, 0, True, hooks)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("cycles = 2", RoundRobin(2)),
        ('kind = "gauntlet"', Gauntlet()),
        ('kind = "swiss"\nrounds = 1', Swiss(1)),
        ('kind = "knockout"\nencounters = 2\ntie_breaks = 0\nthird_place = true', Knockout(2, 0, True)),
        ('kind = "ladder"\nencounters = 5\nwindow = 2', Ladder(5, 2)),
        (
            'kind = "sprt"\nelo0 = -3\nelo1 = 2.5\nalpha = 0.1\nbeta = 0.2\nscale = "logistic"\nencounters = 7',
            Sprt(-3, 2.5, 0.1, 0.2, "logistic", 7),
        ),
    ],
    ids=str,
)
def test_every_format_has_its_keys(text: str, right: object) -> None:
    assert read(f"{TWO}[format]\n{text}").format == right


def test_teams_are_found_by_name_and_left_out_by_word() -> None:
    for name in ("beta", "alpha", "old"):
        team(name)
    team(
        "gamma",
        'name = "third"\nversion = "3"\nrun = "x.py"\nbuild = ["make", ["cp", "a b"]]\n[limits]\nfiles = 5',
    )
    Path("teams", "gamma", "x.py").touch()
    Path("teams", "README").touch()
    team(".git")
    event = read('bots = ["teams/*", "donuts:random", "!teams/o*"]')
    assert [bot.name for bot in event.bots] == ["alpha", "beta", "third", "random"]
    third = event.bots[2]
    assert third.folder == Path.cwd() / "teams" / "gamma"
    assert third.build == (("make",), ("cp", "a b"))
    assert third.program.limits == Limits(files=5)
    assert third.program.argv == (sys.executable, str(third.folder / "x.py"))
    assert [bot.name for bot in read('bots = ["teams/alpha", "teams/beta"]').bots] == ["alpha", "beta"]


def test_openings_are_a_list_of_layouts_or_a_file() -> None:
    size = "[games]\nsize = 6\n"
    event = read(f'{TWO}{size}[openings]\nboards = ["{LAYOUT}", "{LAYOUT} a1 the corner"]')
    entries = ((LAYOUT, ()), (LAYOUT, ("a1",)))
    assert event.openings == Openings("layouts", entries=entries, names=("", "the corner"))
    Path("book.txt").write_text(f"# two of them\n{LAYOUT}\n\n{LAYOUT} a1 the corner\n")
    assert read(f'openings = "book.txt"\n{TWO}{size}').openings == event.openings
    assert read(f'{TWO}{size}[openings]\nboards = "book.txt"').openings == event.openings


def test_the_template_is_an_event_and_says_the_defaults(tmp_path: Path) -> None:
    event = read(TEMPLATE)
    assert event == read(TWO)
    assert "6 x 6 board in seconds" in TEMPLATE and max(map(len, TEMPLATE.splitlines())) <= 120


def test_every_key_of_the_template_is_one(tmp_path: Path) -> None:
    """What it shows as a comment is no unknown key, and as good as the default it stands for."""
    Path("engines", "alpha").mkdir(parents=True)
    program(Path("engines", "alpha", "alpha"))
    text = re.sub(r"(?m)^# (?=\[|[a-z_0-9]+ = )", "", TEMPLATE)
    text = re.sub(
        r'(?m)^(bots = "teams|tiles|table|tc|seeds|rounds|encounters|tie|third|window|elo|alpha|beta|scale|solver|max)'
        r".*\n",
        "",
        text,
    )
    event = read(text)
    assert [bot.name for bot in event.bots] == ["greedy", "random", "alpha"]
    usual = read(TWO)
    assert (event.format, event.control, event.openings, event.policies) == (
        usual.format, usual.control, usual.openings, usual.policies,
    )  # fmt: skip
    assert event.adjudication == Adjudication(Resignation())
    assert event.records == usual.records and event.rings == usual.rings


FAULTS = [
    ("", "1: bots: none of them; an event takes at least 2"),
    ('bots = "donuts:random"', "1: bots: 1 of them; an event takes at least 2"),
    ("bots = 1", '1: bots: must be a text or a list of texts, such as "teams/*"'),
    ('bots = ["donuts:random",\n"donuts:nobody"]', "2: bots[2]: no bot 'nobody' comes with the arena"),
    ('bots = ["donuts:random",\n"human"]', "2: bots[2]: 'human': an event starts its bots itself"),
    ('bots = ["donuts:random",\n"zmq:a"]', "2: bots[2]: 'zmq:a': an event starts its bots itself"),
    ('bots = ["donuts:random",\n"donuts:random"]', "names must differ by more than case"),
    ('bots = ["donuts:random",\n"./a%b -x"]', "2: bots[2]: 'a%b' is no name"),
    ('bots = ["donuts:random", "a\\u0000b"]', "1: bots[2]: must be a text"),
    (f'bots = ["donuts:random", "{"a" * 300}"]', "1: bots[2]: "),
    ('bots = "teams/*"', "1: bots: 'teams/*' finds no folder"),
    (TWO + '\n[[bot]]\nname = "Greedy"\nrun = "sh"', "4: bot[1].name: bot[1] is called Greedy, as 'donuts:greedy'"),
    (TWO + '[[bot]]\nrun = "sh"', "2: bot[1].name: missing"),
    (TWO + '[[bot]]\nname = "a b"\nrun = "sh"', "3: bot[1].name: 'a b': a name is"),
    (TWO + '[[bot]]\nname = "a"', "2: bot[1].run: missing; it says how the bot is started"),
    (TWO + '[[bot]]\nname = "a"\nrun = "x \'"', "4: bot[1].run: a quote is not closed"),
    (TWO + '[[bot]]\nname = "a"\nrun = "donuts:x"', "4: bot[1].run: no bot 'x'"),
    (TWO + '[[bot]]\nname = "a"\nrun = "sh"\ncwd = "none"', "5: bot[1].cwd: there is no folder"),
    (TWO + '[[bot]]\nname = "a"\nrun = "sh"\nenv = { A = 1 }', "5: bot[1].env: A: must be a string"),
    (TWO + '[[bot]]\nname = "a"\nrun = "sh"\n[bot.limits]\nmemory = 0', "6: bot[1].limits.memory: must be a whole"),
    (TWO + '[[bot]]\nname = "a"\nrun = "sh"\nlimits.mem = 0', "5: bot[1].limits.mem: unknown; did you mean memory?"),
    (TWO + '[[bot]]\nname = "a"\nrun = "sh"\nruns = "x"', "5: bot[1].runs: unknown; did you mean run?"),
    (TWO + "[bot]\n", "2: bot: must be tables, [[bot]] above each"),
    (TWO + 'withdrawn = [\n"greedy",\n"x"\n]', "4: withdrawn[2]: no bot is called 'x'"),
    (TWO + 'withdrawn = "greedy"', "2: withdrawn: must be a list of names"),
    (TWO + "name = 1", "2: name: must be a text"),
    (TWO + 'records = "event.toml"', "2: records: "),
    (TWO + "seed = -1", "2: seed: must be a whole number from 0 to 9007199254740991"),
    (TWO + "size = 9", "2: size: belongs below [games]"),
    (TWO + "formats = 9", "2: formats: unknown; did you mean format?"),
    (TWO + "format = 9", "2: format: must be a table, [format]"),
    (TWO + '[format]\nkind = "knock-out"', '3: format.kind: must be "round-robin" or "gauntlet" or "swiss"'),
    (TWO + '[format]\nkind = "swiss"\ncycles = 1', "4: format.cycles: is for round-robin and gauntlet; swiss"),
    (TWO + '[format]\nkind = "swiss"\nrounds = 2', "4: format.rounds: 2 bots have 1 rounds at most"),
    (TWO + '[format]\nkind = "gauntlet"\nseeds = 2', "4: format.seeds: 2 challengers of 2 bots leave nobody"),
    (TWO + '[format]\nkind = "sprt"\nelo0 = 10', "4: format.elo0: elo0 = 10 must be below elo1 = 10"),
    (TWO + '[format]\nkind = "sprt"\nalpha = nan', "4: format.alpha: must be a number above 0 and below 0.5"),
    (TWO + '[[bot]]\nname="a"\nrun="sh"\n[format]\nkind = "sprt"', "6: format.kind: sprt is a match of 2 bots, and"),
    (TWO + "[games]\nsize = 7", "3: games.size: must be 6 or 9"),
    (TWO + "[games]\nrings = 41", "3: games.rings: must be a whole number from 1 to 40"),
    (TWO + '[games]\ntc = "1"\nmovetime = 1', "4: games.movetime: tc says how long a bot may think, too"),
    (TWO + '[games]\ntc = "fast"', "3: games.tc: time control 'fast' is not understood"),
    (TWO + "[games]\ntc = 60", "3: games.tc: must be a text"),
    (TWO + "[games]\nmovetime = 0", "3: games.movetime: must be a number of seconds"),
    (TWO + '[games]\ntiles = "none.toml"', "none.toml: No such file"),
    (TWO + "[openings]\nboards = [1]", "3: openings.boards: only 6 x 6 boards have numbers"),
    (TWO + "[games]\nsize = 6\n[openings]\nboards = [\n1,\n24576]", "7: openings.boards[2]: 24576 is no board; 0 to"),
    (TWO + "[openings]\nboards = []", '3: openings.boards: must be "drawn"'),
    (TWO + 'openings = "none.txt"', "none.txt: no such file"),
    (TWO + f'[openings]\nboards = ["{LAYOUT}"]', "3: openings.boards[1]: the layout is of a 6 x 6 board, and the"),
    (TWO + f'games.size = 6\n[openings]\nboards = [\n"{LAYOUT}",\n"{LAYOUT}"]', "6: openings.boards[2]: is the same"),
    (TWO + '[openings]\nboards = ["HV"]', "3: openings.boards[1]: "),
    (TWO + '[openings]\nboards = ["a\\nb"]', "3: openings.boards[1]: "),
    (TWO + "[openings]\nplies = 72", "3: openings.plies: "),
    (TWO + "[faults]\nreplays = 101", "3: faults.replays: must be a whole number from 0 to 100"),
    (TWO + '[faults]\non_fault = "x"', '3: faults.on_fault: must be "forfeit" or "void" or "stop"'),
    (TWO + "[adjudication]\nresign = 900", "3: adjudication.resign: must be true, or { eval = 900, plies = 3 }"),
    (TWO + "[adjudication]\nresign = { eval = 500 }", "3: adjudication.resign.eval: must be a whole number from 501"),
    (TWO + "[adjudication]\nsolver = true", "3: adjudication.solver: knows 6 x 6 positions alone"),
    (TWO + "[running]\nworkers = 0", "3: running.workers: must be a whole number from 1"),
    (TWO + "[running]\nworkers = 1025", "3: running.workers: must be a whole number from 1 to 1024"),
    (TWO + "[hooks]\nend = []", '3: hooks.end: empty; write a command line such as "./tell.sh end"'),
    (TWO + '"a\\u001b[2J" = 1', "2: a\\x1b[2J: unknown"),
    (b"\0\xff", "not UTF-8"),
    (b"a = '\0'", "not TOML"),
    (b"#" * (1 << 20) + b"\n", "more than 1048576 bytes"),
    (b"a" + b".a" * 100 + b" = 1", "more than 64 dots"),
    (b"a = " + b"[" * 100_000, "nested too deeply"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "right"), FAULTS, ids=[right for _, right in FAULTS])
def test_a_fault_names_the_line_and_the_key(text: str | bytes, right: str) -> None:
    said = fault(text)
    assert right in said
    assert " | " not in said and len(said) < 500


def test_all_faults_come_at_once_each_with_its_line() -> None:
    team("x", 'runs = "./bot"\n\n[limits]\nfiles = 0')
    said = fault(
        'seeds = 1\nbots = ["donuts:random", "teams/x"]\n[games]\nsize = 5\n\n[format]\nkind = "sprt"\nelo1 = "x"\n'
    )
    parts = said.split(" | ")
    assert [part.partition(": ")[0] for part in parts] == [
        "event.toml:1",
        *["event.toml:2"] * 3,
        "event.toml:4",
        "event.toml:8",
    ]
    inside = f"bots[2]: {Path.cwd()}/teams/x/bot.toml:"
    assert [part.partition(": ")[2].removeprefix(inside)[:2] for part in parts[1:4]] == ["1:", "1:", "4:"]


VALUES = [
    "1", "-1", "0", "1e400", "nan", "true", "1979-05-27", '""', '"x"', '"../x"', '"/dev/zero"', '"\\u0000"',
    "[]", "[1]", "[[]]", '["x", 1]', '["\\u0000"]', "{ x = 1 }", "[{}]", f'"{"x" * 300}"', '"*"', '"donuts:greedy"',
    '"!*"', "[99999999999999999999999]", '"~"', '"[x"', '"a b"', '["a", "\'"]', '{ memory = "x" }', '"**/**"', '"./x"',
]  # fmt: skip
KEYS = sorted({key for section in config._KEYS.values() for key in section} | {"x", "memory"})


@given(
    st.lists(
        st.tuples(st.sampled_from([*config._TOP, "[[bot]]"]), st.sampled_from(KEYS), st.sampled_from(VALUES)),
        max_size=4,
        unique_by=lambda row: row[:2],
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_stands_there_is_an_event_or_a_fault_with_its_line(rows: list[tuple[str, str, str]]) -> None:
    sections = {"format", "games", "openings", "faults", "adjudication", "running", "hooks"}
    text = "".join(
        f"[[bot]]\n{key} = {value}\n"
        if section == "[[bot]]"
        else f"{section}.{key} = {value}\n"
        if section in sections
        else f"{section} = {value}\n"
        for section, key, value in sorted(rows, key=lambda row: row[0] == "[[bot]]")
    )
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    Path("event.toml").write_text(text)
    lines = text.count("\n") + 1
    try:
        read_event(Path("event.toml"))
    except ConfigFault as fault:
        said = str(fault)
        assert said.isprintable()
        for number in re.findall(r"(?:^| \| )event\.toml:(\d+): ", said):
            assert 1 <= int(number) <= lines


def test_hostile_files_are_refused_and_not_waited_for() -> None:
    os.mkfifo("pipe")
    for name, right in (
        ("pipe", "a pipe"),
        (".", "a directory"),
        ("/dev/zero", "a device"),
        ("none", "no such"),
    ):
        with pytest.raises(ConfigFault, match=right):
            read_event(Path(name))
    folder = team("x")
    (folder / "bot.toml").unlink()
    os.mkfifo(folder / "bot.toml")
    assert "bot.toml: is a pipe or a device" in fault('bots = ["donuts:random", "teams/x"]')
