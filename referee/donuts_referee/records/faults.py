"""What can be wrong with a file of games.

RecordsFault
+- WriteFault      a game could not be written; nothing half written counts as a game
+- ReadFault       a file cannot be opened or read
+- BadLine         a line in the middle of a file is not what it should be; names file, line and remedy
+- NoSuchGame      the file is sound and the game that was asked for is not in it
"""

__all__ = ["BadLine", "NoSuchGame", "ReadFault", "RecordsFault", "WriteFault", "flat"]


def flat(fault: object) -> str:
    """What another library says of a fault, as a part of one line: its white space single spaces, cut at 200."""
    return " ".join(str(fault).split())[:200]


class RecordsFault(Exception):
    """The trunk of the tree; the text is one line fit for an operator."""


class WriteFault(RecordsFault):
    """A game could not be written; whatever part of it reached the file does not count as a game."""

    @classmethod
    def of(cls, path: object, error: OSError) -> "WriteFault":
        """The fault for a refusal of the system to make or open something at `path`."""
        reason = (error.strerror or str(error)).lower()
        return cls(f"cannot write {path}: {reason}; name a directory that can be written")


class ReadFault(RecordsFault):
    """A file of games cannot be opened or read."""

    @classmethod
    def of(cls, path: object, error: OSError, remedy: str = "") -> "ReadFault":
        """The fault for a refusal of the system to read what is at `path`; `remedy`: what would be right instead."""
        reason = (error.strerror or str(error)).lower()
        return cls(f"cannot read {path}: {reason}{f'; {remedy}' if remedy else ''}")


class BadLine(RecordsFault):
    """A line is not what it should be; `place` is file:line."""

    def __init__(self, place: str, fault: str, remedy: str) -> None:
        super().__init__(f"{place}: {fault}; {remedy}")
        self.place = place
        self.fault = fault
        self.remedy = remedy


class NoSuchGame(RecordsFault):
    """The game that was asked for is not in the file, or more than one answers to the name."""
