"""What can end a command early, and which exit code each kind has.

UsageFault        the command line or a configuration file is wrong: a line for each fault, exit 2
Terminated        SIGTERM or SIGHUP ended the command: exit 128 + number, as a shell would say
"""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of `donuts`; README and `donuts play --help` document them."""

    OK = 0
    """everything asked for was done; every game has a verdict"""
    FAULTED = 1
    """with --strict: a bot faulted"""
    USAGE = 2
    """usage or configuration"""
    START = 3
    """a bot would not start; a record says why"""
    INTERNAL = 4
    """a fault of this program"""
    INTERRUPTED = 130
    """ended by Ctrl-C: records kept, the unfinished game is void; or by a person who quit with games left to play"""
    PIPE = 141
    """the reader of our stdout went away"""
    TERMINATED = 143
    """ended by SIGTERM: as 130"""


class UsageFault(Exception):
    """The operator asked for something that cannot be done: a line for each fault, which says what would be right."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.lines = lines

    def __str__(self) -> str:
        return " | ".join(self.lines)


def unwritable(stream: str, error: OSError) -> UsageFault:
    """The fault for a stdout or stderr that the system does not let us write to, such as one on a full disk."""
    return UsageFault(f"cannot write to {stream}: {(error.strerror or str(error)).lower()}")


class Terminated(KeyboardInterrupt):
    """A signal other than SIGINT asked the command to end; cleaned up after in the same way as Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
