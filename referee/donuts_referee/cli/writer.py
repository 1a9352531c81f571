"""Writes to a descriptor in a thread of its own, where a system cannot wait for several pipes at once."""

import os
import threading

__all__ = ["Writer"]


class Writer:
    """Bytes go out in order while the caller does other things; it waits only when `most` bytes are unread."""

    def __init__(self, sink: int, most: int) -> None:
        self._sink = sink
        self._most = most
        self._pending = bytearray()
        self._closed = False
        self._fault: OSError | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queue `data`; OSError (as BrokenPipeError) if an earlier write has failed."""
        with self._changed:
            self._pending += data
            self._changed.notify_all()
            while len(self._pending) > self._most and self._fault is None:
                self._changed.wait()
            if self._fault is not None:
                raise self._fault

    def close(self) -> None:
        """Wait until everything is written; raises as `write` does. Twice is harmless."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()
        if self._fault is not None:
            raise self._fault

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._pending and not self._closed:
                    self._changed.wait()
                data = bytes(self._pending[:65_536])
            if not data:
                return
            try:
                written = os.write(self._sink, data)
            except OSError as fault:
                with self._changed:
                    self._fault = fault
                    self._changed.notify_all()
                return
            with self._changed:
                del self._pending[:written]
                self._changed.notify_all()
