"""`run` keeps the protocol clean whatever the author's code does, and gives that code all it was promised."""

import json
import sys

import pytest

from client.conftest import CLIENT
from donuts_engine.board import Board
from donuts_engine.position import Position as Node
from donuts_engine.rules import play
from donuts_protocol.messages import Cancel, Error, Game, Info, Move, Ping, Resign

ENCODINGS = pytest.mark.parametrize("encoding", ["text", "msgpack"])


def bot(
    body: str, *, before: str = "", run: str = "run(Mine, encoding=(sys.argv[1:] or ['text'])[0])"
) -> str:
    """A program with a bot `Mine` that has `body`."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return (
        "import json, os, sys, subprocess, time\nfrom donuts_client import *\n"
        f"{before}\nclass Mine(Bot):\n    name = 'mine'\n    version = '0.1'\n{lines}\n{run}\n"
    )


def answering(expression: str) -> str:
    """A bot whose move is this expression."""
    return bot(f"def move(self, position):\n    return {expression}")


@ENCODINGS
def test_stray_output_never_reaches_the_protocol(encoding: str, seat, board: Board) -> None:
    code = bot(
        "def load(self):\n"
        "    print('loading')\n"
        "def move(self, position):\n"
        "    print('thinking', flush=True)\n"
        "    os.write(1, b'raw\\n')\n"
        "    sys.stdout.write('written\\n')\n"
        "    subprocess.run(['echo', 'from a child'])\n"
        "    assert sys.stdin.read() == '', 'the protocol is not to be eaten either'\n"
        "    return position.legal[0]\n"
        "def finish(self, end):\n"
        "    print('finished')\n",
        before="print('before')",
    )
    table = seat(encoding, code=code)
    assert table.greet().name == "mine"
    table.begin()
    position = Node.start(board)
    for _ in range(3):
        assert table.answer(position).sq == position.legal_names[0]
        position = play(position, position.legal[0])
    table.end(position)
    status, err = table.leave()
    assert status == 0
    for word in ("before", "loading", "thinking", "raw", "written", "from a child", "finished"):
        assert word in err


def test_the_author_sees_the_position(seat, board: Board) -> None:
    code = bot(
        "def move(self, position):\n"
        "    p = position\n"
        "    from donuts_engine.board import Board\n"
        "    same = p.node == type(p.node).from_cells(Board.of(p.layout), p.rings, p.cells, p.last)\n"
        "    print(json.dumps([p.size, p.rings, p.ply, p.you, p.last, p.legal, p.cells, p.layout, p.clock._asdict(),\n"
        "        same, p.node.legal_names, p.board is p.node.board, p.line('b3'), p.ring('c4'), p.turn.ply,\n"
        "        0 < p.left <= p.clock.limit, str(p).splitlines()[-1], self.game.seed]))\n"
        "    return position.legal[0]"
    )
    table = seat(code=code)
    table.greet()
    table.begin("o", rings=12, seed=77)
    position = play(Node.start(board, 12), 20)  # c4
    table.answer(position, clock=1_000_000, oclock=900, inc=10, limit=800_000, margin=40, spent=7)
    status, err = table.leave()
    assert status == 0, err
    shown = json.loads(err)
    legal = list(position.legal_names)
    layout = board.layout
    clock = {"own": 1_000_000, "other": 900, "inc": 10, "limit": 800_000, "margin": 40, "spent": 7}
    assert shown[:9] == [6, 12, 1, "o", "c4", legal, position.cells, layout, clock]
    bottom = " ".join(layout[i] + position.cells[i] for i in range(6))
    assert shown[9:] == [True, legal, True, layout[13], "x", 1, True, bottom, 77]


@pytest.mark.parametrize(
    "expression, square",
    [
        ("'c4'", "c4"),
        ("20", "c4"),
        ("Answer('c4')", "c4"),
        ("Answer(20, eval=1, text='a b')", "c4"),
        ("35", "f6"),
    ],
)
def test_a_square_is_a_name_or_an_index(expression: str, square: str, seat, board: Board) -> None:
    table = seat(code=answering(expression))
    table.greet()
    table.begin()
    assert table.answer(Node.start(board)).sq == square


@ENCODINGS
def test_an_answer_carries_its_report(encoding: str, seat, board: Board) -> None:
    code = answering(
        "Answer(position.legal[3], eval=513, proof='draw', nodes=9000, depth=7, pv=['d1', 'a1'], text='naïve = 5 %')"
    )
    table = seat(encoding, code=code)
    table.greet()
    table.begin()
    move = table.answer(Node.start(board))
    assert (move.sq, move.eval, move.proof, move.nodes, move.depth, move.pv, move.text) == (
        "d1", 513, "draw", 9000, 7, ("d1", "a1"), "naïve = 5 %",
    )  # fmt: skip


def test_the_referee_judges_an_illegal_square_not_the_client(seat, board: Board) -> None:
    table = seat(code=answering("'i9'"))
    table.greet()
    table.begin()
    assert table.answer(Node.start(board)).sq == "i9"


@ENCODINGS
def test_resign(encoding: str, seat, board: Board) -> None:
    table = seat(encoding, code=answering("RESIGN"))
    table.greet()
    table.begin()
    assert isinstance(table.answer(Node.start(board)), Resign)


@pytest.mark.parametrize(
    "expression, said",
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("'z9'", "'z9'"),
        ("36", "0..35"),
        ("-1", "0..35"),
        ("None", "return a square"),
        ("True", "return a square"),
        ("Answer('a1', eval=1001)", "eval"),
        ("Answer('a1', pv=['a1', 'q'])", "pv"),
    ],
)
def test_a_fault_of_the_author_is_told_to_both_and_ends_the_bot(
    expression: str, said: str, seat, board: Board
) -> None:
    table = seat(code=answering(expression))
    table.greet()
    table.begin()
    question = table.ask(Node.start(board))
    told = table.hear()
    assert isinstance(told, Error)
    assert (told.id, told.code) == (question, "exception")
    assert said in told.text
    assert table.hear() is None
    status, err = table.rest()
    assert status == 1
    assert "Traceback" in err and said in err


@pytest.mark.parametrize("hook", ["load(self)", "prepare(self, game)", "__init__(self)"])
def test_an_exception_in_a_hook_is_told_too(hook: str, seat) -> None:
    table = seat(code=bot(f"def {hook}:\n    raise RuntimeError('no\\nway \\x1b')"))
    table.greet()

    game = table.session.next_id()
    table.say(Game(id=game, you="x", size=6, rings=15, main=1, inc=0, margin=50, prep=1, seed=1))
    told = table.hear()
    assert (told.code, told.text) == ("exception", "RuntimeError: no?way ?")
    assert table.hear() is None
    status, err = table.rest()
    assert status == 1 and "RuntimeError" in err


def test_hello_is_said_before_the_bot_is_imported_or_made(seat, board: Board, tmp_path) -> None:
    (tmp_path / "slow.py").write_text(
        "import os, sys, time\nfrom donuts_client import Bot\nsys.stderr.write('imported\\n')\n"
        "while not os.path.exists('go'):\n    time.sleep(0.005)\n"
        "class Slow(Bot):\n"
        "    name = 'unknown before'\n"
        "    def __init__(self): sys.stderr.write('made\\n')\n"
        "    def load(self): sys.stderr.write('loaded\\n')\n"
        "    def move(self, position): return position.legal[0]\n"
    )
    table = seat(
        code="from donuts_client import run\nrun('slow:Slow', name='slow one', version='3', author='ann')\n"
    )
    hello = table.greet()  # while its module cannot be imported to the end
    assert (hello.name, hello.ver, hello.author, hello.caps) == ("slow one", "3", "ann", ("info",))
    table.release("go")
    table.begin()
    assert isinstance(table.answer(Node.start(board)), Move)
    assert table.leave() == (0, "imported\nmade\nloaded\n")


@pytest.mark.parametrize(
    "run, name, version",
    [
        ("run(Mine)", "mine", "0.1"),
        ("run(Mine())", "mine", "0.1"),
        ("run(Mine, name='n', version='9')", "n", "9"),
        ("run('mine:Mine')", "Mine", None),
        ("run(lambda: Mine())", "bot", None),
        ("Mine.name = ''\nrun(Mine)", "Mine", "0.1"),
        ("Mine.name = 'n' * 50\nrun(Mine)", "n" * 40, "0.1"),
    ],
)
def test_who_it_says_it_is(run: str, name: str, version: str | None, seat) -> None:
    hello = seat(code=bot("pass", run=run)).hear()
    assert (hello.name, hello.ver) == (name, version)


@pytest.mark.parametrize("made", ["int", "'mine'", "'json:loads'", "'nowhere:Mine'"])
def test_what_makes_no_bot_is_refused_after_hello(made: str, seat) -> None:
    table = seat(code=f"from donuts_client import run\nrun({made}, name='n')\n")
    table.greet()
    assert table.hear().code == "exception"
    assert table.rest()[0] == 1


REPORTING = bot(
    "def move(self, position):\n"
    "    sent = []\n"
    "    for depth in range(21):\n"
    "        Clock.now += 1 / 64\n"
    "        sent.append(self.report(eval=400, depth=depth, pv=('a1',), text='hm'))\n"
    "    print(sum(sent))\n"
    "    return position.legal[0]\n"
    "def finish(self, end):\n"
    "    print('outside', self.report(eval=1))",
    before="import donuts_client.player\nclass Clock: now = 1.0\ndonuts_client.player.monotonic = lambda: Clock.now",
)
"""Tries to report 64 times a second, on a clock of its own."""


@ENCODINGS
def test_reports_are_sent_at_a_bounded_rate_while_thinking(encoding: str, seat, board: Board) -> None:
    table = seat(encoding, code=REPORTING)
    assert table.greet().caps == ("info",)
    table.begin()
    move = table.answer(Node.start(board))
    reports = [said for said in table.heard if isinstance(said, Info)]
    assert reports[0].id == move.id
    assert {(one.eval, one.pv, one.text) for one in reports} == {(400, ("a1",), "hm")}
    assert [one.depth for one in reports] == [0, 4, 8, 12, 16, 20]
    table.end(Node.start(board))
    status, err = table.leave()
    assert status == 0
    count, _, outside = err.partition("\n")
    assert int(count) == len(reports)
    assert outside == "outside False\n"


def test_reports_are_kept_back_where_they_are_not_granted(seat, board: Board) -> None:
    table = seat(code=REPORTING, grants=())
    table.greet()
    table.begin()
    assert isinstance(table.answer(Node.start(board)), Move)
    assert not any(isinstance(said, Info) for said in table.heard)
    assert table.leave() == (0, "0\n")


CANCELLABLE = bot(
    "def move(self, position):\n"
    "    self.report(text='searching')\n"
    "    while position.ply == 0 and not self.cancelled:\n"
    "        pass\n"
    "    return position.legal[0]"
)


@ENCODINGS
@pytest.mark.skipif(sys.platform == "win32", reason="stdin cannot be looked at there")
def test_a_search_can_see_that_it_is_cancelled_and_no_answer_is_sent(
    encoding: str, seat, board: Board
) -> None:
    table = seat(encoding, code=CANCELLABLE)
    table.greet()
    table.begin()
    question = table.ask(Node.start(board))
    assert isinstance(table.hear(), Info)
    table.say(Cancel(id=question, why="timeout"))
    table.end(Node.start(board), more=1)
    ping = table.session.next_id()
    table.say(Ping(id=ping))
    assert table.hear().id == ping, "the first word after the cancel is the pong"
    table.begin("o")
    assert isinstance(table.answer(play(Node.start(board), 0)), Move), "and it plays on"
    assert table.session.counts.late == 0
    assert table.leave() == (0, "")


def test_a_bot_that_does_not_look_still_sends_no_late_answer(seat, board: Board) -> None:
    code = bot(
        "def move(self, position):\n"
        "    self.report(text='searching')\n"
        "    while position.ply == 0 and not os.path.exists('go'):\n"
        "        time.sleep(0.005)\n"
        "    return position.legal[0]"
    )
    table = seat(code=code)
    table.greet()
    table.begin()
    question = table.ask(Node.start(board))
    assert isinstance(table.hear(), Info)
    table.say(Cancel(id=question, why="timeout"))
    table.end(Node.start(board), more=1)
    ping = table.session.next_id()
    table.say(Ping(id=ping))
    table.release("go")
    assert table.hear().id == ping


def test_the_hooks_get_the_messages(seat, board: Board) -> None:
    code = bot(
        "def prepare(self, game):\n    print('prepare', game.you, game.seed, self.game is game)\n"
        "def move(self, position):\n    return position.legal[0]\n"
        "def finish(self, end):\n    print('finish', end.why, self.game.seed)"
    )
    table = seat(code=code)
    table.greet()
    for seed in (5, 6):
        table.begin("o", seed=seed)
        table.end(Node.start(board), more=1)
    assert table.leave() == (
        0, "prepare o 5 True\nfinish abort 5\nprepare o 6 True\nfinish abort 6\n",
    )  # fmt: skip


def test_an_error_of_the_referee_is_shown_and_nothing_follows(seat, board: Board) -> None:
    table = seat(code=answering("position.legal[0]"))
    table.greet()
    table.say(Error(id=None, code="seat", text="no such seat"))
    table.begin()
    assert isinstance(table.answer(Node.start(board)), Move)
    status, err = table.leave()
    assert (status, err) == (0, "the referee says: seat: no such seat\n")


def test_a_referee_that_speaks_nonsense_is_told_so(seat) -> None:
    table = seat(code=answering("position.legal[0]"))
    table.greet()
    table.process.stdin.write(b"turn what\n")
    told = table.hear()
    assert isinstance(told, Error)
    assert told.code == "protocol" and "turn what" in told.text
    status, err = table.rest()
    assert status == 1 and "turn what" in err and "Traceback" not in err


def test_a_referee_that_is_gone_is_a_quiet_end(seat, board: Board) -> None:
    code = bot(
        "def move(self, position):\n    time.sleep(0.01)\n    os.path.exists('x')\n    return position.legal[0]"
    )
    table = seat(code=code)
    table.greet()
    table.begin()
    table.process.stdout.close()
    table.ask(Node.start(board))
    table.process.stdin.close()
    assert table.process.wait(timeout=30) == 0
    assert table.process.stderr.read() == b""


def test_the_bot_of_the_readme_plays(seat, board: Board) -> None:
    text = (CLIENT / "README.md").read_text()
    code = text.split("```python\n")[1].split("```")[0]
    table = seat(code=code)
    assert table.greet().name == "winner"
    table.begin()
    assert table.answer(Node.start(board)).sq == "a1"
    assert table.leave() == (0, "")
