import re
from html.parser import HTMLParser

import pytest

from kubectl_applylint.core.safe_text import Target, page
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.html.page import html_page, policy_of
from tests.report.html.samples import CHECK, PLAN

VOID = {"meta", "input", "br", "img"}


class Reader(HTMLParser):
    """The elements of a page, and those that are not closed as they were opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


def written(report: Report, command: str) -> str:
    return page(html_page(report, Context(command=command)), Target.XML)


@pytest.fixture(
    name="text", params=[(PLAN, "plan"), (CHECK, "check"), (Report(), "plan")], ids=["plan", "check", "none"]
)
def _text(request: pytest.FixtureRequest) -> str:
    return written(*request.param)


def test_every_element_is_closed(text: str) -> None:
    reader = Reader()
    reader.feed(text)

    assert (reader.open, reader.faults) == ([], [])


def test_nothing_is_loaded_and_no_element_has_a_script_or_a_style(text: str) -> None:
    reader = Reader()
    reader.feed(text)
    links = [value for _, name, value in reader.attributes if name in ("href", "src", "action", "srcset", "data")]

    assert [link for link in links if not link.startswith("#")] == []
    assert [name for _, name, _ in reader.attributes if name.startswith("on") or name == "style"] == []
    assert "://" not in re.sub(r"<(style|script)>.*?</\1>", "", text, flags=re.DOTALL)


def test_names_of_elements_are_unique_and_links_lead_to_them(text: str) -> None:
    reader = Reader()
    reader.feed(text)
    names = [value for _, name, value in reader.attributes if name == "id"]
    wanted = [value for _, name, value in reader.attributes if name == "aria-labelledby"]
    links = [value.removeprefix("#") for _, name, value in reader.attributes if name == "href"]

    assert sorted(set(names)) == sorted(names)
    assert {*wanted, *links} <= {*names}


def test_the_policy_allows_what_is_written_and_nothing_else(text: str) -> None:
    style, script = (re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[0] for tag in ("style", "script"))
    policy = policy_of(style, script)

    assert f'content="{policy.replace(chr(39), "&#39;")}"' in text
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy


def test_the_same_report_gives_the_same_page() -> None:
    assert written(PLAN, "plan") == written(PLAN, "plan")


def test_a_value_is_escaped_and_has_no_invisible_characters() -> None:
    text = written(Report(notes=("<b>\u202e\x1b",)), "plan")

    assert "&lt;b&gt;\\u202e\\u001b" in text
