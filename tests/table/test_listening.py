"""When time is up for good."""

import pytest

from donuts_referee.table.listening import LastLook


@pytest.mark.parametrize(
    ("expired", "over"),
    [
        ("n n n", "n n n"),
        ("y y", "n y"),
        ("n y y", "n n y"),
        ("y n y y", "n n n y"),  # the deadline was moved: what is past the new one is looked at once more
        ("y y y y", "n y n y"),  # another deadline after the first has a last look of its own
    ],
)
def test_time_is_up_after_a_look_past_the_deadline(expired, over):
    look = LastLook()
    assert [look.over(one == "y") for one in expired.split()] == [one == "y" for one in over.split()]
