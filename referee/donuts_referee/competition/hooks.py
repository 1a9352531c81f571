"""Runs the operator's commands when something happens: start, verdict, standings, end, with the JSON line on stdin.

A hook may do what it likes and harms nothing. Each kind has a queue and a thread of its own, so that one that hangs
holds up no other; calls of one kind are made one after the other, and `end` after all others. What waits is bounded; of
standings only the newest wait, since they tell the same and more. What fails is counted, and told once for each hook
and kind of fault. When the event is over what is left has a limited time, which a signal ends at once.
"""

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from donuts_protocol.escape import shown
from donuts_referee.commands import is_path, on_path
from donuts_referee.competition.event import Event, Hooks
from donuts_referee.competition.happenings import Began, Ended, GameEnded, Happening
from donuts_referee.competition.hook_call import LOG, Fault, HookLimits, HookLog, Kind, Place, called
from donuts_referee.competition.lines import Line, encoded, line, standings_line
from donuts_referee.competition.onlooking import Pace
from donuts_referee.files import FileFault, read_document
from donuts_referee.patience import ends
from donuts_referee.teams.bot_toml import Located

__all__ = ["LOG", "HookLimits", "HookRunner", "unrunnable"]

TELL = 1.0
"""seconds of waiting for hooks after which a word is said"""

LOOK = 0.05
"""seconds between two looks at what is waited for"""

KILLED = 2.0
"""seconds in which a call that is killed is gone, unless the system holds it"""

ENDED_BY_SIGNAL = "a signal ended the wait for hooks"


class HookRunner:
    """The onlooker that calls the hooks; `note` gets one line for what went wrong, from other threads."""

    def __init__(
        self,
        hooks: Hooks,
        folder: Path,
        records: Path,
        note: Callable[[str], None],
        signals: Callable[[], int],
        limits: HookLimits | None = None,
    ) -> None:
        """Commands run in `folder`; hooks.log is written into `records`. `signals`: how often an end was asked for."""
        self._limits = limits or HookLimits()
        self._log = HookLog(records / LOG, self._limits.log)
        self._note = note
        self._signals = signals
        self._pace = Pace()
        self._hasty = False
        self._last: bytes | None = None
        """what `end` will be told"""
        self._closed = False
        self._told: set[tuple[Kind, str]] = set()
        place = Place(folder, self._limits, self._log)
        self._calls = {
            kind: _Calls(kind, command, place, self._tell) for kind, command in _commands(hooks).items()
        }

    def see(self, happening: Happening) -> None:
        """Have the hook of this happening called soon, where there is one."""
        if "standings" in self._calls and (due := self._pace.look(happening)) is not None:
            self._calls["standings"].put(_payload(standings_line(*due, _now())))
        if isinstance(happening, Ended):
            self._hasty = happening.reason == "interrupted"
        kind = _kind(happening)
        if kind is None or kind not in self._calls or (told := line(happening, _now())) is None:
            return
        if kind == "end":
            self._last = _payload(told)
        else:
            self._calls[kind].put(_payload(told))

    def close(self) -> None:
        """Make the calls that wait, as far as there is time, and then that of `end`; tell how many failed."""
        if self._closed:
            return
        self._closed = True
        asked = self._signals()
        end = self._calls.get("end")
        limits = self._limits
        self._finish(
            [calls for calls in self._calls.values() if calls is not end],
            limits.hasty if self._hasty else limits.seconds,
            asked,
        )
        if end is not None:
            if self._signals() > asked:
                end.give_up(ENDED_BY_SIGNAL)
            if self._last is not None:
                end.put(self._last)
            self._finish([end], limits.seconds + KILLED, asked)
        for calls in self._calls.values():
            if told := calls.summary():
                see = f"; see {self._log.path}" if self._log.written else ""
                self._note(f"hook {calls.kind}: {told}{see}")
        self._log.close()

    def _finish(self, all_calls: Sequence["_Calls"], seconds: float, asked: int) -> None:
        """Wait until these calls are made, for so many seconds and as long as no further signal comes."""
        for calls in all_calls:
            calls.finish()
        began, told = time.monotonic(), False
        while running := [calls for calls in all_calls if not calls.gone(LOOK)]:
            waited = time.monotonic() - began
            if self._signals() > asked:
                why = ENDED_BY_SIGNAL
            elif waited >= seconds:
                why = f"the event had been over for {seconds:g} s"
            else:
                if waited > TELL and not told:
                    told = True
                    names = ", ".join(calls.kind for calls in running)
                    self._note(f"waiting for hooks ({names}), {seconds:g} s at most; Ctrl-C ends the wait")
                continue
            for calls in running:
                calls.give_up(why)
            for calls in running:
                calls.gone(KILLED)
            return

    def _tell(self, kind: Kind, fault: Fault) -> None:
        if (kind, fault.what) not in self._told:
            self._told.add((kind, fault.what))
            self._note(f"hook {kind}: {fault.text}; the event is not harmed, and this is told once")


