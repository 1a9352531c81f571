"""How the kernel is compiled: by Numba, kept on disk, without the interpreter's lock; and a few instructions.

What is compiled is kept in NUMBA_CACHE_DIR or in `__pycache__` beside the sources, in a folder of its own for each
state of the sources: Numba itself looks only at the file of a function, not at those of the functions that went into
it. Where neither can be written, Numba takes the user's cache folder. What is kept serves speed alone: what cannot be
written, on a full disk, or read, after a power cut, is compiled anew.
"""

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from pickle import PickleError
from typing import Any, TypeVar, cast

import numpy as np
from numba import config as _config
from numba import njit, types
from numba.core import cgutils
from numba.core.caching import FunctionCache
from numba.extending import intrinsic
from numpy.typing import NDArray

Ints = NDArray[np.int64]
"""Memory of the kernel. All of its numbers are int64, since Numba makes floats of int64 with uint64.

The kernel gets the address of an array instead of the array, and reads and writes it with `peek` and `poke`: at each
call of a function Numba counts the references to an array, with two atomic instructions that took two thirds of the
time of a search. Whoever calls keeps the array alive meanwhile.
"""

WORD = 8
"""Bytes of one number."""

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


settings: Any = _config
"""Numba's settings, which it makes at run time from its environment."""


def _folder() -> str:
    """Where this state of the sources is kept."""
    here = Path(__file__).parent
    # The masks of `turn`, which are compiled in, are made of the steps of `geometry`.
    sources = [*sorted(here.glob("*.py")), here.parent / "geometry.py"]
    state = sha256(b"".join(file.read_bytes() for file in sources)).hexdigest()[:16]
    return str(Path(settings.CACHE_DIR or here / "__pycache__", f"donuts-{state}"))


_FOLDER = _folder()

UNREADABLE = (
    ArithmeticError, AssertionError, AttributeError, EOFError, ImportError, LookupError, MemoryError, OSError,
    PickleError, RuntimeError, SystemError, TypeError, ValueError,
)  # fmt: skip
"""What bytes that are no pickle, or one of other things, may raise when they are read."""


class _Kept(cast("type[Any]", FunctionCache)):  # type: ignore[misc]
    """Numba's files of one function; a fault of them costs the time to compile, and nothing else."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept; None where there is nothing, or nothing of use."""
        try:
            return super().load_overload(sig, target_context)
        except UNREADABLE:
            try:
                self.flush()  # an empty list of files in place of the one that cannot be read
            except OSError:
                self.disable()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep it where there is room."""
        with suppress(OSError):
            super().save_overload(sig, data)


def compiled(function: Kernel) -> Kernel:
    """Let Numba compile `function` when it is first called, and keep the outcome where there is a place for it."""
    made: Any = njit(nogil=True)(function)
    named = settings.CACHE_DIR
    settings.CACHE_DIR = _FOLDER
    try:
        made._cache = _Kept(function)
    except (RuntimeError, OSError):  # no folder to write to: it is compiled anew in each process
        pass
    finally:
        settings.CACHE_DIR = named
    return cast("Kernel", made)


def part(function: Kernel) -> Kernel:
    """Let Numba compile `function` into those compiled ones that call it."""
    return cast("Kernel", njit(nogil=True)(function))


def _popcount(_context: Any, _x: Any) -> Any:
    return types.int64(types.int64), lambda _c, build, _s, args: build.ctpop(args[0])


def _trailing(_context: Any, _x: Any) -> Any:
    return types.int64(types.int64), lambda _c, build, _s, args: build.cttz(args[0], cgutils.true_bit)


def _leading(_context: Any, _x: Any) -> Any:
    return types.int64(types.int64), lambda _c, build, _s, args: build.ctlz(args[0], cgutils.true_bit)


def _shifted(_context: Any, _x: Any, _n: Any) -> Any:
    return types.int64(types.int64, types.int64), lambda _c, build, _s, args: build.lshr(args[0], args[1])


def _peek(_context: Any, _address: Any, _index: Any) -> Any:
    def build(context: Any, builder: Any, _s: Any, args: Any) -> Any:
        words = builder.inttoptr(args[0], context.get_value_type(_WORDS))
        return builder.load(builder.gep(words, [args[1]]))

    return types.int64(types.int64, types.int64), build


def _poke(_context: Any, _address: Any, _index: Any, _value: Any) -> Any:
    def build(context: Any, builder: Any, _s: Any, args: Any) -> Any:
        words = builder.inttoptr(args[0], context.get_value_type(_WORDS))
        builder.store(args[2], builder.gep(words, [args[1]]))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), build


_intrinsic = cast("Callable[[Any], Any]", intrinsic)
_WORDS = cast("Callable[[Any], Any]", types.CPointer)(types.int64)

popcount: Callable[[int], int] = _intrinsic(_popcount)
"""How many bits of a number are set."""
trailing: Callable[[int], int] = _intrinsic(_trailing)
"""Which bit is the lowest that is set; for numbers other than 0."""
leading: Callable[[int], int] = _intrinsic(_leading)
"""How many bits above the highest that is set; for numbers other than 0."""
shifted: Callable[[int, int], int] = _intrinsic(_shifted)
"""A number shifted right, with zeros from the left."""
peek: Callable[[int, int], int] = _intrinsic(_peek)
"""The number at (address, index), the index in words."""
poke: Callable[[int, int, int], None] = _intrinsic(_poke)
"""Puts at (address, index) the number given last."""
