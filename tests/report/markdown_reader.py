"""Reads Markdown as a page does: its HTML, its blocks of code, and whether folds are closed."""

from html.parser import HTMLParser

import cmarkgfm

UNSAFE = 1 << 17
"""cmark's option that leaves HTML in the page."""
_VOID = ("br", "hr", "img")


def render_markdown(text: str) -> str:
    """Return the HTML of a page in GitHub's Markdown."""
    html: str = cmarkgfm.github_flavored_markdown_to_html(text, UNSAFE)
    return html


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.is_balanced = True
        self.blocks: list[tuple[str, str]] = []
        self.feed(render_markdown(text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            self.open.append(tag)
            self.blocks.append(("block of code" if self.open[-2:] == ["pre", "code"] else tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self.is_balanced &= bool(self.open) and self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.blocks:
            kind, text = self.blocks[-1]
            self.blocks[-1] = (kind, text + data)


def is_balanced(text: str) -> bool:
    """Return whether every element of the page ends where it should."""
    page = _Page(text)
    return page.is_balanced and not page.open


def blocks(text: str) -> list[tuple[str, str]]:
    """Return the elements of the page, and the text at the beginning of each."""
    return _Page(text).blocks
