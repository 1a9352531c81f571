"""What a bot wrote, made safe for a terminal, a log or a web page: nothing in it can move a cursor or hide text."""

SHOWN_LIMIT = 200
"""Characters of a bot's line that a person is shown unless more is asked for."""


def shown(data: bytes | str, limit: int | None = SHOWN_LIMIT) -> str:
    """`data` as one line of harmless text, cut to `limit` characters (None: whole) with `...` at the cut.

    Printable characters stay as they are. A backslash is doubled; control characters and bytes that are no UTF-8
    appear as `\\xNN`, all else that does not print (bidi controls, line separators, surrogates) as `\\uNNNN` or
    `\\UNNNNNNNN`, so that the original can be told from the text.
    """
    if limit is not None:
        data = data[: 4 * limit + 4]
    text = data if isinstance(data, str) else data.decode("utf-8", "surrogateescape")
    if not (text.isascii() and text.isprintable() and "\\" not in text):
        text = "".join([_shown_character(c) for c in text])
    return text if limit is None or len(text) <= limit else text[: max(0, limit - 3)] + "..."


def _shown_character(c: str) -> str:
    if c == "\\":
        return "\\\\"
    if c.isprintable():
        return c
    code = ord(c)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8, as surrogateescape hands it over
        code -= 0xDC00
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
