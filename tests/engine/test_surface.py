"""What `import donuts_engine` offers, and that it stays light."""

import subprocess
import sys

import donuts_engine


def test_every_public_name_is_there() -> None:
    assert donuts_engine.__all__ == sorted(donuts_engine.__all__, key=lambda name: (not name.isupper(), name))
    for name in donuts_engine.__all__:
        assert getattr(donuts_engine, name) is not None


def test_importing_it_loads_no_parser_and_no_clock() -> None:
    """A bot author waits for this import at every start: TOML, random and regular expressions wait for their use."""
    heavy = {"tomllib", "random", "asyncio", "msgspec", "json", "subprocess", "socket"}
    script = "import sys; before = set(sys.modules); import donuts_engine; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    loaded = set(done.stdout.split())
    assert "donuts_engine" in loaded
    assert loaded & heavy == set()
