"""The line of every key: documents that know where their keys stand, in all the forms that TOML has for them."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.toml_lines import At, Lines

TEXT = """\
# a comment with [brackets] and keys = 1
name = "spring"
a.b = 1
a . "c.d" = 2   # [x]
deep = [ 1, # one ]
  [2,
   3], { k = 1, 'l' = [
4 ] } ]
long = \"\"\"
not = 1
[nor.this]
\\\""" \"""\"\"
raw = '''
[[bot]]
it''s'''''
[format]
kind = "swiss"
[[bot]]
name = "x"
[bot.env]
A = "1"
[[bot]]
  limits = { memory = 1, files.most = 2 }

[[bot.more]]
[[bot.more]]
z = 1
[p.q]
y = 1
[p]
"""

PLACES: dict[At, int] = {
    ("name",): 2,
    ("a",): 3,
    ("a", "b"): 3,
    ("a", "c.d"): 4,
    ("deep",): 5,
    ("deep", 0): 5,
    ("deep", 1): 6,
    ("deep", 1, 0): 6,
    ("deep", 1, 1): 7,
    ("deep", 2): 7,
    ("deep", 2, "l", 0): 8,
    ("long",): 9,
    ("raw",): 13,
    ("format",): 16,
    ("format", "kind"): 17,
    ("bot",): 18,
    ("bot", 0): 18,
    ("bot", 0, "env"): 20,
    ("bot", 0, "env", "A"): 21,
    ("bot", 1): 22,
    ("bot", 1, "limits", "memory"): 23,
    ("bot", 1, "limits", "files", "most"): 23,
    ("bot", 1, "more", 0): 25,
    ("bot", 1, "more", 1, "z"): 27,
    ("p",): 30,
    ("p", "q"): 28,
    ("p", "q", "y"): 29,
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_form_has_its_line(newline: str) -> None:
    text = TEXT.replace("\n", newline)
    tomllib.loads(text)
    lines = Lines(text)
    assert {at: lines.line(at) for at in PLACES} == PLACES


def test_what_is_not_there_has_the_line_of_the_table_around_it() -> None:
    lines = Lines(TEXT)
    assert lines.line(("bot", 1, "run")) == 22
    assert lines.line(("format", "kind", "deeper")) == 17
    assert lines.line(("nothing",)) == lines.line(()) == Lines("").line(("a",)) == 1


def test_what_is_nested_too_deeply_has_the_line_of_what_is_around_it() -> None:
    lines = Lines("\na = " + "[" * 5000 + "]" * 5000)
    assert lines.line(("a",)) == 2


# --- documents that know ------------------------------------------------------------------------------------------

QUOTED = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=5)
NAMES = st.one_of(st.text("abAB12_-", min_size=1, max_size=3), QUOTED)
SCALARS = st.sampled_from(
    [
        "1", "-0.5", "true", "1979-05-27 07:32:00", "'[x] # = \"'", '"\\"]} # \\\\"', '""', "''",
        '"""\n[a]\n"b" = """""',
        "'''\n#\n'''''", '"""\\\n  x"""', "''''a'''", "inf",
    ]
)  # fmt: skip
GAPS = st.sampled_from(["", " ", "\t"])
BREAKS = st.sampled_from(["", " ", "\n", '# ]},= "\n', "\n\n  "])


@dataclass
class Document:
    """A text as it grows, and where each key of it stands."""

    text: str = ""
    places: dict[At, int] = field(default_factory=dict)

    def write(self, text: str) -> None:
        self.text += text

    def note(self, at: At) -> None:
        """What is written next is `at`."""
        self.places[at] = self.text.count("\n") + 1


def _spelled(draw: st.DrawFn, name: str) -> str:
    bare = name.isascii() and name and all(c.isalnum() or c in "_-" for c in name)
    if bare and draw(st.booleans()):
        return name
    if "'" not in name and draw(st.booleans()):
        return f"'{name}'"
    escaped = "".join(f"\\u{ord(c):04x}" if c in '"\\' else c for c in name)
    return f'"{escaped}"'


def _value(draw: st.DrawFn, document: Document, at: At, depth: int) -> None:
    kind = draw(st.sampled_from(["scalar"] * 3 + ["array", "inline"])) if depth else "scalar"
    if kind == "scalar":
        document.write(draw(SCALARS))
    elif kind == "array":
        document.write("[" + draw(BREAKS))
        count = draw(st.integers(0, 3))
        for number in range(count):
            document.note((*at, number))
            _value(draw, document, (*at, number), depth - 1)
            document.write(
                draw(BREAKS) + ("," if number < count - 1 or draw(st.booleans()) else "") + draw(BREAKS)
            )
        document.write("]")
    else:
        document.write("{" + draw(GAPS))
        for number, name in enumerate(draw(st.lists(NAMES, unique=True, max_size=3))):
            document.write(", " if number else "")
            _pair(draw, document, at, name, depth - 1)
        document.write(draw(GAPS) + "}")


def _pair(draw: st.DrawFn, document: Document, at: At, name: str, depth: int) -> None:
    parts = [name, *draw(st.lists(NAMES, max_size=2))]
    for end in range(1, len(parts) + 1):
        document.note((*at, *parts[:end]))
    document.write(f"{draw(GAPS)}.{draw(GAPS)}".join(_spelled(draw, part) for part in parts))
    document.write(draw(GAPS) + "=" + draw(GAPS))
    _value(draw, document, (*at, *parts), depth)


def _pairs(draw: st.DrawFn, document: Document, at: At, names: Iterator[str]) -> None:
    for _ in range(draw(st.integers(0, 3))):
        document.write(draw(BREAKS))
        _pair(draw, document, at, next(names), 2)
        document.write(draw(st.sampled_from(["\n", " # = [\n"])))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    names = iter(draw(st.lists(NAMES, unique=True, min_size=30, max_size=30)))
    document = Document()
    _pairs(draw, document, (), names)
    for _ in range(draw(st.integers(0, 4))):
        document.write(draw(BREAKS))
        parts = [next(names) for _ in range(draw(st.integers(1, 2)))]
        spelled = f"{draw(GAPS)}.{draw(GAPS)}".join(_spelled(draw, part) for part in parts)
        if draw(st.booleans()):
            for end in range(1, len(parts) + 1):
                document.note(tuple(parts[:end]))
            document.write(f"[{draw(GAPS)}{spelled}{draw(GAPS)}]\n")
            _pairs(draw, document, tuple(parts), names)
            continue
        for number in range(draw(st.integers(1, 2))):
            at = (*parts, number)
            for end in range(1, len(at) + 1):
                if at[:end] not in document.places:
                    document.note(at[:end])
            document.write(f"[[{draw(GAPS)}{spelled}{draw(GAPS)}]]\n")
            _pairs(draw, document, at, names)
            if draw(st.booleans()):
                below = next(names)
                document.note((*at, below))
                document.write(f"[{spelled}.{_spelled(draw, below)}]\n")
    return document


def _leaves(value: object, at: At = ()) -> Iterator[At]:
    if isinstance(value, dict):
        for key, below in value.items():
            yield from _leaves(below, (*at, key))
    elif isinstance(value, list):
        for place, below in enumerate(value):
            yield from _leaves(below, (*at, place))
    if at:
        yield at


@given(documents())
def test_no_line_is_wrong(document: Document) -> None:
    assert set(_leaves(tomllib.loads(document.text))) == set(document.places)
    lines = Lines(document.text)
    assert {at: lines.line(at) for at in document.places} == document.places
