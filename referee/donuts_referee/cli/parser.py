"""The parser of every command: its faults are `UsageFault`, its options are never abbreviated."""

import argparse
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from donuts_referee.cli.fault import UsageFault

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    Subparsers: TypeAlias = _SubParsersAction[argparse.ArgumentParser]

__all__ = ["Parser"]


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises instead of printing its usage, so that every fault is one line and exit 2."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("allow_abbrev", False)
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**settings)

    def error(self, message: str) -> NoReturn:
        """Raise the fault, with the command that knows more about it."""
        text = message.removeprefix("argument ")
        raise UsageFault(f"{text} ({self.prog} --help says more)")
