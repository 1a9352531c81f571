"""`donuts engine` as a process: a whole conversation over pipes, on both channels, and every way in which it ends."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from donuts_protocol.messages import State
from service.speech import answers_in_msgpack, answers_in_text, in_msgpack, in_text

LAYOUT = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH"
QUERY = f"query 1 layout={LAYOUT} moves=e3"

Start = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture(params=["poll", "threads"])
def start(request: pytest.FixtureRequest) -> Iterator[Start]:
    """Starts the service on one of the channels; whatever still runs at the end is killed."""
    if request.param == "poll" and os.name == "nt":
        pytest.skip("pipes cannot be waited for on Windows")
    started: list[subprocess.Popen[bytes]] = []

    def begin() -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [sys.executable, "-m", "donuts_referee", "engine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, "DONUTS_CHANNEL": request.param},
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.wait(timeout=60)
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def test_it_answers_a_batch_and_ends_with_its_input(start: Start) -> None:
    out, err = start().communicate(in_text([QUERY] * 3000))
    answers = answers_in_text(out)
    assert len(answers) == 3000 and all(isinstance(answer, State) for answer in answers)
    assert err == b""


def test_it_speaks_msgpack(start: Start) -> None:
    process = start()
    out, _ = process.communicate(in_msgpack([QUERY, QUERY]))
    assert [answer.id for answer in answers_in_msgpack(out)] == [1, 1]
    assert process.returncode == 0


def test_it_answers_one_by_one(start: Start) -> None:
    """The answer comes while the input stays open: nothing waits for more."""
    process = start()
    assert process.stdin is not None and process.stdout is not None
    for number in range(5):
        process.stdin.write(in_text([QUERY.replace("1", str(number), 1)]))
        (said,) = answers_in_text(read_line(process))
        assert said.id == number
    process.stdin.close()
    assert process.wait(timeout=60) == 0


def read_line(process: "subprocess.Popen[bytes]") -> bytes:
    assert process.stdout is not None
    line = b""
    while not line.endswith(b"\n"):
        byte = process.stdout.read(1)
        assert byte, line
        line += byte
    return line


@pytest.mark.skipif(os.name == "nt", reason="waits for pipes")
def test_all_queries_may_be_written_before_an_answer_is_read(start: Start) -> None:
    """More than both pipes hold: a service that stopped reading while its answers wait would never end this."""
    process = start()
    assert process.stdin is not None and process.stdout is not None
    data = in_text([QUERY] * 20_000)
    assert len(data) > 1_000_000
    process.stdin.write(data)
    process.stdin.close()
    assert len(answers_in_text(process.stdout.read())) == 20_000
    assert process.wait(timeout=60) == 0


def test_a_bad_length_ends_it_with_2(start: Start) -> None:
    process = start()
    out, err = process.communicate(in_msgpack([QUERY]) + b"\xff\xff\xff\xff" + in_msgpack([QUERY]))
    assert [type(answer).__name__ for answer in answers_in_msgpack(out)] == ["State", "Error"]
    assert process.returncode == 2
    assert err == b""


def test_it_ends_quietly_when_nobody_reads(start: Start) -> None:
    process = start()
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdout.close()
    with_the_lot = in_text([QUERY] * 100)
    try:
        while True:
            process.stdin.write(with_the_lot)
    except BrokenPipeError:
        pass
    assert process.wait(timeout=60) == 141
    assert process.stderr.read() == b""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
def test_ctrl_c_ends_it_with_130(start: Start) -> None:
    process = start()
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.write(in_text([QUERY]))
    read_line(process)  # it has begun, and waits for more
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    assert process.stderr.read() == b""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
def test_ctrl_c_ends_it_while_its_answers_are_not_read(start: Start) -> None:
    process = start()
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.write(in_text([QUERY] * 20_000))
    select.select([process.stdout], [], [])
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    assert process.stderr.read() == b""
