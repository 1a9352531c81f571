"""Holds the house in order: sizes and names of files, what a package must carry, what no file may mention."""

import ast
import importlib.util
import inspect
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = {
    "donuts_engine": ROOT / "engine",
    "donuts_protocol": ROOT / "protocol",
    "donuts_referee": ROOT / "referee",
    "donuts_client": ROOT / "clients" / "python",
}
CODE = {
    ".py",
    ".c",
    ".h",
    ".cpp",
    ".hpp",
    ".rs",
    ".go",
    ".java",
    ".js",
    ".mjs",
    ".ts",
    ".sh",
    ".toml",
    ".yml",
}
HIDDEN = {".ci", ".github"}
NOT_OURS = {"build", "dist", "bin", "target", "node_modules", "donuts-records", "donuts-arena", "__pycache__"}
FORBIDDEN = re.compile(
    r"(^|_)(utils?|helpers?|common|managers?|misc|data|stuff)(_|$)"
)  # `info` is a verb of DBP
PLACES = re.compile(r"\.\./shar[e]d|/wor[k]/|/roo[t]/|[A-Z]:\\User[s]|\.pyen[v]")


def files() -> Iterator[Path]:
    """Every file of the project, without what git ignores."""
    for folder, below, names in os.walk(ROOT):
        below[:] = sorted(d for d in below if d in HIDDEN or not (d in NOT_OURS or d.startswith(".")))
        for name in sorted(names):
            if not name.endswith((".pyc", ".orig", ".rej")):
                yield Path(folder, name)


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def sources() -> dict[str, Path]:
    """Every shipped module by its full name."""
    found = {}
    for package, folder in PACKAGES.items():
        for path in sorted((folder / package).rglob("*.py")):
            if "starters" in path.parts:  # what `donuts new` copies, no module of ours
                continue
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


SOURCES = sources()


def python_files() -> list[Path]:
    return [path for path in files() if path.suffix == ".py" and "bots" not in path.parts]


def test_the_walk_sees_the_project() -> None:
    seen = {shown(path) for path in files()}
    assert {"README.md", "Makefile", ".ci/run", "tests/test_house.py"} <= seen
    assert len(SOURCES) > 20


def test_no_file_of_code_has_400_lines() -> None:
    long = {shown(p): n for p in files() if p.suffix in CODE and (n := p.read_bytes().count(b"\n")) >= 400}
    assert long == {}


def test_no_file_has_a_name_that_says_nothing() -> None:
    assert [shown(path) for path in files() if FORBIDDEN.search(path.stem.lower())] == []


def test_no_file_mentions_a_place_outside_the_project() -> None:
    found = []
    for path in files():
        text = path.read_bytes().decode("utf-8", "replace")
        found += [f"{shown(path)}: {hit.group()}" for hit in PLACES.finditer(text)]
    assert found == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_typed_and_says_what_it_is(package: str) -> None:
    folder = PACKAGES[package] / package
    assert (folder / "py.typed").is_file()
    assert inspect.getdoc(importlib.import_module(package))


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {
        path.parent
        for package, at in PACKAGES.items()
        for path in (at / package).rglob("*.py")
        if "starters" not in path.parts
    }
    assert [shown(folder) for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []


@pytest.mark.parametrize("name", SOURCES)
def test_a_module_says_what_it_is_for(name: str) -> None:
    said = ast.get_docstring(parsed(SOURCES[name]))
    assert said and said.splitlines()[0].endswith((".", ":", ";"))


def _says_all(path: Path) -> bool:
    assigned = [node.targets for node in parsed(path).body if isinstance(node, ast.Assign)]
    return any(isinstance(one, ast.Name) and one.id == "__all__" for targets in assigned for one in targets)


@pytest.mark.parametrize("name", [name for name, path in SOURCES.items() if _says_all(path)])
def test_all_is_true(name: str) -> None:
    """`__all__`, where there is one, names things that exist, each once, and leaves no definition out."""
    module = importlib.import_module(name)
    names = module.__all__
    assert len(set(names)) == len(names)
    assert [each for each in names if not hasattr(module, each)] == []
    assert [each for each in _defined(SOURCES[name]) if each not in names] == []


def test_what_other_files_import_is_in_all() -> None:
    left_out = []
    for name, path in SOURCES.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.ImportFrom):
                continue
            source = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            if source not in SOURCES or not _says_all(SOURCES[source]):
                continue
            names = importlib.import_module(source).__all__
            left_out += [
                f"{name}: {source}.{each.name}"
                for each in node.names
                if each.name not in names and f"{source}.{each.name}" not in SOURCES
            ]
    assert left_out == []


ISOLATES = {"referee/donuts_referee/arena/floor.py"}
"""where a fault of ours in one of many matches is handed on as a value, so that the others go on"""


def _defined(path: Path) -> list[str]:
    """The public classes and functions of a module, by its source."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [n.name for n in parsed(path).body if isinstance(n, kinds) and not n.name.startswith("_")]


def test_nothing_is_imported_with_a_star() -> None:
    starred = []
    for path in python_files():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
                starred.append(f"{shown(path)}:{node.lineno}")
    assert starred == []


def test_no_broad_except_swallows() -> None:
    """`except Exception`, `except BaseException` and a bare `except` raise again."""
    swallowed = []
    for path in python_files():
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.ExceptHandler):
                continue
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            names = {one.id if isinstance(one, ast.Name) else "" for one in caught if one is not None}
            broad = None in caught or not names.isdisjoint(("Exception", "BaseException"))
            if (
                broad
                and shown(path) not in ISOLATES
                and not any(isinstance(below, ast.Raise) for below in ast.walk(node))
            ):
                swallowed.append(f"{shown(path)}:{node.lineno}")
    assert swallowed == []


def test_a_test_package_is_not_shipped() -> None:
    """Test doubles stay in tests: no shipped module imports pytest or anything below tests/."""
    strangers = {"pytest", "hypothesis", "unittest"} | {
        p.name for p in (ROOT / "tests").iterdir() if p.is_dir()
    }
    strangers -= sys.stdlib_module_names  # tests/statistics: who imports statistics means Python's
    found = []
    for name, path in SOURCES.items():
        for node in ast.walk(parsed(path)):
            imported = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            imported += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            found += [f"{name}: {one}" for one in imported if one.split(".")[0] in strangers]
    assert found == []


def test_changelog_has_the_version() -> None:
    from donuts_referee.version import __version__

    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"## [{__version__}]" in changelog
    assert "## [Unreleased]" in changelog


def test_layers_name_every_module_and_room_of_the_referee() -> None:
    """A new one must be given its place in the import contract, or `make check` would not see it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    contract = next(c for c in contracts if c.get("containers") == ["donuts_referee"])
    placed = {room.strip(" ()") for layer in contract["layers"] for room in layer.split("|")}
    folder = ROOT / "referee" / "donuts_referee"
    rooms = {path.parent.name for path in folder.glob("*/__init__.py")}
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert rooms | modules == placed
    assert contract["exhaustive"]
