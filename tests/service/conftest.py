"""What the tests of the service share: a conversation held at once, in either encoding, and the golden games."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from donuts_protocol.messages import Message
from donuts_referee.service.conversation import RulesService
from service.speech import answers_in_msgpack, answers_in_text, in_msgpack, in_text

GOLDEN = Path(__file__).parent.parent / "golden" / "games.jsonl"

Ask = Callable[[str], Message]


@pytest.fixture(params=["text", "msgpack"])
def converse(request: pytest.FixtureRequest) -> Callable[[list[str]], list[Message]]:
    """Queries, written as text, to answers, by way of either encoding."""
    write, read = (in_text, answers_in_text) if request.param == "text" else (in_msgpack, answers_in_msgpack)

    def held(queries: list[str]) -> list[Message]:
        service = RulesService()
        said = service.receive(write(queries))
        assert service.receive_eof() == b""
        assert service.status == 0
        return read(said)

    return held


@pytest.fixture
def ask() -> Ask:
    """One line to the one answer."""

    def asked(line: str) -> Message:
        service = RulesService()
        (answer,) = answers_in_text(service.receive(in_text([line])))
        return answer

    return asked


@pytest.fixture(scope="session")
def golden() -> list[dict]:
    return [json.loads(line) for line in GOLDEN.read_text("ascii").splitlines()]
