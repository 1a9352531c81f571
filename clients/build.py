"""Builds the clients that this machine has the tools for, and says which it left out and why.

python3 clients/build.py [--list] [--verbose] [LANGUAGE ...]

What the tools say is shown where a build fails, and with --verbose.

A client is a folder here with a client.toml:

    language = "Rust"
    needs = ["cargo"]               programs on PATH; without one of them the client is left out
    packages = ["libzmq3-dev"]      Debian packages that bring what the ZeroMQ half needs
    libraries = ["libzmq"]          names for pkg-config; without one of them the ZeroMQ half is left out
    build = [["cargo", "build"]]    commands, run in the folder, in order
    test = [["cargo", "test"]]      the client's own tests
    build_text, test_text           the same where the libraries are missing
    [bots.text]                     the bot on stdin and stdout: run = [...], relative to the folder
    [bots.zmq]                      the bot that dials in
    built = "node_modules"          what a build leaves, where the bots do not show it

With DONUTS_CLIENTS=all in the environment a client that is left out is a failure. Exit code 0: all that could be
built was built; 1: a build failed, or one was left out that must not be; 2: usage.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent


class Client(NamedTuple):
    """One client as its client.toml tells."""

    name: str
    folder: Path
    language: str
    needs: tuple[str, ...]
    packages: tuple[str, ...]
    libraries: tuple[str, ...]
    commands: dict[str, list[list[str]]]
    """by name: build, test, build_text, test_text"""
    built: Path | None
    """what a build leaves; None: the bots themselves"""
    bots: dict[str, list[str]]
    """by kind, text or zmq: the words of the process, its program absolute where it lies in the folder"""

    @property
    def absent(self) -> str:
        """Why nothing of this client can be built here; "" when something can."""
        missing = [program for program in self.needs if shutil.which(program) is None]
        return f"{', '.join(missing)} not found" if missing else ""

    @property
    def textual(self) -> str:
        """Why only the bot on pipes can be built; "" when all can."""
        missing = [library for library in self.libraries if not _has_library(library)]
        if not missing:
            return ""
        return f"{', '.join(missing)} not found (Debian: {' '.join(self.packages)})"

    def steps(self, what: str) -> list[list[str]]:
        """The commands of `build` or `test` that fit this machine."""
        if self.textual and f"{what}_text" in self.commands:
            return self.commands[f"{what}_text"]
        return self.commands[what]


def clients() -> list[Client]:
    """Every client with a client.toml, by name."""
    return [_read(path) for path in sorted(HERE.glob("*/client.toml"))]


def _read(path: Path) -> Client:
    table = tomllib.loads(path.read_text("utf-8"))
    folder = path.parent
    known = ("build", "test", "build_text", "test_text")
    return Client(
        name=folder.name,
        folder=folder,
        language=table["language"],
        needs=tuple(table["needs"]),
        packages=tuple(table["packages"]),
        libraries=tuple(table["libraries"]),
        commands={key: table[key] for key in known if key in table},
        built=folder / table["built"] if "built" in table else None,
        bots={kind: _words(folder, bot["run"]) for kind, bot in table["bots"].items()},
    )


def _words(folder: Path, words: list[str]) -> list[str]:
    """The words of a process that may run anywhere: those that name a place in the folder are made absolute."""
    return [str(folder / word) if _is_place(folder, word) else word for word in words]


def _is_place(folder: Path, word: str) -> bool:
    return not word.startswith("-") and ("/" in word or (folder / word).is_file())


def _has_library(name: str) -> bool:
    if shutil.which("pkg-config") is None:
        return False
    return subprocess.run(["pkg-config", "--exists", name], check=False).returncode == 0


def build(client: Client, verbose: bool) -> bool:
    """Build one client; False when a command failed."""
    print(f"{client.name}: building", file=sys.stderr, flush=True)
    for words in client.steps("build"):
        out = sys.stderr if verbose else subprocess.PIPE
        done = subprocess.run(
            words,
            cwd=client.folder,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        if done.returncode:
            sys.stderr.buffer.write(done.stdout or b"")
            sys.stderr.flush()
            print(f"{client.name}: FAILED: {' '.join(words)} (exit {done.returncode})", flush=True)
            return False
    return True


def main(words: list[str]) -> int:
    """See the head of this file."""
    wanted = [word for word in words if not word.startswith("-")]
    chosen = [client for client in clients() if not wanted or client.name in wanted]
    if unknown := set(wanted) - {client.name for client in chosen}:
        print(
            f"no client {', '.join(sorted(unknown))}; there are {', '.join(c.name for c in clients())}",
            file=sys.stderr,
        )
        return 2
    if options := [word for word in words if word.startswith("-") and word not in ("--list", "--verbose")]:
        print(f"no option {options[0]}; usage: build.py [--list] [--verbose] [LANGUAGE ...]", file=sys.stderr)
        return 2
    failed = left_out = 0
    for client in chosen:
        if client.absent:
            left_out += 1
            print(f"{client.name}: left out: {client.absent}", flush=True)
            continue
        if "--list" not in words and not build(client, "--verbose" in words):
            failed += 1
            continue
        left_out += bool(client.textual)
        state = "can be built" if "--list" in words else "built"
        print(
            f"{client.name}: {state}{f', without ZeroMQ: {client.textual}' if client.textual else ''}",
            flush=True,
        )
    must = os.environ.get("DONUTS_CLIENTS") == "all"
    if must and left_out:
        print("DONUTS_CLIENTS=all: nothing may be left out", flush=True)
    return 1 if failed or (must and left_out) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
