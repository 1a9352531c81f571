"""Which clients are built here, and how their bots are started; a client that is not built is a skip with its reason.

In CI, where DONUTS_CLIENTS=all is set, such a skip is a failure.
"""

import importlib.util
import os
import shlex
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def _build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("clients_build", ROOT / "clients" / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["clients_build"] = module
    spec.loader.exec_module(module)
    return module


CLIENTS: dict[str, Any] = {client.name: client for client in _build().clients()}
PYTHON = {
    "text": [sys.executable, str(ROOT / "clients" / "python" / "minimal.py")],
    "zmq": [sys.executable, "-P", "-m", "donuts_client.bots.random"],
}


def names(kind: str) -> list[str]:
    """The languages that have a bot of this kind, text or zmq; Python is one."""
    return sorted(["python", *(name for name, client in CLIENTS.items() if kind in client.bots)])


def leave_out(reason: str) -> None:
    """Skip, or fail where nothing may be left out."""
    if os.environ.get("DONUTS_CLIENTS") == "all":
        pytest.fail(reason)
    pytest.skip(reason)


def words(name: str, kind: str) -> list[str]:
    """The words of the bot of a language; skips where it is not built."""
    if name == "python":
        return PYTHON[kind]
    client = CLIENTS[name]
    if client.absent:
        leave_out(f"{name}: {client.absent}")
    if kind == "zmq" and client.textual:
        leave_out(f"{name}: {client.textual}")
    run: list[str] = client.bots[kind]
    if client.built is not None and not client.built.exists() and kind == "zmq":
        leave_out(f"{name} is not built: make clients")
    lacking = [word for word in run if word.startswith(str(client.folder)) and not Path(word).exists()]
    if lacking:
        leave_out(f"{name} is not built: make clients")
    return run


def command(name: str) -> str:
    """The stdio bot of a language as a BOT of the command line."""
    return shlex.join(words(name, "text"))
