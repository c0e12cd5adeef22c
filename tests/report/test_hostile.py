"""Reports whose every text is hostile, through every renderer: each is shown, and acts on none of its readers."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from itertools import cycle
from pathlib import Path as File
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kubectl_applylint.cli.show import RENDERERS, TARGETS
from kubectl_applylint.config.configuration import Format
from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.outcome import (
    Change,
    Confidence,
    Conflict,
    FieldError,
    Level,
    Outcome,
    Owner,
    OwnerChange,
    Provenance,
    Verdict,
    Why,
)
from kubectl_applylint.core.paths import ByKey, ByValue, Field, Path
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.safe_text import Target, page
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.model import Applicability, Certainty, Related, Remark, Report, Skip, Suppressed
from kubectl_applylint.lint.model import LiveAssumption as Live
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.review.markdown import LIMIT
from tests.core.test_safe_text import ODD
from tests.readers import commands, sections, steering
from tests.report.markdown_reader import is_balanced
from tests.report.markdown_reader import render_markdown as html_of
from tests.report.samples import FINDING, document

pytestmark = pytest.mark.slow

DATA = File(__file__).parent / "formats" / "data"
LINE = "INJECTED"
"""Stands behind each line break of a value: a line that begins with it is one that the value has made."""
MARKUP = [
    *(
        "@octocat",
        "a@b.example",
        "#12",
        "GH-7",
        "www.evil.example",
        "https://evil.example",
        "![a](https://evil.example/b)",
    ),
    *(
        "<img src=x>",
        "</code>",
        "<!--",
        "|",
        "`",
        "```",
        "[a](https://evil.example)",
        "**",
        "\n# heading",
        "~~",
        "&lt;",
        "$x$",
    ),
    *(
        "</details>",
        "\n\n| a | b |\n",
        "[a]: https://evil.example",
        "<a@b.example>",
        "1. ",
        "- ",
        "=== ",
        "]]>",
        '"',
        "'",
    ),
]
hostile = st.lists(st.sampled_from([*ODD, *MARKUP]) | st.text(max_size=2), max_size=5).map(
    lambda parts: re.sub("([\n\r])", rf"\1{LINE} ", "".join(parts))
)
QUICK = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], deadline=None)
FORMS = [(command, form) for command, forms in RENDERERS.items() for form in forms]


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Return a report of one of everything, in which each text is one of three hostile ones."""

    pool = cycle(draw(st.lists(hostile, min_size=3, max_size=3)))

    def text() -> str:
        return next(pool)

    ref = ObjectRef(text(), text(), text(), text())
    path: Path = (Field(text()), ByKey(((text(), text()),)), ByValue(text()))
    location = Location(text(), Span(1, 1, 1, 2))
    finding = replace(
        FINDING,
        ref=ref,
        path=path,
        location=location,
        message=text(),
        related=(Related(Location(text(), Span(1, 1, 1, 2)), text()),),
        applies=(Applicability(Live.FRESH, Certainty.MAY, text()), Applicability(Live.UPGRADE, Certainty.MUST)),
    )
    owner = Owner(text(), "Update", text())
    outcome = Outcome(
        ref,
        draw(st.sampled_from(Verdict)),
        changes=(Change(path, text(), {text(): text()}, Provenance(draw(st.sampled_from(Why)), text())),),
        errors=(FieldError(text(), text(), text()),),
        conflicts=draw(st.sampled_from([(), (Conflict(path, owner, text()),)])),
        owner_changes=(OwnerChange(path, (owner,), ()),),
        warnings=(text(),),
        remedy=text(),
        renamed_from=replace(ref, name=text()),
        confidence=Confidence(Level.LOW, (text(),)),
    )
    return Report(
        findings=(finding,) * 12,
        outcomes=((replace(document(ref, {}), file=text()), outcome),),
        skips=(Skip(("rule",), ref, text()),),
        problems=(Problem(text(), text(), text()),),
        notes=(text(),),
        suppressed=(Suppressed(finding, text()),),
        remarks=(Remark(location, text()),),
        checked=1,
    )


def render_report(report: Report, command: str, form: Format, *, verbose: bool = False) -> str:
    """Return what is written in a form."""
    module, _, name = RENDERERS[command][form].rpartition(".")
    render = getattr(import_module(f"kubectl_applylint.report.{module}"), name)
    file = report.findings[0].location.file
    context = Context(command=command, verbose=verbose, sources={file: (report.notes[0],)})
    return page(render(report, context), TARGETS.get(form, Target.TEXT))


@pytest.mark.parametrize(("command", "form"), FORMS)
@given(reports(), st.booleans())
@QUICK
def test_no_form_acts_on_a_terminal_or_on_a_runner(command: str, form: Format, report: Report, verbose: bool) -> None:
    shown = render_report(report, command, form, verbose=verbose)
    meant = re.compile("::(?:error|warning|notice) " if form is Format.GITHUB else "(?!)")

    assert steering(shown) == []
    assert sections(shown) == []
    assert [line for line in commands(shown) if not meant.match(line)] == []


