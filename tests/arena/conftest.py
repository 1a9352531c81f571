"""What the tests of the arena share."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.hall import Caller


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder with a short name, since the path of a socket has 107 bytes at most."""
    folder = Path(tempfile.mkdtemp(prefix="donuts-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(autouse=True, scope="module")
def _nobody_stays() -> Iterator[None]:
    """Of the bots on threads of this process none is left to the tests that follow."""
    yield
    Caller.all_leave()
