"""One started process: start it or say in a sentence why not, notice its end, end it, learn how it ended."""

import contextlib
import errno
import os
import signal
import stat
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import IO

from donuts_referee.channels import containment
from donuts_referee.channels.limits import confinement
from donuts_referee.channels.link import Exit, StartFailure
from donuts_referee.channels.program import Program, mode
from donuts_referee.channels.shortage import shortage

SECOND = 1_000_000_000


class Process:
    """A process in a session and process group of its own, with three pipes.

    Until `collect` the process stays in the system's table, so its number keeps its meaning however early it
    ends.
    """

    def __init__(self, popen: "subprocess.Popen[bytes]", bot: containment.Bot) -> None:
        assert popen.stdin is not None and popen.stdout is not None and popen.stderr is not None
        self.pid = popen.pid
        self.bot = bot
        self.stdin: IO[bytes] = popen.stdin
        self.stdout: IO[bytes] = popen.stdout
        self.stderr: IO[bytes] = popen.stderr
        self.family: frozenset[containment.Known] = frozenset()
        """what has to be remembered of its offspring from before its end"""
        self._popen = popen
        self._exit: Exit | None = None

    def watch(self) -> int | None:
        """A descriptor that is readable once the process has ended; None where the system has no such thing.

        The caller closes it.
        """
        try:
            return os.pidfd_open(self.pid)
        except (AttributeError, OSError):
            return None

    def ended(self) -> bool:
        """Has the process ended? Does not wait."""
        if self._exit is not None or self._popen.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return self._popen.poll() is not None
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def outlast(self) -> None:
        """Wait, on a thread of its own, until the process has ended."""
        if not hasattr(os, "waitid"):
            self._popen.wait()
            return
        with contextlib.suppress(ChildProcessError):  # reaped meanwhile
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)

    def remember(self) -> None:
        """To be called before anything makes it end."""
        self.family = containment.remembered(self.bot)

    def terminate(self) -> None:
        """SIGTERM to the whole process group."""
        self._signal("SIGTERM", self._popen.terminate)

    def kill(self) -> None:
        """SIGKILL to the whole process group."""
        self._signal("SIGKILL", self._popen.kill)

    def _signal(self, name: str, alone: Callable[[], None]) -> None:
        if self._exit is not None:
            return
        with contextlib.suppress(OSError):  # it has ended, or changed its user
            if hasattr(os, "killpg"):
                os.killpg(self.pid, getattr(signal, name))
            else:
                alone()

    def collect(self) -> Exit:
        """How it ended, without waiting: both fields None when it has not, or when nobody can know. Twice is
        harmless."""
        if self._exit is None:
            code = self._code()
            if code is None:
                self._exit = Exit(None, None)
            elif code < 0 and os.name != "nt":
                self._exit = Exit(None, -code)
            else:
                self._exit = Exit(code, None)
            containment.dismiss(self.bot)
        return self._exit

    def _code(self) -> int | None:
        if not hasattr(os, "waitid") or self._popen.returncode is not None:
            return self._popen.poll()
        code = None
        with contextlib.suppress(ChildProcessError):  # SIGCHLD is ignored: the system reaped it
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            code = os.waitstatus_to_exitcode(status) if pid else None
        self._popen.returncode = code if code is not None else -9  # it is done with, whatever became of it
        return code


def start(program: Program) -> Process:
    """Start a program with pipes on descriptors 0, 1 and 2, nothing else open, no controlling terminal, and no more of
    the machine than its limits allow (DBP-10.1, DBP-10.2).

    Raises StartFailure with status 127 when the file is not found and 126 when it cannot be executed or its limits
    cannot be had, Shortage when the system would have started no program at all.
    """
    if not program.argv or not program.argv[0]:
        raise StartFailure("the bot has no command: name a program to start", 127)
    bind = containment.binding()
    confine = confinement(program.limits, _shown(program.argv[0]))
    try:
        with warnings.catch_warnings():
            # Python 3.12 warns of a fork where there are threads; the child makes two prepared system calls
            warnings.filterwarnings("ignore", category=DeprecationWarning, message=".*fork.*")
            popen = subprocess.Popen(
                program.argv,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=program.cwd,
                env=program.environment(),
                close_fds=True,
                start_new_session=os.name != "nt",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                preexec_fn=bind if confine is None else _both(bind, confine),
            )
    except OSError as error:
        raise shortage(f"start {_shown(program.argv[0])}", error) or _failure(program, error) from error
    except ValueError as error:
        raise StartFailure(
            f"cannot start {_shown(program.argv[0])}: {error} in its command line or environment"
        ) from error
    except subprocess.SubprocessError as error:
        why = str(error) if confine is None else f"the system refuses its limits ({program.limits})"
        raise StartFailure(f"cannot start {_shown(program.argv[0])}: {why}") from error
    return Process(popen, containment.enrol(popen.pid, bind is not None))


