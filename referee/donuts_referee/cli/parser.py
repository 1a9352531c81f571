"""The parser of every command: its faults are `UsageFault`, its options are never abbreviated."""

import argparse
import sys
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from donuts_referee.cli.fault import UsageFault

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from _typeshed import SupportsWrite

__all__ = ["Parser", "Subparsers"]

Subparsers: TypeAlias = "_SubParsersAction[argparse.ArgumentParser]"
"""What `add_parser` of each command adds its own to."""


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises instead of printing its usage, so that every fault is one line and exit 2."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("allow_abbrev", False)
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**settings)
        self.tail: str | None = None
        """where the words after the first `--` go, as a list; None: they are read as any others"""

    def parse_known_args(  # pyright: ignore[reportIncompatibleMethodOverride]  (typeshed has overloads)
        self, args: Any = None, namespace: Any = None
    ) -> Any:
        """See `argparse.ArgumentParser`; the words after `--` are set aside first where the command wants that."""
        if self.tail is None:
            return super().parse_known_args(args, namespace)
        words: list[str] = list(args or ())
        at = words.index("--") if "--" in words else len(words)
        parsed, others = super().parse_known_args(words[:at], namespace)
        setattr(parsed, self.tail, words[at + 1 :])
        return parsed, others

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        """Write the help; unlike argparse's own, this raises where it cannot be written."""
        (sys.stdout if file is None else file).write(message)
        sys.stdout.flush()

    def error(self, message: str) -> NoReturn:
        """Raise the fault, with the command that knows more about it."""
        text = message.removeprefix("argument ")
        if self.tail is not None and text.startswith("unrecognized arguments"):
            text += "; is it the bot? put -- before it"
        raise UsageFault(f"{text} ({self.prog} --help says more)")
