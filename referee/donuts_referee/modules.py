"""How a child process of ours is started: what it runs, and an environment in which it finds the modules we do."""

import os
import sys

__all__ = ["own_modules", "running"]


def own_modules() -> dict[str, str]:
    """Our own environment with the way to our modules, be they installed or not."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def running(module: str, *words: str) -> list[str]:
    """The command that runs a module of ours with these words.

    -P: a random.py in the operator's directory must not become the standard library of the child.
    """
    return [sys.executable, "-P", "-m", module, *words]
