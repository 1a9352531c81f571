"""Reads an endpoint, `tcp://HOST:PORT` or `ipc://PATH`, and says whether it is local or needs CURVE."""

import ipaddress
import os
import re
from pathlib import Path
from typing import Literal, NamedTuple

from donuts_protocol.escape import shown

__all__ = ["DEFAULT", "Endpoint", "EndpointFault", "host_and_port", "parse_endpoint"]

MOST_PATH = 100
"""Bytes of the longest path of an ipc endpoint; the system takes 107."""

_MOST_TEXT = 400
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"
_HOST_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
_FORMS = "write tcp://HOST:PORT or ipc://PATH"


class EndpointFault(ValueError):
    """An endpoint that cannot be used; the text is one line with the fault and what would be right."""


class Endpoint(NamedTuple):
    """Where the arena listens or a bot dials in."""

    text: str
    """as libzmq takes it"""
    kind: Literal["tcp", "ipc"]
    local: bool
    """only programs on this machine can reach it: ipc, or tcp on a loopback address or `localhost`"""

    @property
    def curve(self) -> bool:
        """True when nobody may come in without CURVE, because the endpoint can be reached from elsewhere."""
        return not self.local

    def resolved(self, folder: Path) -> "Endpoint":
        """The same endpoint with a relative ipc path taken from `folder`; EndpointFault when it grows too long."""
        if self.kind == "tcp":
            return self
        return parse_endpoint(f"ipc://{folder / self.text.removeprefix('ipc://')}", binding=True)


DEFAULT = Endpoint("tcp://127.0.0.1:7464", "tcp", local=True)
"""Where the arena listens, and what join files name, when nothing else was ever said."""


def parse_endpoint(text: str, *, binding: bool) -> Endpoint:
    """Read an endpoint to listen on (`binding`) or to dial; only the former takes host `*` and port 0 or `*`.

    EndpointFault says in one line what is wrong and what would be right.
    """
    quoted = f"'{shown(text, 100)}'"
    if len(text) > _MOST_TEXT or not text.isprintable():
        raise EndpointFault(f"{quoted} is too long or holds characters that do not print; {_FORMS}")
    scheme, colon, rest = text.partition("://")
    if not colon:
        raise EndpointFault(f"{quoted} is no endpoint; {_FORMS}")
    if scheme == "tcp":
        return _tcp(text, rest, quoted, binding)
    if scheme == "ipc":
        return _ipc(text, rest, quoted)
    raise EndpointFault(f"{quoted}: the arena speaks tcp and ipc only; {_FORMS}")


def host_and_port(text: str) -> tuple[str, str]:
    """The two halves of `HOST:PORT`, an IPv6 address without its brackets; EndpointFault when there are none."""
    host, colon, port = text.rpartition(":")
    if not (colon and host and port):
        raise EndpointFault(
            f"'{shown(text, 100)}' has no port; write tcp://HOST:PORT, such as tcp://127.0.0.1:7464"
        )
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
        if ":" not in host:
            raise EndpointFault(f"'{shown(text, 100)}': only an IPv6 address stands in brackets")
    elif ":" in host:
        raise EndpointFault(f"'{shown(text, 100)}': an IPv6 address stands in brackets, such as [::1]:7464")
    return host, port


def _tcp(text: str, rest: str, quoted: str, binding: bool) -> Endpoint:
    host, port = host_and_port(rest)
    if port == "*":
        if not binding:
            raise EndpointFault(f"{quoted}: nobody can dial port *; write the number of the port")
    elif not (re.fullmatch(r"0|[1-9][0-9]{0,4}", port) and int(port) <= 65535):
        raise EndpointFault(f"{quoted}: a port is a whole number from 1 to 65535")
    elif port == "0" and not binding:
        raise EndpointFault(f"{quoted}: nobody can dial port 0; write the number of the port")
    if host == "*":
        address = None
    elif re.fullmatch(r"[0-9.]+", host) or ":" in host:
        address = _address(host, quoted)
    else:
        return _named(text, host, quoted, binding)
    if address is None or address.is_unspecified:
        if not binding:
            raise EndpointFault(
                f"{quoted}: {host} is every address of the arena's machine; write the one that bots dial"
            )
        return Endpoint(text, "tcp", local=False)
    # "[::1%eth0]" and "[::ffff:127.0.0.1]" are loopback to some systems only, so they count as remote
    loopback = (
        address in ipaddress.IPv4Network("127.0.0.0/8")
        if address.version == 4
        else address == ipaddress.IPv6Address("::1")
    )
    return Endpoint(text, "tcp", local=loopback)


def _address(host: str, quoted: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        raise EndpointFault(f"{quoted}: {host} is no IP address; such as 127.0.0.1 or [::1]") from None


def _named(text: str, host: str, quoted: str, binding: bool) -> Endpoint:
    if host.lower() == "localhost":
        return Endpoint(text, "tcp", local=True)
    if not _HOST_NAME.fullmatch(host):
        raise EndpointFault(f"{quoted}: {host} is no name of a host; {_FORMS}")
    if binding:
        raise EndpointFault(
            f"{quoted}: listen on an IP address of this machine, or on * for all of them, not on a name"
        )
    return Endpoint(text, "tcp", local=False)


def _ipc(text: str, path: str, quoted: str) -> Endpoint:
    if path.startswith("@"):
        raise EndpointFault(
            f"{quoted}: anyone on this machine may use an abstract name; write the path of a socket"
        )
    if path.endswith(("/", "/.", "/..")) or path in ("", ".", "..", "*"):
        raise EndpointFault(f"{quoted}: no name of a socket; write such as ipc:///run/donuts/arena.sock")
    size = len(os.fsencode(path))
    if size > MOST_PATH:
        raise EndpointFault(
            f"{quoted}: a path of {size} bytes, and a socket takes {MOST_PATH} at most; use a shorter one"
        )
    return Endpoint(text, "ipc", local=True)
