"""Splits a command line into words as the system does it: POSIX shells here, the C runtime of Windows there."""

import os
import shlex


def split(text: str, *, windows: bool = os.name == "nt") -> tuple[str, ...]:
    """The words of `text`; ValueError says what is wrong with its quotes."""
    if windows:
        return split_windows(text)
    try:
        return tuple(shlex.split(text))
    except ValueError as fault:
        raise ValueError(
            "a quote is not closed" if "quotation" in str(fault) else "it ends in a backslash"
        ) from None


def split_windows(text: str) -> tuple[str, ...]:
    r"""The words of `text` by the rules of Microsoft's C runtime, which programs on Windows apply to their line.

    Blanks and tabs part words outside of double quotes. 2n backslashes before a quote are n backslashes and the quote
    counts; 2n+1 are n backslashes and a plain quote; elsewhere a backslash is a backslash. `""` within quotes is a
    quote. Source: "Parsing C command-line arguments", Microsoft Learn. An open quote at the end is a ValueError here.
    """
    words: list[str] = []
    word: list[str] | None = None
    quoted = False
    at, end = 0, len(text)
    while at < end:
        letter = text[at]
        if letter in " \t" and not quoted:
            if word is not None:
                words.append("".join(word))
                word = None
            at += 1
            continue
        word = [] if word is None else word
        slashes = 0
        while at < end and text[at] == "\\":
            slashes += 1
            at += 1
        if at == end or text[at] != '"':
            word.append("\\" * slashes)
            if slashes == 0:
                word.append(letter)
                at += 1
            continue
        word.append("\\" * (slashes // 2))
        if slashes % 2:
            word.append('"')
        elif quoted and text[at + 1 : at + 2] == '"':
            word.append('"')
            at += 1
        else:
            quoted = not quoted
        at += 1
    if quoted:
        raise ValueError("a quote is not closed")
    if word is not None:
        words.append("".join(word))
    return tuple(words)
