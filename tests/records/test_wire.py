"""The wire log: every byte of a conversation once, stamped; and the clocks come out of the stamps alone."""

import json
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donuts_referee.records.faults import BadLine, ReadFault, WriteFault
from donuts_referee.records.wire import ClockedTurn, WireLog, read_wire, recompute_clocks
from donuts_referee.table.clock import SideClock
from donuts_referee.table.control import TimeControl
from donuts_referee.table.finished import Conditions
from records.played import CONTROLS, MS


@pytest.fixture
def log(tmp_path):
    return WireLog(tmp_path / "wire", "m")


def lines(log, number=1):
    return list(read_wire(log.path(number)))


def conditions(control: TimeControl) -> Conditions:
    return Conditions(
        main=control.main, inc=control.inc, movemax=control.movemax, margin=control.margin, prep=control.prep
    )


def framed(**fields: object) -> bytes:
    payload = msgspec.msgpack.encode(fields)
    return len(payload).to_bytes(4, "big") + payload


def test_one_line_per_line_with_the_stamp_of_the_read_that_ended_it(log):
    log(1, 10, "1", "<", b"hello donuts=1-1 na")
    log(1, 20, "1", "<", b"me=a\nready 1\r\n# com")
    log(1, 25, "2", "<", b"hello donuts=1-1 name=b\n")
    log(1, 30, "1", ">", b"turn 2 ply=0\n")
    log(1, 40, "1", "<", b"ment\n")
    log.close()
    assert [(one.ns, one.bot, one.dir, one.text) for one in lines(log)] == [
        (20, "1", "<", "hello donuts=1-1 name=a"),
        (20, "1", "<", "ready 1\\x0d"),
        (25, "2", "<", "hello donuts=1-1 name=b"),
        (30, "1", ">", "turn 2 ply=0"),
        (40, "1", "<", "# comment"),
    ]


def test_the_file_is_plain_json_lines_in_ascii(log):
    log(1, 10, "1", "<", "hällo \x1b[2J \u202e \\ \n".encode() + b"\xff\xfe\n")
    log.close()
    data = log.path(1).read_bytes()
    assert data.isascii()
    first, second = (json.loads(one) for one in data.splitlines())
    assert first == {
        "ns": 10,
        "bot": "1",
        "dir": "<",
        "text": r"h\xc3\xa4llo \x1b[2J \xe2\x80\xae \\ ",
    }
    assert second["text"] == r"\xff\xfe"


def test_payloads_are_hex_and_json(log):
    log(1, 5, "1", "<", framed(t="move", id=7, sq="e1")[:6])
    log(1, 9, "1", "<", framed(t="move", id=7, sq="e1")[6:] + framed(t="x", v=b"\0"))
    log.close()
    first, second = lines(log)
    assert first.map == {"t": "move", "id": 7, "sq": "e1"}
    assert bytes.fromhex(first.hex) == framed(t="move", id=7, sq="e1")[4:]
    assert (first.ns, second.ns) == (9, 9)
    assert second.map is None  # bin is no JSON
    assert bytes.fromhex(second.hex) == framed(t="x", v=b"\0")[4:]


@given(
    st.lists(
        st.sampled_from(
            [b"move 1 a1\n", b"\n", b"\\x\xff\x01\n", framed(t="pong", id=3), framed(a=[1] * 200)]
        )
    ),
    st.data(),
)
@settings(max_examples=50)
def test_chunks_do_not_matter(tmp_path_factory, messages, data):
    stream = b"".join(messages)
    log = WireLog(tmp_path_factory.mktemp("wire"), "m")
    at = 0
    while at < len(stream):
        size = data.draw(st.integers(1, len(stream) - at))
        log(1, at, "2", "<", stream[at : at + size])
        at += size
    log.close()
    if messages:
        assert len(lines(log)) == len(messages)
        assert not any(one.part for one in lines(log))


def test_a_line_without_an_end_is_kept_as_a_part_when_its_game_is_left(log):
    log(1, 10, "1", "<", b"ok\nmove 7 e")
    log(2, 20, "1", "<", b"hello donuts=1-1 name=a\n")
    log(2, 21, "2", "<", framed(t="move")[:-1])
    log.close()
    log.close()
    assert [(one.text, one.part) for one in lines(log, 1)] == [("ok", False), ("move 7 e", True)]
    assert [(one.text, one.part) for one in lines(log, 2)] == [
        ("hello donuts=1-1 name=a", False),
        (None, True),
    ]