def _both(bind: Callable[[], None] | None, confine: Callable[[], None]) -> Callable[[], None]:
    """Bound first: a bot must not outlive us even where its limits leave nothing to start with."""
    if bind is None:
        return confine
    first = bind

    def prepare() -> None:
        first()
        confine()

    return prepare


def discard(process: Process) -> None:
    """End a process, at once, for which no link could be made, with all that it left behind."""
    process.remember()
    process.kill()
    end = time.monotonic() + containment.DYING
    while not process.ended() and time.monotonic() < end:  # one that changed its user may live on
        time.sleep(0.001)
    containment.sweep(process.bot, process.family, 0.0)
    process.collect()


def _failure(program: Program, error: OSError) -> StartFailure:
    """What the system's refusal means and what would help."""
    word = _shown(program.argv[0])
    if program.cwd is not None and not stat.S_ISDIR(mode(Path(program.cwd))):
        return StartFailure(f"cannot start {word}: there is no folder {_shown(program.cwd)} to start it in")
    path = program.path() if os.name == "nt" or error.errno != errno.EACCES else _named(program)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        if path is None:
            near = _named(program)
            if near is not None:
                return _not_executable(near)
            where = "in PATH" if os.path.basename(program.argv[0]) == program.argv[0] else "there"  # noqa: PTH119
            return StartFailure(
                f"cannot start {word}: no such file {where}; check the name and the folder", 127
            )
        first = _first_line(path)
        if first.startswith(b"#!"):
            line = _shown(first.decode("utf-8", "replace"))
            return StartFailure(
                f"cannot start {word}: the interpreter its first line names is not there ({line}); "
                "correct that line (a CR at its end counts too), or put the interpreter before the file"
            )
        return StartFailure(
            f"cannot start {word}: it needs a loader that is not on this system; build it for this one"
        )
    if error.errno == errno.EACCES:
        return _not_executable(path or Path(program.argv[0]))
    if error.errno == errno.ENOEXEC:
        if b"\0" in _first_line(path):
            return StartFailure(f"cannot start {word}: not a program for this system; build it for this one")
        return StartFailure(
            f"cannot start {word}: a text without an interpreter; "
            "make '#!/usr/bin/env python3' or the like its first line, or put the interpreter before the file"
        )
    return StartFailure(f"cannot start {word}: {error.strerror or error}")


def _not_executable(path: Path) -> StartFailure:
    name = _shown(str(path))
    kind = mode(path)
    if not kind:
        return StartFailure(
            f"cannot start {name}: the system does not let us look there; run: chmod +x on the folders above it"
        )
    if stat.S_ISDIR(kind):
        return StartFailure(f"cannot start {name}: it is a folder; name the program in it")
    if os.access(path, os.X_OK):
        return StartFailure(
            f"cannot start {name}: the system forbids it (is its folder or its interpreter executable?)"
        )
    return StartFailure(f"cannot start {name}: it is not executable; run: chmod +x {name}")


def _named(program: Program) -> Path | None:
    """The file the first word names, executable or not."""
    word = program.argv[0]
    base = Path(program.cwd or ".")
    if os.path.basename(word) != word:  # noqa: PTH119
        return base / word if mode(base / word) else None
    path = dict(program.env).get("PATH", os.environ.get("PATH", os.defpath))
    places = (Path(folder or ".") / word for folder in path.split(os.pathsep))
    return next((place for place in places if stat.S_ISREG(mode(place))), None)


def _first_line(path: Path | None) -> bytes:
    try:
        if path is None or not stat.S_ISREG(mode(path)):
            return b""
        with path.open("rb") as file:
            return file.read(200).split(b"\n", 1)[0]
    except OSError:
        return b""


def _shown(text: str) -> str:
    """As a person can read it on one line, whatever is in it."""
    plain = text if len(text) <= 120 else text[:117] + "..."
    return plain if plain.isprintable() and plain else ascii(plain)


if sys.platform == "win32":
    SIGPIPE = None
else:
    SIGPIPE = signal.SIGPIPE


def ignore_sigpipe() -> None:
    """A write to a bot that is gone is an error to be handled, not the end of the referee: Python's own
    default, put back where a program has changed it."""
    if SIGPIPE is not None and signal.getsignal(SIGPIPE) is signal.SIG_DFL:
        with contextlib.suppress(ValueError):  # not on the main thread: then it is not ours to change
            signal.signal(SIGPIPE, signal.SIG_IGN)
