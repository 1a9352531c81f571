"""Whether the solver can run here: one line for each way in which it cannot."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from donuts_engine import numba_here
from donuts_engine.numba_here import obstacle

ASK = """
from donuts_engine.numba_here import obstacle
said = obstacle()
assert said == obstacle()
try:
    import donuts_engine.solver
except ImportError as fault:
    assert str(fault) == said, fault
else:
    assert said is None
print(said)
"""


def said(tmp_path: Path, numba: str | None = None, **env: str) -> str:
    """What a process says that finds this text as its numba."""
    if numba is not None:
        (tmp_path / "numba.py").write_text(numba)
    path = os.pathsep.join((str(tmp_path), *sys.path))
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path, **env},
    )
    assert done.stderr == ""
    return done.stdout.removesuffix("\n")


def test_where_it_can_run_nothing_is_said(tmp_path: Path) -> None:
    assert said(tmp_path) == "None"


@pytest.mark.parametrize(
    ("numba", "what"),
    [
        (
            "raise ImportError('Numba needs NumPy 2.2 or less. Got NumPy 2.9.')",
            "Numba needs NumPy 2.2 or less. Got",
        ),
        ("import llvmlite_that_is_none", "No module named 'llvmlite_that_is_none'"),
        ("import os\nos.no_such_name", "module 'os' has no attribute"),
        ("raise OSError('two\\nlines \\x1b[31m')", "two lines \\x1b[31m"),
    ],
)
def test_a_numba_that_does_not_load_is_told_of_in_one_line(numba: str, what: str, tmp_path: Path) -> None:
    line = said(tmp_path, numba)
    assert line.startswith(f"numba is installed but does not load ({what}") and line.count("\n") == 0
    assert line.endswith("; pip install -U numba brings versions that fit together")


def test_without_leave_to_compile_it_says_what_forbids_it(tmp_path: Path) -> None:
    assert said(tmp_path, NUMBA_DISABLE_JIT="1").startswith("NUMBA_DISABLE_JIT forbids numba to compile")


def test_without_numba_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert obstacle() == f"the solver needs numba: {numba_here._INSTALL}"
