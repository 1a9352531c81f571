"""Games kept in both kinds of file, and the commands run on them in this process."""

import json
from pathlib import Path

import pytest

from donuts_referee.cli.main import main
from donuts_referee.records.journal import Journal
from donuts_referee.records.pgn import PgnFile
from donuts_referee.records.record import Record
from records.played import played

MATCH = "20260104-101500-000000-0badcafe"


class Kept:
    """Games kept in both kinds of file, and the command run on them."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.journal = folder / "journal.jsonl"
        self.pgn = folder / "games.pgn"
        self._capsys = capsys

    def keep(self, *records: Record) -> None:
        with Journal(self.journal) as journal, PgnFile(self.pgn) as pgn:
            for one in records:
                journal.append(one)
                pgn.append(one)

    def run(self, *words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        told = self._capsys.readouterr()
        return code, told.out, told.err

    def one_object(self, *words: object) -> tuple[int, dict]:
        code, out, _ = self.run(*words, "--json")
        assert out.count("\n") == 1
        return code, json.loads(out)

    def fault(self, *words: object) -> str:
        """The one line of a usage fault."""
        code, out, err = self.run(*words)
        assert code == 2
        assert out == ""
        assert err.startswith("donuts: ")
        assert err.count("\n") == 1
        assert err.rstrip("\n").isprintable()
        return err


def record(seed: int = 3, **changed: object) -> Record:
    return Record.of(played(seed, **changed), MATCH)  # type: ignore[arg-type]
