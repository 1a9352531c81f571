"""What the tests of the commands share."""

import pytest

from records.kept import Kept


@pytest.fixture
def kept(tmp_path, capsys):
    return Kept(tmp_path, capsys)
