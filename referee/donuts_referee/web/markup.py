"""Text that strangers wrote, made fit for a page: for HTML, for a script, for the name of a file."""

import json
import re
import unicodedata
from collections.abc import Collection
from html import escape

from donuts_protocol.escape import shown

__all__ = [
    "GENERATOR",
    "NARROW",
    "Html",
    "cells",
    "element",
    "fill",
    "page",
    "readable",
    "script",
    "slug",
    "table",
    "wide",
]

NARROW = 4
"""columns of a table that a telephone shows whole"""

MOST = 24
"""Characters of a bot's name that go into the name of a file."""


class Html(str):
    """A piece of a page that is safe to put into one: its texts have been escaped."""

    __slots__ = ()


def readable(text: str) -> str:
    """The text with nothing in it that could hide or turn other text; what a record keeps escaped stays as it is."""
    return text if text.isprintable() else "".join([c if c.isprintable() else shown(c) for c in text])


def fill(value: object) -> Html:
    """A value as it stands between tags or in a quoted attribute: pieces as they are, all else escaped."""
    return value if isinstance(value, Html) else Html(escape(readable(str(value)), quote=True))


def element(tag: str, *content: object, **attributes: object) -> Html:
    """An element with its content; `class_` is the attribute class, `_` in a name `-`, None leaves an attribute out."""
    words = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{fill(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Html(f"<{tag}{words}>{''.join(map(fill, content))}</{tag}>")


def cells(*values: object) -> Html:
    """The cells of one row of a table; numbers stand to the right."""
    return Html(
        "".join(
            element("td", value, class_="number" if isinstance(value, (int, float)) else None)
            for value in values
        )
    )


def table(caption: str, heads: tuple[str, ...], rows: list[Html], words: Collection[str] = ()) -> Html:
    """A table that can be scrolled sideways on a narrow screen; `rows` are their cells.

    Heads stand to the right as numbers do, those of columns of `words` to the left.
    """
    head = element(
        "tr",
        *(element("th", one, scope="col", class_=None if one in words else "number") for one in heads),
    )
    body = Html("\n".join(element("tr", row) for row in rows))
    whole = element("table", element("caption", caption), element("thead", head), element("tbody", body))
    return wide(caption, whole, len(heads) > NARROW)


def wide(label: str, content: Html, hint: bool) -> Html:
    """Something that can be scrolled sideways; with a `hint` that it can where the screen is narrow."""
    told = element("p", "Wider than the screen? It scrolls sideways →", class_="hint") if hint else Html("")
    return Html(told + element("div", content, class_="wide", tabindex="0", role="region", aria_label=label))


def page(title: str, root: str, here: str, body: Html, scripts: tuple[str, ...] = ()) -> bytes:
    """A whole page; `root` leads to the folder of the site, `here` is the page's own file in the navigation."""
    links = [("index.html", "Standings"), ("games.html", "Games")]
    nav = [
        element("a", word, href=root + file, aria_current="page" if file == here else None)
        for file, word in links
    ]
    loaded = "".join(f'<script src="{root}{one}"></script>\n' for one in scripts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{GENERATOR}">\n'
        f"<title>{fill(title)}</title>\n"
        f'<link rel="stylesheet" href="{root}assets/site.css">\n{loaded}</head>\n<body>\n'
        f'<a class="skip" href="#main">To the content</a>\n'
        f'{element("nav", *nav, aria_label="pages")}\n<main id="main">\n{body}\n</main>\n</body>\n</html>\n'
    ).encode()


GENERATOR = "donuts-arena site"
"""Names a page as one of ours, which may be written anew."""


def script(call: str, *values: object) -> bytes:
    """A line of JavaScript that calls a function with plain values; ASCII alone, and nothing that ends a script."""
    given = ",".join(
        json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
        for value in values
    )
    return f"{call}({given});\n".encode("ascii")


def slug(text: str) -> str:
    """A name as a part of a file's name on any system: small letters, digits and `-`; "" when nothing is left."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain[: 4 * MOST])[:MOST].strip("-")
