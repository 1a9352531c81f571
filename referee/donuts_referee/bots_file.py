"""Reads `bots.toml`, the operator's own list of bots, and reports all of its faults at once (format: see `roster`)."""

import re
from pathlib import Path
from typing import NamedTuple

from donuts_referee.commands import variables, words_of

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,39}")
_KEYS = ("run", "cwd", "env")


class RosterFault(Exception):
    """No such bot, or a roster that cannot be used; the text says what was tried, or every fault with its key."""


class Run(NamedTuple):
    """How one bot of the file is run."""

    words: tuple[str, ...]
    cwd: Path
    env: tuple[tuple[str, str], ...]


def read(file: Path) -> dict[str, Run]:
    """Every bot of the file by its name; RosterFault names each fault with the file and the key."""
    import tomllib  # only a match with a roster pays for it

    try:
        with file.open("rb") as stream:
            table = tomllib.load(stream)
    except OSError as fault:
        raise RosterFault(f"{file}: {fault.strerror or fault}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise RosterFault(f"{file}: not TOML: {fault}") from None
    faults: list[str] = [f"{key}: unknown; a bot is a table [bots.NAME]" for key in table if key != "bots"]
    bots = table.get("bots", {})
    entries: dict[str, Run] = {}
    if isinstance(bots, dict):
        for name, entry in bots.items():
            run = _entry(name, entry, file.parent, faults)
            if run is not None:
                entries[name] = run
    else:
        faults.append("bots: must hold tables, [bots.NAME]")
    if faults:
        raise RosterFault(f"{file}: {'; '.join(faults)}")
    return entries


def _entry(name: str, entry: object, folder: Path, faults: list[str]) -> Run | None:
    """One bot; its faults are added to `faults`, and None is returned where it has no usable `run`."""
    at = f"bots.{name}"
    if not NAME.fullmatch(name):
        faults.append(
            f"bots.{name!r}: a name is 1 to 40 of letters, digits, _ . + -, a letter or digit first"
        )
    elif name == "human":
        faults.append(f"{at}: this name always means a person at the terminal")
    if not isinstance(entry, dict):
        faults.append(f"{at}: must be a table with run = ...")
        return None
    faults.extend(
        f"{at}.{key}: unknown; the keys are {', '.join(_KEYS)}" for key in entry if key not in _KEYS
    )
    cwd = _folder(at, entry.get("cwd", "."), folder, faults)
    env, wrong = variables(entry.get("env", {}))
    faults.extend(f"{at}.env{place and f'.{place}'}: {text}" for place, text in wrong)
    try:
        return Run(words_of(entry.get("run")), cwd, env)
    except ValueError as fault:
        faults.append(f"{at}.run: {fault}")
        return None


def _folder(at: str, cwd: object, folder: Path, faults: list[str]) -> Path:
    if not isinstance(cwd, str) or "\0" in cwd:
        faults.append(f"{at}.cwd: must be the path of a directory")
        return folder
    path = folder / cwd
    if not path.is_dir():
        faults.append(f"{at}.cwd: there is no directory {cwd!r}")
    return path.resolve()
