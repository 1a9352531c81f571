"""Gives each test an arena, once per channel, or one for each channel."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from match.arena import Arena

CHANNELS = ("poll", "threads")


@pytest.fixture(params=CHANNELS)
def arena(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Arena]:
    """A fresh folder to play in; the mark of its bots must be gone from the system at the end."""
    made = Arena(tmp_path, request.param)
    yield made
    assert made.clear() == []


@pytest.fixture
def arenas(tmp_path: Path) -> Iterator[list[Arena]]:
    """An arena for each channel, to play in at the same time: most of what takes long is time that passes."""
    made = [Arena(tmp_path / channel, channel) for channel in CHANNELS]
    for each in made:
        each.folder.mkdir()
    yield made
    assert [left for each in made for left in each.clear()] == []
