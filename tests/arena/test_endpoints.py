"""What an endpoint may be, whom it lets in, and that nothing else gets through."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.endpoints import DEFAULT, Endpoint, EndpointFault, host_and_port, parse_endpoint


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("tcp://127.0.0.1:7464", True),
        ("tcp://127.9.9.9:1", True),
        ("tcp://localhost:7464", True),
        ("tcp://LocalHost:7464", True),
        ("tcp://[::1]:65535", True),
        ("tcp://128.0.0.1:7464", False),
        ("tcp://10.0.0.1:7464", False),
        ("tcp://[fe80::1%eth0]:7464", False),
        ("tcp://[::1%eth0]:7464", False),
        ("tcp://[::ffff:127.0.0.1]:7464", False),
        ("ipc:///run/donuts/arena.sock", True),
        ("ipc://arena.sock", True),
        ("ipc:///tmp/a folder/ü", True),
    ],
)
def test_what_can_be_listened_on_and_dialled(text: str, local: bool) -> None:
    for binding in (True, False):
        endpoint = parse_endpoint(text, binding=binding)
        assert endpoint == Endpoint(text, "ipc" if text.startswith("ipc") else "tcp", local)
        assert endpoint.curve is not local


@pytest.mark.parametrize("host", ["*", "0.0.0.0", "[::]"])
def test_every_address_is_for_listening_only_and_needs_curve(host: str) -> None:
    assert parse_endpoint(f"tcp://{host}:7464", binding=True).curve
    with pytest.raises(EndpointFault, match="every address"):
        parse_endpoint(f"tcp://{host}:7464", binding=False)


@pytest.mark.parametrize("port", ["0", "*"])
def test_a_port_that_the_system_chooses_is_for_listening_only(port: str) -> None:
    assert parse_endpoint(f"tcp://127.0.0.1:{port}", binding=True).local
    with pytest.raises(EndpointFault, match="nobody can dial port"):
        parse_endpoint(f"tcp://127.0.0.1:{port}", binding=False)


def test_a_name_of_a_host_is_for_dialling_only() -> None:
    assert parse_endpoint("tcp://arena.example:7464", binding=False).curve
    with pytest.raises(EndpointFault, match="IP address of this machine"):
        parse_endpoint("tcp://arena.example:7464", binding=True)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("", "no endpoint"),
        ("127.0.0.1:7464", "write tcp://HOST:PORT"),
        ("inproc://x", "tcp and ipc only"),
        ("udp://127.0.0.1:1", "tcp and ipc only"),
        ("ws://127.0.0.1:1", "tcp and ipc only"),
        ("TCP://127.0.0.1:1", "tcp and ipc only"),
        ("tcp://", "HOST:PORT"),
        ("tcp://127.0.0.1", "HOST:PORT"),
        ("tcp://127.0.0.1:", "HOST:PORT"),
        ("tcp://:7464", "HOST:PORT"),
        ("tcp://::1:7464", "brackets"),
        ("tcp://[127.0.0.1]:7464", "brackets"),
        ("tcp://127.0.0.1:65536", "1 to 65535"),
        ("tcp://127.0.0.1:-1", "1 to 65535"),
        ("tcp://127.0.0.1:07464", "1 to 65535"),
        ("tcp://127.0.0.1:７", "1 to 65535"),
        ("tcp://127.0.0.1:7464\n", "do not print"),
        ("tcp://127.1:7464", "no IP address"),
        ("tcp://1.2.3.400:7464", "no IP address"),
        ("tcp://eth0;127.0.0.1:7464", "no name of a host"),
        ("tcp://a b:7464", "no name of a host"),
        ("tcp://-a:7464", "no name of a host"),
        ("tcp://user@host:7464", "no name of a host"),
        ("ipc://", "no name of a socket"),
        ("ipc://*", "no name of a socket"),
        ("ipc:///tmp/", "no name of a socket"),
        ("ipc:///tmp/..", "no name of a socket"),
        ("ipc://@arena", "abstract"),
        ("ipc:///" + "a" * 100, "101 bytes"),
        ("ipc:///" + "ü" * 50, "101 bytes"),
        ("ipc:///tmp/\x1b[31m", "do not print"),
        ("ipc:///tmp/\udcff", "do not print"),
        ("ipc:///tmp/a\0b", "do not print"),
        ("tcp://" + "a." * 1_000_000 + "a:1", "too long"),
    ],
)
def test_a_fault_is_one_line_with_what_would_be_right(text: str, right: str) -> None:
    for binding in (True, False):
        with pytest.raises(EndpointFault) as caught:
            parse_endpoint(text, binding=binding)
        said = str(caught.value)
        assert right in said
        assert said.isprintable() and len(said) < 400


def test_a_path_of_100_bytes_is_the_longest() -> None:
    assert parse_endpoint("ipc:///" + "a" * 99, binding=True).local


def test_a_relative_socket_is_taken_from_a_folder() -> None:
    there = parse_endpoint("ipc://run/a.sock", binding=True).resolved(Path("/srv/arena"))
    assert there.text == "ipc:///srv/arena/run/a.sock"
    assert there.resolved(Path("/elsewhere")) == there
    assert DEFAULT.resolved(Path("/srv")) == DEFAULT
    with pytest.raises(EndpointFault, match="a shorter one"):
        parse_endpoint("ipc://a.sock", binding=True).resolved(Path("/" + "x" * 100))


def test_the_default_can_be_dialled() -> None:
    assert parse_endpoint(DEFAULT.text, binding=False) == DEFAULT


def test_host_and_port_come_apart() -> None:
    assert host_and_port("[::1]:80") == ("::1", "80")
    assert host_and_port("localhost:80") == ("localhost", "80")


@given(
    st.one_of(st.text(), st.text().map("tcp://{}".format), st.text().map("ipc://{}".format)), st.booleans()
)
def test_any_text_is_an_endpoint_or_a_line(text: str, binding: bool) -> None:
    try:
        endpoint = parse_endpoint(text, binding=binding)
    except EndpointFault as fault:
        assert str(fault).isprintable()
    else:
        assert endpoint.text == text and endpoint.text.isprintable()


@given(st.ip_addresses(v=4), st.integers(1, 65535))
def test_exactly_127_is_local(address: object, port: int) -> None:
    endpoint = parse_endpoint(f"tcp://{address}:{port}", binding=True)
    assert endpoint.local == str(address).startswith("127.")
