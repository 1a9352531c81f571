"""Reads the pages of a site: their tags and their text."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path


class Tags(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "input", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def pages(site: Path) -> Iterator[tuple[Path, Tags]]:
    for path in sorted(site.rglob("*.html")):
        yield path, Tags(path.read_text("utf-8"))
