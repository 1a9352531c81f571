"""Says what to install where a command needs a library that the base install does not bring."""

from importlib.util import find_spec

from donuts_engine.numba_here import obstacle
from donuts_referee.cli.fault import UsageFault

__all__ = ["absent", "need", "need_solver"]


def absent(library: str, extra: str) -> UsageFault:
    """The fault of a command whose `library` is missing; `extra` of the package brings it, also from a clone."""
    return UsageFault(
        f"{library} is not installed: pip install 'donuts-arena[{extra}]', or in a clone pip install '.[{extra}]'"
    )


def need(extra: str, *libraries: str) -> None:
    """Raise UsageFault at the first of the libraries that is not installed; none is imported."""
    for library in libraries:
        if find_spec(library) is None:
            raise absent(library, extra)


def need_solver() -> None:
    """Raise UsageFault where the solver cannot run; this imports Numba."""
    reason = obstacle()
    if reason:
        raise UsageFault(reason)
