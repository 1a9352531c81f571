"""grammar.abnf: every line that is written matches, every line of a refused form does not."""

import json
from pathlib import Path
from typing import Any

import pytest

from donuts_protocol.fields import shape
from donuts_protocol.messages import FROM_BOT, FROM_REFEREE, SERVICE_ANSWERS, SERVICE_ASKS
from protocol.abnf import BadGrammar, Grammar

PROTOCOL = Path(__file__).parents[2] / "protocol"
GRAMMAR = Grammar((PROTOCOL / "grammar.abnf").read_text(encoding="ascii"))
RULES = {"bot": "bot-message", "referee": "referee-message", "asker": "query", "service": "service-answer"}

FORM = {"DBP-3.1", "DBP-3.3", "DBP-3.4", "DBP-3.6", "DBP-3.12"}
"""clauses about the form of a line, as opposed to its values"""
NOT_SAID = {
    "a key twice": "a grammar does not count keys",
    "the id as a field as well": "a grammar does not count keys",
    "escapes that are half a character": "escapes are not decoded",
    "escapes in an overlong form": "escapes are not decoded",
    "escapes beyond U+10FFFF": "escapes are not decoded",
    "pv with an escaped comma": "a value of its key",
    "hello with its name twice": "a grammar does not count keys",
    "error with a code in upper case": "a value of its key",
    "bye with a text that is too long": "a value of its key",
    "an invalid hello in a session": "a grammar does not know which fields are required",
}


def _vectors(name: str) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in (PROTOCOL / "vectors" / name).read_text(encoding="ascii").splitlines()
    ]


def test_every_rule_can_be_read() -> None:
    for rule in GRAMMAR.names:
        GRAMMAR.pattern(rule)


@pytest.mark.parametrize("vector", _vectors("messages.jsonl"), ids=lambda v: v["name"])
def test_golden_line_matches(vector: dict[str, Any]) -> None:
    line = vector["text"].encode("ascii")
    assert GRAMMAR.matches(RULES[vector["from"]], line)
    assert GRAMMAR.matches(vector["message"]["t"], line)
    for token in line.split(b" ")[1:]:
        key, equals, value = token.partition(b"=")
        if equals:
            assert GRAMMAR.matches(key.decode() + "-value", value), token


@pytest.mark.parametrize(
    "vector", [v for v in _vectors("acceptances.jsonl") if v["encoding"] == "text"], ids=lambda v: v["name"]
)
def test_accepted_line_matches(vector: dict[str, Any]) -> None:
    assert GRAMMAR.matches(RULES[vector["from"]], bytes.fromhex(vector["hex"]))


@pytest.mark.parametrize(
    "vector",
    [
        v
        for v in _vectors("refusals.jsonl")
        if v["encoding"] == "text" and (v["clause"] in FORM or v["expect"].get("turn") == "noise")
    ],
    ids=lambda v: v["name"],
)
def test_line_of_a_refused_form_does_not_match(vector: dict[str, Any]) -> None:
    line = bytes.fromhex(vector["hex"])
    matched = GRAMMAR.matches("bot-message", line)
    assert matched is (vector["name"] in NOT_SAID), "grammar.abnf says more or less than NOT_SAID thinks"


def test_values_out_of_bounds_do_not_match() -> None:
    for rule, value in (
        ("eval-value", b"1001"),
        ("eval-value", b"01"),
        ("eval-value", b"+1"),
        ("id-value", b""),
        ("id", b"-"),
        ("size-value", b"7"),
        ("rings-value", b"0"),
        ("rings-value", b"41"),
        ("ply-value", b"81"),
        ("layout-value", b"H" * 35),
        ("layout-value", b"H" * 80),
        ("cells-value", b"X" * 36),
        ("pv-value", b"a1,,b2"),
        ("pv-value", b",".join([b"a1"] * 82)),
        ("sq-value", b"E1"),
        ("sq-value", b"e0"),
        ("caps-value", b"Info"),
        ("name-value", b""),
        ("donuts-value", b"01-1"),
        ("donuts-value", b"1"),
        ("proof-value", b"WIN"),
        ("flips-value", b"a1+"),
        ("winner-value", b"X"),
    ):
        assert not GRAMMAR.matches(rule, value), (rule, value)


def test_lines_of_a_stream() -> None:
    for line in (b"", b"\r", b"#", b"# caf\xc3\xa9 \x00\xff", b"move 732 e1\r", b"bye"):
        assert GRAMMAR.matches("bot-line", line), line
    for line in (b" ", b"\r\r", b"move 732 e1\r\r", b" # a", b"\xef\xbb\xbfbye"):
        assert not GRAMMAR.matches("bot-line", line), line


def test_every_message_and_key_has_its_rule_and_no_other() -> None:
    forms = [shape(message) for message in FROM_BOT + FROM_REFEREE + SERVICE_ASKS + SERVICE_ANSWERS]
    keys = {field.key for form in forms for field in form.fields}
    assert {name.removesuffix("-value") for name in GRAMMAR.names if name.endswith("-value")} == keys
    for form in forms:
        sample = form.verb.encode() + b" 1" * bool(form.args) + b" e1" * (len(form.args) - 1)
        assert GRAMMAR.matches(form.verb, sample)
        assert not GRAMMAR.matches(form.verb, sample.upper())


def test_the_matcher_refuses_what_is_no_grammar() -> None:
    with pytest.raises(BadGrammar, match="needs itself"):
        Grammar("a = b\nb = [ a ]").pattern("a")
    with pytest.raises(BadGrammar, match="no rule c"):
        Grammar("a = c").pattern("a")
    with pytest.raises(BadGrammar, match="not closed"):
        Grammar('a = ( "x"').pattern("a")
    with pytest.raises(BadGrammar, match="two rules"):
        Grammar('a = "x"\na = "y"')
    grammar = Grammar('a = 2*3( "x" / %s"y" ) [ %x7A ]')
    assert [grammar.matches("a", data) for data in (b"xy", b"XyX", b"xxz")] == [True] * 3
    assert [grammar.matches("a", data) for data in (b"x", b"xY", b"xyxy", b"xyzz")] == [False] * 4
