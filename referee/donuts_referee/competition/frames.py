"""How the runner and a worker talk over two pipes: frames of a kind, a length and bytes.

A frame is one byte that names its kind, four bytes of length (little endian), and so many bytes:

    to the worker     J   a job, as msgpack
    from the worker   G   a game: four bytes with the length of the record's line, the line, the PGN
                      D   the job is over, as msgpack
"""

import struct
from collections.abc import Iterator

import msgspec

from donuts_referee.competition.job import Done, Job, Played, Report

__all__ = ["BrokenFrame", "Unframing", "framed_job", "framed_report", "read_job", "read_report"]

_HEAD = struct.Struct("<cI")
_LENGTH = struct.Struct("<I")

MOST = 1 << 28
"""bytes of the longest frame"""

_jobs = msgspec.msgpack.Decoder(Job)
_dones = msgspec.msgpack.Decoder(Done)


class BrokenFrame(Exception):
    """What came is no frame: whoever sent it is not what it should be."""


class Unframing:
    """Gathers bytes and gives the frames that are whole: kind and content."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """The frames that are whole with `data`. Raises BrokenFrame."""
        held = self._held
        held += data
        at = 0
        while len(held) - at >= _HEAD.size:
            kind, length = _HEAD.unpack_from(held, at)
            if length > MOST:
                raise BrokenFrame(f"a frame of {length} bytes")
            if len(held) - at - _HEAD.size < length:
                break
            at += _HEAD.size
            yield kind, bytes(held[at : at + length])
            at += length
        del held[:at]


def framed_job(job: Job) -> bytes:
    """A job as a frame."""
    return _framed(b"J", msgspec.msgpack.encode(job))


def framed_report(report: Played | Done) -> bytes:
    """A report as a frame."""
    if isinstance(report, Done):
        return _framed(b"D", msgspec.msgpack.encode(report))
    return _framed(b"G", b"".join((_LENGTH.pack(len(report.line)), report.line, report.pgn)))


def read_job(kind: bytes, content: bytes) -> Job:
    """The job in a frame. Raises BrokenFrame."""
    if kind != b"J":
        raise BrokenFrame(f"a frame of kind {kind!r} where a job was due")
    try:
        return _jobs.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenFrame(f"not a job: {error}") from error


def read_report(job: int, kind: bytes, content: bytes) -> Report:
    """What a worker reports of the job that it plays. Raises BrokenFrame."""
    if kind == b"G" and len(content) >= _LENGTH.size:
        (length,) = _LENGTH.unpack_from(content)
        start = _LENGTH.size
        return Played(job, content[start : start + length], content[start + length :])
    if kind == b"D":
        try:
            return _dones.decode(content)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BrokenFrame(f"not the end of a job: {error}") from error
    raise BrokenFrame(f"a frame of kind {kind!r}")


def _framed(kind: bytes, content: bytes) -> bytes:
    return _HEAD.pack(kind, len(content)) + content
