"""The list of checks: its ids, and the clauses of SPEC that it cites."""

import re
from pathlib import Path

import pytest

from donuts_referee.check.suite import UnknownCheck, checks, chosen

SPEC = (Path(__file__).parent.parent.parent / "protocol" / "SPEC.md").read_text("utf-8")


def test_every_clause_that_is_cited_exists() -> None:
    anchors = set(re.findall(r'<a id="(DBP-[0-9.]+)"></a>', SPEC))
    for _, check in checks():
        assert check.clauses, check.id
        assert set(check.clauses) <= anchors, check.id


def test_ids_are_short_and_each_stands_once() -> None:
    ids = [one.check.id for one in checks()]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9-]{3,16}", id) for id in ids)
    assert [one.number for one in checks()] == list(range(1, len(ids) + 1))


def test_checks_are_chosen_by_id_and_number_and_stay_in_order() -> None:
    assert [one.check.id for one in chosen(["bye", "1", "legal"])] == ["hello-time", "legal", "bye"]
    with pytest.raises(UnknownCheck, match="there is no check 'legall'; did you mean legal"):
        chosen(["legall"])