@pytest.mark.parametrize(("command", "form"), [each for each in FORMS if each[1] not in TARGETS])
@given(reports(), st.booleans())
@QUICK
def test_no_value_makes_a_line_of_its_own(command: str, form: Format, report: Report, verbose: bool) -> None:
    shown = render_report(report, command, form, verbose=verbose)

    assert [line for line in shown.split("\n") if line.strip().startswith(LINE)] == []


@given(reports())
@QUICK
def test_github_gets_as_many_commands_as_there_are_annotations(report: Report) -> None:
    spans = (Span(line, 1, line, 2) for line in range(1, len(report.findings) + 1))
    places = (replace(report.findings[0].location, span=span) for span in spans)
    findings = (replace(one, location=place) for one, place in zip(report.findings, places, strict=True))
    report = replace(report, findings=tuple(findings))
    lines = render_report(report, "check", Format.GITHUB).split("\n")
    properties = [line.split("::")[1] for line in lines if line.startswith("::")]

    assert len(properties) == 10
    assert all(re.fullmatch(r"error (?:[a-zA-Z]+=[^,:\r\n]*,?)+", each) for each in properties)


class Elements(HTMLParser):
    """The elements of a page, and its text: each element's on lines of its own, as pages look for names in each."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.is_code = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.is_code = tag == "pre" or (tag == "code" and self.is_code)
        self.found.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.text += "\n"

    def handle_endtag(self, tag: str) -> None:
        self.is_code = False
        self.text += "\n"

    def handle_data(self, data: str) -> None:
        # In blocks of code no page looks for names.
        self.text += "" if self.is_code else data


OURS = frozenset(["h3", "p", "strong", "b", "sub", "code", "pre", "blockquote", "details", "summary", "ul", "li"])


@pytest.mark.parametrize("command", ["check", "plan"])
@given(reports(), st.booleans(), st.booleans())
@QUICK
def test_markdown_shows_text_as_text(command: str, report: Report, verbose: bool, by_units: bool) -> None:
    root = report.notes[0]
    units = (UnitReport(root, root, root, root, root, applies=1), UnitReport("b", "folder", "kubectl"))
    findings = tuple(replace(finding, units=(root,)) for finding in report.findings)
    found = replace(report, units=units, findings=findings) if by_units else report
    text = render_report(found, command, Format.MARKDOWN, verbose=verbose)
    page = Elements(html_of(text))

    assert page.found <= OURS
    assert page.attributes <= {"open", "lang"}
    assert re.findall(r"@\w|#\d|\bGH-\d", page.text) == []
    assert is_balanced(text)
    assert len(text.encode("utf-16-le")) // 2 <= LIMIT
    assert text.startswith(f"<!-- applylint:{command} -->\n")
    assert text.count("<!-- applylint") == 1
    assert [line for line in text.split("\n") if line.startswith("/")] == []


@pytest.mark.parametrize("command", ["check", "plan"])
@given(reports())
@QUICK
def test_junit_is_valid(command: str, report: Report) -> None:
    text = render_report(report, command, Format.JUNIT)
    ElementTree.fromstring(text)

    assert junit_schema().is_valid(text)


@cache
def junit_schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(str(DATA / "junit-10.xsd"))


@cache
def validator(file: str) -> jsonschema.Draft4Validator:
    return jsonschema.Draft4Validator(json.loads((DATA / file).read_text(encoding="utf-8")))


def _texts(value: object) -> Iterator[str]:
    match value:
        case {"text": str(text), **more}:
            yield text
            yield from _texts(more)
        case dict():
            for held in value.values():
                yield from _texts(held)
        case list():
            for held in value:
                yield from _texts(held)


@given(reports())
@QUICK
def test_rdjsonl_is_one_valid_line_for_equal_findings(report: Report) -> None:
    lines = render_report(report, "check", Format.RDJSONL).splitlines()

    assert len(lines) == 1
    assert all(validator("rdf-diagnostic.json").is_valid(json.loads(line)) for line in lines)


@given(reports())
@QUICK
def test_sarif_is_valid_and_has_no_links(report: Report) -> None:
    log = json.loads(render_report(report, "check", Format.SARIF))
    validator("sarif-schema-2.1.0.json").validate(log)
    places = [place["physicalLocation"] for result in log["runs"][0]["results"] for place in result["locations"]]

    assert all(re.fullmatch(r"(?:[\w./~-]|%[0-9A-F]{2}|^file:)+", each["artifactLocation"]["uri"]) for each in places)
    assert [text for text in _texts(log) if re.search(r"(?<!\\)\[[^\[\]]*\]\(", text)] == []


@given(reports())
@QUICK
def test_json_holds_what_the_report_holds(report: Report) -> None:
    report_json = json.loads(render_report(report, "check", Format.JSON))
    as_data = json.loads(json.dumps([report.findings[0].message, report.notes[0]]))

    assert [report_json["findings"][0]["message"], report_json["notes"][0]] == as_data
