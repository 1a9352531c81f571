"""What the tests of competitions share: a quick bot whose play is a function of the position alone."""

import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def salted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program `salted SALT [CRASHES]`, see salted.c."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler: apt install gcc libc6-dev")
    program = tmp_path_factory.mktemp("salted") / "salted"
    source = Path(__file__).with_name("salted.c")
    subprocess.run([compiler, "-O2", "-o", str(program), str(source)], check=True, timeout=60)
    return program
