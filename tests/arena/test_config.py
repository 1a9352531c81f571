"""arena.toml: what holds without it, what each key means, and that all faults come at once."""

import os
from pathlib import Path

import pytest

import donuts_engine as engine
from donuts_referee.arena.config import ArenaConfig, ConfigFault, read_config
from donuts_referee.arena.seats import Seat, SeatList, render
from donuts_referee.endpoints import parse_endpoint
from donuts_referee.table.control import TimeControl

KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str | bytes) -> ArenaConfig:
    Path("arena.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_config(Path("arena.toml"))


def fault(text: str | bytes) -> str:
    with pytest.raises(ConfigFault) as caught:
        read(text)
    said = str(caught.value)
    assert said.isprintable() and said.startswith("arena.toml: ")
    return said


def seats(*, curve: bool) -> None:
    """A folder `seats` with one seat, with or without CURVE keys."""
    Path("seats").mkdir(mode=0o700)
    listed = SeatList([Seat("a", None, KEY)], KEY) if curve else SeatList([Seat("a", "0" * 64)])
    for name, text in (("seats.toml", render(listed)), ("server.key", KEY)):
        Path("seats", name).write_text(text)
        Path("seats", name).chmod(0o600)


def test_without_a_file_and_with_an_empty_one_the_same_holds(tmp_path: Path) -> None:
    config = read_config(None)
    assert config == read("") == read("[arena]\n[games]\n")
    assert config == ArenaConfig(
        records=tmp_path / "donuts-arena",
        endpoints=(parse_endpoint("tcp://127.0.0.1:7464", binding=True),),
        seats=None,
        controls=(TimeControl(60_000, 100, None, 100, 10_000, 30_000),),
        margin_local=100,
        margin_remote=500,
        size=6,
        rings=15,
        tiles=None,
        seed=None,
        reveal=False,
        at_once=None,
        on_fault="forfeit",
        bench_after=3,
        memory=1024,
        metrics=None,
        durable=False,
    )


def test_every_key_is_read(tmp_path: Path) -> None:
    seats(curve=True)
    config = read(
        """
        [arena]
        records = "kept"
        endpoints = ["tcp://*:7464", "ipc://run/arena.sock", "tcp://127.0.0.1:0", "tcp://127.0.0.1:0"]
        seats = "seats"
        reveal = true
        memory = 0
        durable = true
        metrics = "127.0.0.1:9464"
        [games]
        tc = ["10+0.1", "60", "inf"]
        margin = 50
        margin_remote = 700
        prep = 5
        hello = 0.5
        size = 9
        rings = 40
        seed = 7
        at_once = 100
        on_fault = "void"
        bench_after = 1
        """
    )
    assert config.records == tmp_path / "kept"
    assert [endpoint.text for endpoint in config.endpoints] == [
        "tcp://*:7464",
        f"ipc://{tmp_path}/run/arena.sock",
        "tcp://127.0.0.1:0",
        "tcp://127.0.0.1:0",
    ]
    assert config.seats == tmp_path / "seats"
    assert [str(control) for control in config.controls] == ["10+0.1", "60+0", "inf"]
    assert {(c.margin, c.prep, c.hello) for c in config.controls} == {(50, 5000, 500)}
    assert (config.margin_local, config.margin_remote) == (50, 700)
    assert (config.size, config.rings, config.seed, config.at_once) == (9, 40, 7, 100)
    assert (config.on_fault, config.bench_after) == ("void", 1)
    assert (config.reveal, config.memory, config.durable) == (True, 0, True)
    assert config.metrics == "127.0.0.1:9464"


def test_one_text_is_a_list_of_one() -> None:
    config = read('[arena]\nendpoints = "ipc:///tmp/a.sock"\n[games]\ntc = "1+1"\n')
    assert [endpoint.kind for endpoint in config.endpoints] == ["ipc"]
    assert [str(control) for control in config.controls] == ["1+1"]


def test_nine_by_nine_has_its_own_number_of_rings() -> None:
    assert read("[games]\nsize = 9").rings == 36


def test_paths_are_taken_from_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "arena.toml").write_text('[arena]\nrecords = "../kept"\nendpoints = "ipc://a.sock"\n')
    config = read_config(Path("etc/arena.toml"))
    assert config.records.resolve() == tmp_path / "kept"
    assert config.endpoints[0].text == f"ipc://{tmp_path}/etc/a.sock"
    (tmp_path / "etc" / "arena.toml").write_text("")
    assert read_config(Path("etc/arena.toml")).records == tmp_path / "etc" / "donuts-arena"


