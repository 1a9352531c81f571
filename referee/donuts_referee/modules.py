"""The environment in which a child process of ours finds the same modules as we do."""

import os
import sys

__all__ = ["own_modules"]


def own_modules() -> dict[str, str]:
    """Our own environment with the way to our modules, be they installed or not."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
