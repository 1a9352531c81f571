"""Compiles the C programs of the bench into a directory of the caller's."""

import os
import shutil
import subprocess
from importlib.resources import as_file, files
from pathlib import Path

__all__ = ["NoCompiler", "build"]

COMPILERS = ("cc", "gcc", "clang")


class NoCompiler(Exception):
    """There is no C compiler, or it does not compile; the text is one line and says what would help."""


def build(name: str, folder: Path) -> Path:
    """Compile `NAME.c` of this package into `folder`; returns the program. Raises NoCompiler."""
    if os.name != "posix":
        raise NoCompiler("the bench needs a POSIX system: its programs use fork, pipe2 and poll")
    wanted = os.environ.get("CC") or next((each for each in COMPILERS if shutil.which(each)), None)
    if wanted is None:
        raise NoCompiler(
            f"the bench needs a C compiler and found none of {', '.join(COMPILERS)}; "
            "install one (Debian, Ubuntu: apt install gcc libc6-dev) or name it in CC"
        )
    program = folder / name
    with as_file(files("donuts_referee.bench").joinpath(f"{name}.c")) as source:
        command = [*wanted.split(), "-O2", "-o", str(program), str(source)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        except OSError as fault:
            raise NoCompiler(f"the C compiler {wanted} cannot be run: {fault.strerror or fault}") from None
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise NoCompiler(f"the C compiler {wanted} cannot compile {name}.c: {lines[0]}")
    return program