def test_bytes_that_are_out_of_step_are_kept_as_they_came(log):
    log(1, 10, "1", "<", b"\0\xff\xff\xff" + b"junk")
    log.close()
    (one,) = lines(log)
    assert one.hex == b"junk".hex()


def test_every_game_is_on_disk_when_it_ends(log):
    log(1, 10, "1", "<", b"move 7 e1\n")
    assert not log.path(1).exists()
    log(1, 20, "1", ">", b"end 6 result=win winner=x why=five ply=9 cells=. moves= more=0\n")
    assert len(lines(log)) == 2
    log(2, 30, "1", "<", framed(t="move", id=7, sq="e1"))
    log(2, 40, "1", ">", framed(t="end", id=6))
    assert len(lines(log, 2)) == 2


def test_a_flood_does_not_pile_up_in_memory(log):
    for at in range(5000):
        log(1, at, "1", "<", b"#\n")
    assert len(lines(log)) >= 4096


def test_an_existing_log_is_continued(tmp_path):
    for _ in range(2):
        with WireLog(tmp_path, "m") as log:
            log(1, 1, "1", "<", b"a\n")
    assert len(lines(log)) == 2


def test_two_matches_do_not_share_a_file(tmp_path):
    assert WireLog(tmp_path).path(1) != WireLog(tmp_path).path(1)


def test_a_directory_that_cannot_be_made_or_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteFault, match=r"file/wire: .*name a directory"):
        WireLog(tmp_path / "file" / "wire")
    log = WireLog(tmp_path / "wire", "m")
    log.path(1).mkdir()
    log(1, 1, "1", "<", b"a\n")
    with pytest.raises(WriteFault, match="is a directory"):
        log.flush()


def test_reading_back_names_bad_lines_and_leaves_a_torn_one_out(tmp_path):
    path = tmp_path / "a.wire.jsonl"
    path.write_bytes(b'{"ns":1,"bot":"1","dir":"<","text":"a"}\n{"ns":2,"bo')
    assert [one.ns for one in read_wire(path)] == [1]
    path.write_bytes(b'{"ns":1}\n')
    with pytest.raises(BadLine, match=r"a\.wire\.jsonl:1: not a line of a wire log"):
        list(read_wire(path))
    with pytest.raises(ReadFault, match="no such file"):
        list(read_wire(tmp_path / "b"))


# --- clocks ----------------------------------------------------------------------------------------------------------


