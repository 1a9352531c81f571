"""Can the solver run here: is Numba installed, does it load, may it compile? The one place that finds out."""

import sys
from importlib import import_module

__all__ = ["obstacle"]

_INSTALL = "pip install 'donuts-arena[solver]', or in a clone pip install '.[solver]'"

UNLOADABLE = (
    ImportError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    SystemError,
    TypeError,
    ValueError,
)
"""What it may raise beside a NumPy, or another library, that does not fit."""

_broken: list[str] = []  # said once: a Numba that does not load takes tenths of a second each time


def obstacle() -> str | None:
    """Return why the solver cannot run, with what would help, in one line; None when it can. Imports Numba."""
    if _broken and "numba" not in sys.modules:
        return _broken[0]
    try:
        numba = import_module("numba")
    except UNLOADABLE as fault:
        if isinstance(fault, ModuleNotFoundError) and fault.name == "numba":
            return f"the solver needs numba: {_INSTALL}"
        said = ascii(" ".join(str(fault).split()))[1:-1][:200].rstrip(".")
        _broken[:] = [
            f"numba is installed but does not load ({said}); pip install -U numba brings versions that fit together"
        ]
        return _broken[0]
    if numba.config.DISABLE_JIT:
        return "NUMBA_DISABLE_JIT forbids numba to compile, and the solver runs compiled only; unset it"
    return None
