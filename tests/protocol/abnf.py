"""A reader of ABNF (RFC 5234, with %s of RFC 7405) enough for grammars without recursion: rules become patterns.

`Grammar(text).matches(rule, data)` says whether all of `data` is what the rule describes.
"""

import re
from functools import cached_property

_CORE = """
ALPHA = %x41-5A / %x61-7A
CR = %x0D
DIGIT = %x30-39
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
LF = %x0A
OCTET = %x00-FF
SP = %x20
"""

_TOKEN = re.compile(
    rb"""[ \t]+|(?P<string>(?P<sensitive>%s)?"(?P<chars>[\x20-\x21\x23-\x7e]*)")
    |%x(?P<from>[0-9A-Fa-f]+)(?:-(?P<to>[0-9A-Fa-f]+)|(?P<more>(?:\.[0-9A-Fa-f]+)+))?
    |(?P<repeat>\d*\*\d*|\d+)(?=[^\d*])|(?P<rule>[A-Za-z][A-Za-z0-9-]*)|(?P<sign>[()\[\]/])""".replace(
        b"\n    ", b""
    )
)


class BadGrammar(ValueError):
    """The text is no grammar of the kind that is read here."""


class Grammar:
    """The rules of one ABNF text, and the core rules."""

    def __init__(self, text: str) -> None:
        self._sources = {**_rules(_CORE), **_rules(text)}
        self._patterns: dict[str, bytes] = {}
        self._underway: list[str] = []

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All rules by name."""
        return tuple(self._sources)

    def matches(self, rule: str, data: bytes) -> bool:
        """Whether `rule` describes the whole of `data`."""
        return re.fullmatch(self.pattern(rule), data, re.S) is not None

    def pattern(self, rule: str) -> bytes:
        """The rule as a regular expression; BadGrammar if it is missing, is no ABNF, or needs itself."""
        if rule in self._underway:
            raise BadGrammar(f"{rule} needs itself")
        if rule not in self._patterns:
            if rule not in self._sources:
                raise BadGrammar(f"there is no rule {rule}")
            self._underway.append(rule)
            self._patterns[rule] = b"(?:" + self._alternation(rule, self._sources[rule]) + b")"
            self._underway.pop()
        return self._patterns[rule]

    def _alternation(self, rule: str, source: str) -> bytes:
        out, repeat, at = [], b"", 0
        data = source.encode("ascii")
        while at < len(data):
            token = _TOKEN.match(data, at)
            if token is None:
                raise BadGrammar(f"{rule}: {source[at:]!r} is no ABNF")
            at = token.end()
            if token["repeat"]:
                repeat = _quantifier(token["repeat"])
                continue
            if token["sign"] in (b"(", b"["):
                depth, start = 1, at
                while depth:  # no grammar here has brackets inside strings
                    if at >= len(data):
                        raise BadGrammar(f"{rule}: a bracket is not closed")
                    depth += {ord("("): 1, ord("["): 1, ord(")"): -1, ord("]"): -1}.get(data[at], 0)
                    at += 1
                inner = b"(?:" + self._alternation(rule, source[start : at - 1]) + b")"
                out.append(inner + repeat + (b"" if token["sign"] == b"(" else b"?"))
            elif token["sign"] == b"/":
                out.append(b"|")
            elif token["sign"]:
                raise BadGrammar(f"{rule}: a bracket is not open")
            elif token["rule"]:
                out.append(self.pattern(token["rule"].decode()) + repeat)
            elif token["string"] is not None:
                literal = re.escape(token["chars"])
                out.append((b"(?:" if token["sensitive"] else b"(?i:") + literal + b")" + repeat)
            elif token["from"]:
                out.append(_numbers(token) + repeat)
            else:
                continue  # white space
            repeat = b""
        return b"".join(out)


def _numbers(token: re.Match[bytes]) -> bytes:
    first = rb"\x%02x" % int(token["from"], 16)
    if token["to"]:
        return b"[" + first + rb"-\x%02x" % int(token["to"], 16) + b"]"
    more = [rb"\x%02x" % int(part, 16) for part in (token["more"] or b"").split(b".") if part]
    return b"(?:" + first + b"".join(more) + b")"


def _quantifier(text: bytes) -> bytes:
    if b"*" not in text:
        return b"{" + text + b"}"
    low, high = text.split(b"*")
    return b"{" + (low or b"0") + b"," + high + b"}"


def _rules(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in text.split("\n"):
        line = re.sub(r'"[^"]*"|;.*', lambda m: m[0] if m[0][0] == '"' else "", line).rstrip()
        if not line:
            continue
        if line[0] == " " and name:
            found[name] += line
            continue
        head = re.fullmatch(r"([A-Za-z][A-Za-z0-9-]*)\s*(=/?)(.*)", line)
        if head is None:
            raise BadGrammar(f"{line!r} is no rule")
        name = head[1]
        if name in found:
            raise BadGrammar(f"two rules have the name {name}")
        found[name] = head[3]
    return found