class Conversation:
    """A game as the wire sees it, on stamps of our own, beside the clocks as the table keeps them."""

    def __init__(self, log: WireLog, control: TimeControl, seed: int, packed: bool) -> None:
        self.log = log
        self.packed = packed
        self.dice = random.Random(seed)
        self.clocks = {"x": SideClock(control), "o": SideClock(control)}
        self.now = 1_000
        self.id = 500
        self.ply = 0
        self.due: list[ClockedTurn] = []
        self.number = 1
        self.attempt = 1

    def say(self, bot: str, direction: str, verb: str, id: int, **fields: object) -> None:
        packed = self.packed and bot == "2"
        if packed:
            data = framed(t=verb, id=id, **fields)
        else:
            sq = fields.pop("sq", None)
            words = [
                verb,
                str(id),
                *([str(sq)] if sq else []),
                *(f"{key}={value}" for key, value in fields.items()),
            ]
            data = " ".join(words).encode() + (b"\r\n" if direction == "<" else b"\n")
        cut = self.dice.randrange(len(data)) if direction == "<" else 0
        if cut:
            self.log(self.number, self.now - 1, bot, direction, data[:cut])
        self.log(self.number, self.now, bot, direction, data[cut:])

    def begin(self) -> None:
        for bot in "12":
            self.say(bot, ">", "game", self.id, you="xo"[bot == "2"])
            self.now += 100
            self.say(bot, "<", "ready", self.id)

    def turn(self, used: int, answer: str = "move") -> None:
        side = "xo"[self.ply % 2]
        bot = "12"[self.ply % 2]
        clock = self.clocks[side]
        allowed = clock.begin()
        self.id += 1
        self.say(bot, ">", "turn", self.id, game=500, ply=self.ply, you=side, clock=allowed.clock)
        start = self.now
        self.now += used // 2
        self.say(bot, "<", "info", self.id, depth=3)
        self.say(bot, "<", "move", self.id - 2, sq="a1")  # late, of the turn before
        other = "21"[self.ply % 2]
        self.say(other, "<", "move", self.id, sq="a1")
        self.now = start + used
        if not answer:
            self.say(bot, ">", "cancel", self.id, why="timeout")
            self.now += 10
            self.say(bot, "<", "move", self.id, sq="a1")
            used_, spent, left = None, None, None
        else:
            self.say(bot, "<", answer, self.id, **({"sq": "b2"} if answer == "move" else {}))
            used_ = used if allowed.budget is None else min(used, allowed.budget)
            charge = clock.charge(used_)
            spent, left = charge.spent, charge.left
        self.due.append(
            ClockedTurn(
                self.attempt, self.ply, side, self.id, allowed.limit, allowed.margin, used_, spent, left
            )
        )
        self.ply += 1
        self.now += self.dice.randrange(3 * MS)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    control=st.sampled_from([*CONTROLS, TimeControl(main=500, inc=20, margin=10)]),
    packed=st.booleans(),
    last=st.sampled_from(["move", "resign", ""]),
)
def test_the_clocks_come_out_of_the_stamps_alone(tmp_path_factory, seed, control, packed, last):
    log = WireLog(tmp_path_factory.mktemp("wire"), "m")
    talk = Conversation(log, control, seed, packed)
    talk.begin()
    for _ in range(talk.dice.randrange(1, 30)):
        talk.turn(talk.dice.choice([0, 1, 999_999, MS, 7 * MS + 3, talk.dice.randrange(120 * MS)]))
    talk.turn(90 * MS, last)
    log.close()
    assert recompute_clocks(log.path(1), conditions(control)) == talk.due


def test_a_game_that_is_played_again_starts_with_fresh_clocks(log):
    control = TimeControl(main=1000, inc=0)
    talk = Conversation(log, control, 1, False)
    talk.begin()
    talk.turn(300 * MS)
    talk.turn(20 * MS, "")
    talk.clocks = {"x": SideClock(control), "o": SideClock(control)}
    talk.ply, talk.attempt = 0, 2
    talk.id += 1
    talk.begin()
    talk.turn(100 * MS)
    log.close()
    found = recompute_clocks(log.path(1), conditions(control))
    assert found == talk.due
    assert [(one.attempt, one.clock) for one in found] == [(1, 700), (1, None), (2, 900)]


def test_a_log_that_breaks_off_leaves_the_open_turn_without_an_answer(log):
    talk = Conversation(log, CONTROLS[0], 1, False)
    talk.begin()
    talk.turn(5 * MS)
    talk.say("2", ">", "turn", 900, ply=1, you="o")
    log.close()
    found = recompute_clocks(log.path(1), conditions(CONTROLS[0]))
    assert found[:1] == talk.due
    assert (found[1].id, found[1].used) == (900, None)


def test_the_clocks_of_a_real_match_come_out_as_its_records_say(tmp_path, capsys):
    from donuts_referee.cli.main import main
    from donuts_referee.records.journal import JournalReader

    bots = ["donuts:random", "donuts:random"]
    assert main(["play", *bots, "--records", str(tmp_path), "--wire", str(tmp_path / "wire")]) == 0
    capsys.readouterr()
    logs = sorted((tmp_path / "wire").iterdir())
    kept = [entry.record for entry in JournalReader(tmp_path / "journal.jsonl")]
    assert len(logs) == len(kept) == 2
    for path, record in zip(logs, kept, strict=True):
        assert len(record.turns) == len(record.moves) > 9
        assert [
            (turn.ply, turn.side, turn.id, turn.limit, turn.margin, turn.used, turn.spent, turn.clock)
            for turn in recompute_clocks(path, record.conditions)
        ] == [
            (turn.ply, turn.side, turn.id, turn.limit, turn.margin, turn.used, turn.spent, turn.clock)
            for turn in record.turns
        ]
