"""What is kept of the compiled kernel serves speed alone: damaged files and a full disk change no answer."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from donuts_engine.solver import jit


def doubled(number: int) -> int:
    """A function that is compiled in no time."""
    return 2 * number


def made() -> Any:
    """The function as a new process would have it."""
    return jit.compiled(doubled)


@contextmanager
def full_disk() -> Iterator[None]:
    """A limit on the size of files stands for it."""
    whole = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, whole[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, whole)


def hits(function: Any) -> int:
    """How often what was kept was of use; it is called once."""
    assert function(21) == 42
    return sum(function.stats.cache_hits.values())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where it is kept."""
    monkeypatch.setattr(jit, "_FOLDER", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("left", [b"", b"\x80\x04junk" * 9, b"\x80\x05N.", None])
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_what_was_kept_and_is_damaged_is_compiled_and_kept_again(
    suffix: str, left: bytes | None, folder: Path
) -> None:
    assert (hits(made()), hits(made())) == (0, 1)
    (file,) = folder.rglob(f"*.{suffix}")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if left is None else left)
    assert (hits(made()), hits(made())) == (0, 1)
    assert len(list(folder.rglob("*.nb*"))) == 2


def test_what_cannot_be_read_nor_written_is_compiled(folder: Path) -> None:
    assert hits(made()) == 0
    (file,) = folder.rglob("*.nbi")
    file.unlink()
    file.mkdir()
    assert (hits(made()), hits(made())) == (0, 0)


def test_a_full_disk_costs_the_time_to_compile_and_nothing_else(folder: Path) -> None:
    with full_disk():
        assert (hits(made()), hits(made())) == (0, 0)
    assert not list(folder.rglob("*.nb*")) and (hits(made()), hits(made())) == (0, 1)
    (file,) = folder.rglob("*.nbi")
    file.write_bytes(b"cut off")
    with full_disk():
        assert hits(made()) == 0