def test_curve_on_loopback_addresses_is_asked_for(tmp_path: Path) -> None:
    said = fault('[arena]\nendpoints = "tcp://127.0.0.1:7464"\ncurve = true')
    assert "tcp://127.0.0.1:7464 is to speak CURVE (arena.curve)" in said and "--curve --endpoint" in said
    config = read('[arena]\nendpoints = ["ipc://a.sock"]\ncurve = true')
    assert config.curve and not config.speaks_curve(config.endpoints[0])
    plain = read('[arena]\nendpoints = "tcp://127.0.0.1:7464"')
    assert not plain.speaks_curve(plain.endpoints[0])


def test_a_file_with_a_byte_order_mark_and_crlf_is_read() -> None:
    assert read(b"\xef\xbb\xbf[games]\r\nsize = 9\r\n").size == 9


def test_an_address_that_others_reach_needs_curve() -> None:
    said = fault('[arena]\nendpoints = "tcp://0.0.0.0:7464"')
    assert said == (
        "arena.toml: arena.endpoints: tcp://0.0.0.0:7464 is not a loopback address: CURVE is required; make keys "
        "with `donuts arena seats --roster teams.csv --out seats --endpoint tcp://HOST:PORT` and name that folder "
        "in arena.seats"
    )


def test_tokens_alone_do_not_open_an_address_that_others_reach() -> None:
    seats(curve=False)
    assert "CURVE is required" in fault('[arena]\nseats = "seats"\nendpoints = "tcp://10.0.0.1:7464"')
    assert read('[arena]\nseats = "seats"').seats == Path.cwd() / "seats"


def test_a_faulty_list_of_seats_is_a_fault_of_its_own_only() -> None:
    said = fault('[arena]\nseats = "seats"\nendpoints = "tcp://10.0.0.1:7464"')
    assert "arena.seats: " in said and "no such folder" in said and "CURVE" not in said
    seats(curve=True)
    Path("seats").chmod(0o755)
    assert "chmod 700" in fault('[arena]\nseats = "seats"')


