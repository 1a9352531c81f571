"""Makes sure that an ipc endpoint is our own: in a folder of mode 0700, at a path nobody listens at (DBP-11.5)."""

import socket
import stat
from pathlib import Path

from donuts_referee.endpoints import Endpoint

__all__ = ["IpcFault", "prepare"]


class IpcFault(Exception):
    """An ipc endpoint cannot be used; the text is one line."""


def prepare(endpoint: Endpoint) -> None:
    """Make the folder of an ipc endpoint's socket, or check it; a tcp endpoint needs none. Raises IpcFault."""
    if endpoint.kind != "ipc":
        return
    path = Path(endpoint.text.removeprefix("ipc://"))
    folder = path.parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = stat.S_IMODE(folder.stat().st_mode)
    except OSError as error:
        raise IpcFault(f"cannot make {folder}: {(error.strerror or str(error)).lower()}") from None
    if mode & 0o077:
        raise IpcFault(
            f"{folder} can be entered by others (mode {mode:04o}): chmod 700 it, or name a folder of its own"
        )
    if _listened_at(path):
        raise IpcFault(f"somebody listens at {path} already; is another arena running? name another path")


def _listened_at(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True
