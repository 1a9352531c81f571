"""Splitting a command line as POSIX shells and as Windows' C runtime do."""

import pytest

from donuts_referee.words import split


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("./mybot -x", ("./mybot", "-x")),
        ("  a\tb  ", ("a", "b")),
        ("'my bot' \"-o=a b\"", ("my bot", "-o=a b")),
        ("a '' b", ("a", "", "b")),
        (r"a\ b", ("a b",)),
        ("a;rm b", ("a;rm", "b")),
        ("$HOME `x` *", ("$HOME", "`x`", "*")),
    ],
)
def test_posix(text: str, words: tuple[str, ...]) -> None:
    assert split(text, windows=False) == words


@pytest.mark.parametrize(("text", "said"), [("a 'b", "quote"), ('a "b', "quote"), ("a \\", "backslash")])
def test_posix_faults(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        split(text, windows=False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"C:\bots\my.exe -x", (r"C:\bots\my.exe", "-x")),
        (r'"C:\my bots\a.exe" -x', (r"C:\my bots\a.exe", "-x")),
        (r'"abc" d e', ("abc", "d", "e")),
        (r'a\\b d"e f"g h', (r"a\\b", "de fg", "h")),
        (r"a\\\"b c d", (r"a\"b", "c", "d")),
        (r'a\\\\"b c" d e', (r"a\\b c", "d", "e")),
        (r'a"b"" c d"', ('ab" c d',)),
        ('a "" b', ("a", "", "b")),
        ("it's", ("it's",)),
        ("a\\", ("a\\",)),
        ("", ()),
    ],
)
def test_windows(text: str, words: tuple[str, ...]) -> None:
    """The first rows are the examples of Microsoft's page on parsing C command-line arguments."""
    assert split(text, windows=True) == words


def test_windows_open_quote() -> None:
    with pytest.raises(ValueError, match="quote"):
        split('"C:\\my bots', windows=True)
