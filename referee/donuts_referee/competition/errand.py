"""What a Dask task does where it was sent to: has one job played by a worker process, and brings back its reports.

A task runs in a thread, and bots are started from a main thread alone (see `channels.containment`); so each thread
keeps a worker process of `competition.worker` beside it, an aide, and hands it one job after the other. An aide dies
with the Dask worker, ends when it was idle for a while, and is replaced when it is gone.
"""

import os
import select
import subprocess
import threading
import time

from donuts_referee.competition.frames import BrokenFrame, Unframing, framed_report
from donuts_referee.competition.job import Done
from donuts_referee.modules import own_modules, running
from donuts_referee.version import __version__

__all__ = ["AideGone", "OtherVersion", "dismiss", "play", "stop", "version"]

CHUNK = 1 << 18

IDLE = 30.0
"""seconds after which an aide without a job is ended"""

GRACE = 10.0
"""seconds that an aide has to void its game before it is killed"""

CHECK = 1.0
"""seconds between two looks at whether the task is still wanted"""


class AideGone(Exception):
    """The process that played the job ended before the job did; the text says how."""


class OtherVersion(Exception):
    """This machine has another version of donuts-arena than whoever sent the task; the text names both."""


class _Aide:
    """A worker process; `token` says whose job it plays."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            running("donuts_referee.competition.worker", str(os.getpid())),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=own_modules(),
            start_new_session=True,
        )
        self.unframing = Unframing()
        self.token = ""
        self.ordered = False
        """it was told to void its game, after which it plays no other"""
        self.used = time.monotonic()

    def order_off(self) -> None:
        """Have the running game voided, and the job ended."""
        self.ordered = True
        self.process.terminate()

    def end(self, *, now: bool = False) -> int:
        """Let it end, or kill it; its exit status."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        if now:
            self.process.kill()
        try:
            return self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


_own = threading.local()
_guard = threading.Lock()
_aides: set[_Aide] = set()
_stopped: set[str] = set()
_watched = False


def version() -> str:
    """The version of donuts-arena on this machine."""
    return __version__


def play(job: int, frame: bytes, token: str, key: str, expected: str) -> bytes:
    """Have the job in `frame` played; returns the frames of its reports, the last of them `Done`.

    `token` names the run that the job is of, `key` the task, `expected` the version that sends it. Raises AideGone and
    OtherVersion.
    """
    if expected != __version__:
        raise OtherVersion(f"it has donuts-arena {__version__}, and the event runs on {expected}")
    aide = _aide(token)
    if aide is None:
        return framed_report(Done(job, "interrupted"))
    try:
        return _played(aide, frame, key)
    except (AideGone, BrokenFrame, OSError) as fault:
        status = _let_go(aide, now=True)
        if aide.ordered:
            return framed_report(Done(job, "interrupted"))
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        raise AideGone(str(fault) or f"the process that played it ended ({how})") from None
    finally:
        with _guard:
            aide.token, aide.used = "", time.monotonic()
        if aide.ordered:
            _let_go(aide)


def stop(token: str) -> None:
    """Void the games of this run that are under way here, and begin no more of its jobs."""
    with _guard:
        _stopped.add(token)
        for aide in _aides:
            if aide.token == token:
                aide.order_off()


def dismiss(token: str) -> None:
    """The run is over: stop what is left of it, and end the aides that have nothing to do."""
    stop(token)
    _end_idle(0.0)


def _aide(token: str) -> _Aide | None:
    """This thread's aide, started where there is none; None when the run was stopped."""
    aide: _Aide | None = getattr(_own, "aide", None)
    with _guard:
        if token in _stopped:
            return None
        if aide is not None and aide in _aides and aide.process.poll() is None:
            aide.token = token
            return aide
    try:
        fresh = _Aide()
    except OSError as fault:
        raise AideGone(
            f"no process could be started to play it: {(fault.strerror or str(fault)).lower()}"
        ) from fault
    _own.aide = fresh
    with _guard:
        fresh.token = token
        _aides.add(fresh)
        if token in _stopped:
            fresh.order_off()
    _watch()
    return fresh


def _played(aide: _Aide, frame: bytes, key: str) -> bytes:
    stdin, stdout = aide.process.stdin, aide.process.stdout
    assert stdin is not None and stdout is not None
    stdin.write(frame)
    reports = bytearray()
    given_up = 0.0
    while True:
        if not select.select([stdout], [], [], CHECK)[0]:
            if given_up and time.monotonic() > given_up:
                raise AideGone("its game could not be ended")
            if not given_up and not _wanted(key):
                given_up = time.monotonic() + GRACE
                aide.order_off()
            continue
        data = os.read(stdout.fileno(), CHUNK)
        if not data:
            raise AideGone
        reports += data
        kinds = [kind for kind, _ in aide.unframing.feed(data)]
        if b"D" in kinds:
            return bytes(reports)


def _wanted(key: str) -> bool:
    """False once the task was cancelled, as it is when whoever waits for its result is gone."""
    from distributed import get_worker

    task = get_worker().state.tasks.get(key)
    return task is not None and task.state == "executing"


def _let_go(aide: _Aide, *, now: bool = False) -> int:
    with _guard:
        _aides.discard(aide)
    return aide.end(now=now)


def _watch() -> None:
    """Have idle aides ended, from a thread that lives as long as there are any."""
    global _watched
    with _guard:
        if _watched:
            return
        _watched = True
    threading.Thread(target=_end_idle_ones, name="aides", daemon=True).start()


def _end_idle_ones() -> None:
    global _watched
    while True:
        time.sleep(IDLE / 4)
        _end_idle(IDLE)
        with _guard:
            if not _aides:
                _watched = False
                return


def _end_idle(seconds: float) -> None:
    now = time.monotonic()
    with _guard:
        idle = [each for each in _aides if not each.token and now - each.used >= seconds]
        _aides.difference_update(idle)
    for aide in idle:
        aide.end()