class _Calls:
    """The calls of one kind: those that wait, and a thread that makes them one after the other."""

    def __init__(
        self, kind: Kind, command: tuple[str, ...], place: Place, tell: Callable[[Kind, Fault], None]
    ) -> None:
        self.kind: Kind = kind
        self._command = command
        self._place = place
        self._tell = tell
        self._waiting: deque[bytes] = deque()
        self._change = threading.Condition()
        self._finishing = False
        self._given_up: str | None = None
        """why nothing is called any more"""
        self._made = self._failed = 0
        self._full = 0
        """calls that were not made since too many waited"""
        self._thread = threading.Thread(target=self._work, name=f"hook {kind}", daemon=True)
        self._thread.start()

    def put(self, payload: bytes) -> None:
        """Have the command called with this on stdin, when its turn comes."""
        most = self._place.limits.waiting
        with self._change:
            if self.kind == "standings":
                self._waiting.clear()
            full = len(self._waiting) >= most
            if full:
                self._full += 1
            else:
                self._waiting.append(payload)
                self._change.notify()
        if full:
            self._tell(
                self.kind, Fault("slow", f"{most} calls wait, since they take too long; some are not made")
            )

    def finish(self) -> None:
        """No more will be put: the thread ends with the last call."""
        with self._change:
            self._finishing = True
            self._change.notify()

    def give_up(self, why: str) -> None:
        """Make no call any more, and kill the one that is under way."""
        with self._change:
            self._given_up = self._given_up or why
            self._change.notify()

    def gone(self, seconds: float) -> bool:
        """Whether the thread has ended, which is waited for so long."""
        return ends(self._thread, seconds)

    def summary(self) -> str:
        """What failed and what was not made; "" when all is well."""
        parts: list[str] = []
        if self._failed:
            parts.append(f"{self._failed} of {self._made} calls failed")
        if self._full:
            parts.append(_not_made(self._full, f"{self._place.limits.waiting} waited already"))
        if self._given_up is not None and self._waiting:
            parts.append(_not_made(len(self._waiting), self._given_up))
        return "; ".join(parts)

    def _work(self) -> None:
        while (payload := self._next()) is not None:
            self._made += 1
            fault = called(self.kind, self._command, payload, self._place, lambda: self._given_up)
            if fault is not None:
                self._failed += 1
                self._tell(self.kind, fault)

    def _next(self) -> bytes | None:
        with self._change:
            while not (self._waiting or self._finishing or self._given_up):
                self._change.wait()
            return self._waiting.popleft() if self._waiting and self._given_up is None else None


def _not_made(count: int, why: str) -> str:
    return f"{count} {'call was' if count == 1 else 'calls were'} not made, since {why}"


def _commands(hooks: Hooks) -> dict[Kind, tuple[str, ...]]:
    """The hooks that there are, by what they are told of."""
    commands: dict[Kind, tuple[str, ...]] = {
        "start": hooks.start,
        "verdict": hooks.verdict,
        "standings": hooks.standings,
        "end": hooks.end,
    }
    return {kind: command for kind, command in commands.items() if command}


def unrunnable(event: Event) -> list[str]:
    """The hooks of an event whose program is not there, each as a line that names file, line, key and remedy."""
    faults = {
        kind: why
        for kind, command in _commands(event.running.hooks).items()
        if (why := _missing(command, event.file.parent))
    }
    if not faults:
        return []
    name = shown(str(event.file))
    try:
        located = Located(read_document(event.file).text)
    except FileFault:  # changed since it was read: then without lines
        return [f"{name}: hooks.{kind}: {why}" for kind, why in faults.items()]
    return [f"{name}:{located.line(('hooks', kind))}: hooks.{kind}: {why}" for kind, why in faults.items()]


def _missing(command: Sequence[str], folder: Path) -> str | None:
    """What keeps a command from being run, as far as its program tells."""
    program = command[0]
    if program == sys.executable and len(command) > 1 and command[1].endswith(".py"):
        program = command[1]
        path = folder / program
        return None if path.is_file() else f"there is no file {shown(program)}; name the command by its path"
    if not is_path(program):
        there = on_path(program) is not None
        return (
            None if there else f"there is no program {shown(program)} in PATH; name the command by its path"
        )
    path = folder / program
    if not path.is_file():
        return f"there is no file {shown(program)}; name the command by its path"
    if not os.access(path, os.X_OK):
        return f"{shown(program)} may not be executed; say chmod +x, or name what runs it"
    return None


def _payload(told: Line) -> bytes:
    return encoded(told) + b"\n"


def _kind(happening: Happening) -> Kind | None:
    match happening:
        case GameEnded():
            return "verdict"
        case Began():
            return "start"
        case Ended():
            return "end"
        case _:
            return None


def _now() -> float:
    return round(time.time(), 3)