FAULTS = [
    ("[arena]\nrecords = 1", "arena.records: must be a text"),
    ('[arena]\nrecords = ""', "arena.records: must be a text"),
    ('[arena]\nrecords = "a\\u0000b"', "arena.records: must be a text"),
    ('[arena]\nrecords = "arena.toml"', "arena.toml is no folder"),
    (f'[arena]\nrecords = "{"a" * 300}"', " is no folder"),
    (f'[arena]\nseats = "{"a" * 300}"', "no such folder"),
    ("[arena]\nendpoints = []", "arena.endpoints: must be a text or a list"),
    ("[arena]\nendpoints = [1]", "arena.endpoints: must be a text or a list"),
    ('[arena]\nendpoints = "http://x"', "arena.endpoints: 'http://x': the arena speaks tcp and ipc only"),
    ('[arena]\nendpoints = ["tcp://127.0.0.1:1", "tcp://127.0.0.1:1"]', "stands there twice"),
    (f'[arena]\nendpoints = "ipc://{"a" * 99}"', "a shorter one"),
    ("[arena]\nseats = 7", "arena.seats: must be a text"),
    ("[arena]\nreveal = 1", "arena.reveal: must be true or false"),
    ('[arena]\ndurable = "yes"', "arena.durable: must be true or false"),
    ("[arena]\nmemory = -1", "arena.memory: must be a whole number from 0 to"),
    ("[arena]\nmemory = 1.5", "arena.memory: must be a whole number"),
    ("[arena]\nmetrics = 9464", "arena.metrics: must be a text"),
    ('[arena]\nmetrics = "9464"', "arena.metrics: must be an address and a port"),
    ('[arena]\nmetrics = "host:9464"', "arena.metrics: must be an address and a port"),
    ('[arena]\nmetrics = "127.0.0.1:0"', "arena.metrics: must be an address and a port"),
    ('[arena]\nmetrics = "127.0.0.1:²"', "arena.metrics: must be an address and a port"),
    ("[games]\ntc = 60", "games.tc: must be a text or a list"),
    ('[games]\ntc = "fast"', "games.tc: time control 'fast' is not understood"),
    ('[games]\ntc = ["60", "60+0"]', "games.tc: 60+0 stands there twice"),
    ("[games]\nmargin = true", "games.margin: must be a whole number from 0 to 60000"),
    ("[games]\nmargin_remote = 60001", "games.margin_remote: must be a whole number"),
    ("[games]\nprep = 0", "games.prep: must be a number of seconds"),
    ("[games]\nprep = nan", "games.prep: must be a number of seconds"),
    ("[games]\nhello = inf", "games.hello: must be a number of seconds"),
    ("[games]\nhello = 0x" + "f" * 20_000, "games.hello: must be a number of seconds"),
    ("[games]\nhello = 1e-9", "games.hello: must be a number of seconds"),
    ("[games]\nsize = 7", "games.size: must be 6 or 9"),
    ("[games]\nrings = 19", "games.rings: must be a whole number from 1 to 18"),
    ("[games]\nseed = 0x" + "f" * 20_000, "games.seed: must be a whole number"),
    ("[games]\nat_once = 0", "games.at_once: must be a whole number from 1"),
    ('[games]\non_fault = "stop"', 'games.on_fault: must be "forfeit" or "void"'),
    ("[games]\nbench_after = 0", "games.bench_after: must be a whole number from 1"),
    ('[games]\ntiles = "none.toml"', "none.toml: No such file"),
    ('[games]\ntiles = "arena.toml"', "games.tiles: "),
    ("arena = 1", "arena: must be a table, [arena]"),
    ("[arena]\nendpoint = 1", "arena.endpoint: unknown; did you mean endpoints?"),
    ("[games]\nxyzzy = 1", "games.xyzzy: unknown; the keys are tc, margin"),
    ('[games]\n"a\\u001b[2J" = 1', "games.a\\x1b[2J: unknown"),
    ("[game]\n", "game: unknown; did you mean games?"),
    ("[xyzzy]\n", "xyzzy: unknown; the sections are arena, games"),
    ('tc = "60"', "tc: belongs below [games]"),
    ("[arena", "not TOML"),
    (b"\0\xff", "not UTF-8"),
    (b"#" * (256 << 10) + b"\n", "more than 262144 bytes"),
    (b"a" + b".a" * 100 + b" = 1", "more than 64 dots"),
    (b"a = " + b"[" * 100_000, "nested too deeply"),
]


@pytest.mark.parametrize(("text", "right"), FAULTS, ids=[right for _, right in FAULTS])
def test_a_fault_names_the_file_and_the_key(text: str | bytes, right: str) -> None:
    said = fault(text)
    assert right in said
    assert " | " not in said and len(said) < 700


def test_all_faults_come_at_once() -> None:
    said = fault(
        '[arena]\nreveal = 1\nmemori = 1\nendpoints = ["x", "tcp://10.0.0.1:1"]\n[games]\ntc = "x"\nsize = 5'
    )
    parts = said.split(" | ")
    assert [part.split(": ")[1] for part in parts] == [
        "arena.memori",
        "games.size",
        "arena.endpoints",
        "arena.endpoints",
        "games.tc",
        "arena.reveal",
    ]
    assert all(part.startswith("arena.toml: ") for part in parts)


def test_a_thousand_faults_are_counted() -> None:
    assert "and 980 more" in fault("[arena]\n" + "".join(f"k{number} = 1\n" for number in range(1000)))


def test_what_is_no_regular_file_is_refused_and_not_waited_for() -> None:
    os.mkfifo("pipe")
    for name, right in (
        ("pipe", "a pipe"),
        (".", "a directory"),
        ("/dev/zero", "a device"),
        ("none", "no such"),
    ):
        with pytest.raises(ConfigFault, match=right):
            read_config(Path(name))


def test_tiles_that_do_not_fill_the_board_are_refused() -> None:
    text = Path(engine.__file__).with_name("tiles.toml").read_text("utf-8")
    Path("tiles.toml").write_text(text)
    assert read('[games]\ntiles = "tiles.toml"\nsize = 9').tiles == Path.cwd() / "tiles.toml"
    Path("tiles.toml").write_text("[[tile]]".join(text.split("[[tile]]")[:5]))
    assert read('[games]\ntiles = "tiles.toml"').size == 6
    said = fault('[games]\ntiles = "tiles.toml"\nsize = 9')
    assert "games.tiles: " in said and "has 4 tiles, and a 9 x 9 board takes 9" in said
