"""For every check there is a bot that breaks it, and with it nothing else but what depends on it."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from check.scene import SETTINGS, bot, dialled_stand, failed, stand, verdicts
from check.vices import DIALLED, PACKED, VICES, WIDE, Time, Vice
from donuts_referee.check import remote
from donuts_referee.check.asking import Asking
from donuts_referee.check.suite import checks

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the vices are POSIX programs")


def _judge(vice: Vice, found: dict[str, str]) -> None:
    assert vice.check in found, f"nothing was found; but {found}"
    assert set(found) - {vice.check} - vice.may == set(), found
    assert re.search(vice.says, found[vice.check], re.DOTALL), found[vice.check]


def _take(times: Iterable[Time], monkeypatch: pytest.MonkeyPatch) -> None:
    for each in times:
        monkeypatch.setattr(each.of, each.name, each.value)


@pytest.fixture
def waited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A pipe out of which slow bots read the id of every question whose answer has not come in time."""
    path = tmp_path / "waited"
    os.mkfifo(path)
    pipe = os.open(path, os.O_RDWR)
    answer = Asking._answer

    def answered(asking: Asking, id: int, *rest: object) -> object:
        heard = answer(asking, id, *rest)  # type: ignore[arg-type]
        if heard is None:
            os.write(pipe, b"%d\n" % id)
        return heard

    monkeypatch.setattr(Asking, "_answer", answered)
    yield path
    os.close(pipe)


@pytest.mark.parametrize("vice", VICES, ids=str)
def test_a_vice_is_found_by_its_check(vice: Vice, waited: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _take(vice.times, monkeypatch)
    file = "honest.py" if vice.bot == "Honest" else "vicious.py"
    program = bot(file, vice.bot)._replace(env=(("WAITED", str(waited)),))
    with stand(program, vice.settings) as made:
        found = failed(verdicts(made, [vice.check, *([] if vice.alone else WIDE.split(","))]))
    _judge(vice, found)


@pytest.mark.parametrize("vice", PACKED, ids=str)
def test_a_vice_in_msgpack_is_found_by_its_check(vice: Vice) -> None:
    wide = ["flush", "ping", "resend", "packed-types", "packed-widths", "clean-stdout"]
    if vice.check == "packed-types":
        wide.remove("clean-stdout")
    with stand(bot("packed.py", vice.bot)) as made:
        found = failed(verdicts(made, [vice.check, *([] if vice.alone else wide)]))
    _judge(vice, found)


@pytest.mark.parametrize("vice", DIALLED, ids=str)
def test_a_vice_in_dialling_is_found_by_its_check(vice: Vice, monkeypatch: pytest.MonkeyPatch) -> None:
    silence = "1.0" if vice.bot == "early" else "15"
    _take((Time(remote, "SILENCE", 300), Time(remote, "GRACE", 1500), *vice.times), monkeypatch)
    with dialled_stand(
        bot("dialler.py", "{endpoint}", vice.bot, silence), SETTINGS._replace(soak=True)
    ) as made:
        found = failed(verdicts(made, ["flush", vice.check]))
    _judge(vice, found)


def test_every_check_has_a_vice() -> None:
    assert {vice.check for vice in (*VICES, *PACKED, *DIALLED)} == {one.check.id for one in checks()}


@pytest.mark.parametrize("name", ["BufferedMoves", "Debug", "Survives"])
def test_a_vice_is_found_on_threads_too(name: str, waited: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DONUTS_CHANNEL", "threads")
    test_a_vice_is_found_by_its_check(next(vice for vice in VICES if vice.bot == name), waited, monkeypatch)
