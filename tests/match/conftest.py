"""Gives each test an arena, once per channel."""

from pathlib import Path

import pytest

from match.arena import Arena


@pytest.fixture(params=["poll", "threads"])
def arena(request: pytest.FixtureRequest, tmp_path: Path) -> Arena:
    """A fresh folder to play in; the mark of its bots must be gone from the system at the end."""
    made = Arena(tmp_path, request.param)
    yield made
    assert made.clear() == []
