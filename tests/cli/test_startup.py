"""What `donuts play` imports before the first bot is spawned: nothing of the web, of asyncio, of numpy."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import json, sys
from donuts_referee.channels import process
from donuts_referee.channels.link import StartFailure
from donuts_referee.cli.main import main

def spawned(program, *rest, **more):
    json.dump(sorted(sys.modules), sys.__stdout__)
    sys.__stdout__.flush()
    import os
    os._exit(0)

import donuts_referee.channels.stdio as stdio
stdio.start = spawned
sys.exit(main(["play", "donuts:greedy", "donuts:random"]))
"""

HEAVY = (
    "asyncio", "numpy", "http", "socket", "ssl", "email", "concurrent.futures", "multiprocessing", "logging", "zmq",
    "msgpack", "xml", "sqlite3", "tempfile", "donuts_client", "donuts_referee.records.wire", "donuts_referee.bench",
    "donuts_referee.cli.watch", "donuts_referee.cli.json_events", "donuts_referee.cli.person",
)  # fmt: skip


def test_play_is_light_up_to_the_first_bot(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    loaded = set(json.loads(ran.stdout))
    assert "donuts_referee.table.match" in loaded
    assert loaded.isdisjoint(HEAVY), sorted(loaded.intersection(HEAVY))


def test_the_dispatcher_imports_no_command(tmp_path: Path) -> None:
    script = "import sys; from donuts_referee.cli.main import main; main(['--version']); print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    loaded = ran.stdout.split()
    assert "argparse" not in loaded and "donuts_referee.cli.play" not in loaded and "msgspec" not in loaded
