from collections.abc import Mapping
from datetime import date

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.paths import Path, fields, parse
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.hiding.waivers import (
    ANNOTATION,
    ParsedWaivers,
    Scope,
    Waiver,
    annotation_waivers,
    comment_waivers,
    field_pattern,
    file_pattern,
    resource_pattern,
)
from kubectl_applylint.lint.model import Finding, Remark, Severity

WEB = ObjectRef("apps/v1", "Deployment", "shop", "web")


def finding(rule: str = "port-lost", line: int = 3, path: Path = ()) -> Finding:
    return Finding(
        rule=rule,
        severity=Severity.ERROR,
        confidence="high",
        ref=WEB,
        path=path,
        location=Location("web.yaml", Span(line, 1, line, 2)),
        message="",
        fix="",
    )


def comment(rules: tuple[str, ...], line: int | None, reason: str, place: Span, until: str = "") -> ParsedWaivers:
    day = date.fromisoformat(until) if until else None
    return ParsedWaivers((Waiver(rules, Scope("a.yaml", line), Location("a.yaml", place), "comment", reason, day),))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a: 1  # applylint: ignore[x-y] why not", comment(("x-y",), 1, "why not", Span(1, 7, 1, 39))),
        ("# applylint: ignore[x-y]\na: 1", comment(("x-y",), 2, "", Span(1, 1, 1, 25))),
        ("  # applylint: ignore[x-y]\n  # more\na: 1", comment(("x-y",), 3, "", Span(1, 3, 1, 27))),
        ("#applylint: ignore[ x-y , z-z ] r", comment(("x-y", "z-z"), 2, "r", Span(1, 1, 1, 34))),
        ("a: 1\n# applylint: ignore-file[x-y] old", comment(("x-y",), None, "old", Span(2, 1, 2, 34))),
        ("# applylint: ignore-file vendored", comment((), None, "vendored", Span(1, 1, 1, 34))),
        ("# applylint: ignore[a] until 2026-12-31: goes", comment(("a",), 2, "goes", Span(1, 1, 1, 46), "2026-12-31")),
        ("# applylint: ignore[a] until 2026-12-31", comment(("a",), 2, "", Span(1, 1, 1, 40), "2026-12-31")),
        ("# applylint: ignore[a] until it goes", comment(("a",), 2, "until it goes", Span(1, 1, 1, 37))),
    ],
    ids=["on the line", "above", "above more comments", "two rules", "file and rule", "whole file", "until",
         "no reason", "no day"],
)  # fmt: skip
def test_a_comment_says_what_it_hides_why_and_how_long(text: str, wanted: ParsedWaivers) -> None:
    assert comment_waivers(text, "a.yaml") == wanted


@pytest.mark.parametrize(
    "text",
    ["# applylint: ignore", "# applylint: ignore[] r", "# applylint: ignore-file[ ]", "# applylint: off"],
)
def test_a_comment_without_a_meaning_is_reported(text: str) -> None:
    (remark,) = comment_waivers(f"a: 1\n{text}", "a.yaml").remarks

    assert (str(remark.location), remark.message) == (
        "a.yaml:2:1",
        "this comment hides nothing: write `# applylint: ignore[rule-id] reason`",
    )


def test_a_day_that_does_not_exist_is_remarked() -> None:
    place = Location("a.yaml", Span(1, 1, 1, 45))

    assert comment_waivers("# applylint: ignore[a] until 2026-02-30 gone", "a.yaml") == ParsedWaivers(
        remarks=(Remark(place, "this comment hides nothing: there is no day 2026-02-30"),)
    )


@pytest.mark.parametrize("text", ["", "a: 1", "# say applylint: ignore[x-y]", "url: http://x#applylint: ignore[x-y]"])
def test_other_text_says_nothing(text: str) -> None:
    assert comment_waivers(text, "a.yaml") == ParsedWaivers()


class Nowhere:
    def key(self, path: Path) -> Span | None:
        return Span(5, 1, 5, 4) if path[:2] == fields("metadata", "annotations") else None

    def value(self, path: Path) -> Span | None:
        return None


def annotated_document(annotations: JsonObject | None) -> Document:
    return Document("web.yaml", 0, {"metadata": {"annotations": annotations}}, WEB, Nowhere())


@pytest.mark.parametrize(
    ("annotations", "wanted"),
    [
        ({ANNOTATION + "port-lost": "r"}, [("port-lost", "r", None)]),
        ({ANNOTATION + "port-lost": "until 2026-12-31, r"}, [("port-lost", "r", date(2026, 12, 31))]),
        ({ANNOTATION + "port-lost": None, "other": "r"}, [("port-lost", "None", None)]),
        (None, []),
    ],
    ids=["reason", "until", "ill-typed", "none"],
)
def test_an_annotation_hides_its_rule_for_the_object(
    annotations: JsonObject | None, wanted: list[tuple[str, str, date | None]]
) -> None:
    found = annotation_waivers(annotated_document(annotations))

    assert [(*waiver.rules, waiver.reason, waiver.until) for waiver in found.waivers] == wanted
    assert {(waiver.scope.ref, str(waiver.place)) for waiver in found.waivers} <= {(WEB, "web.yaml:5:1")}


@pytest.mark.parametrize(
    ("rules", "scope", "hides"),
    [
        (("port-lost",), Scope("web.yaml", 3), True),
        (("port-lost",), Scope("web.yaml"), True),
        ((), Scope("web.yaml"), True),
        (("port-lost",), Scope("web.yaml", 4), False),
        (("other",), Scope("web.yaml", 3), False),
        (("port-lost",), Scope("other.yaml", 3), False),
        (("port-lost",), Scope(ref=WEB), True),
        (("port-lost",), Scope(ref=ObjectRef("apps/v1", "Deployment", "shop", "api")), False),
        (("port-lost",), Scope(path=file_pattern("/repo", "deploy")), True),
        (("port-lost",), Scope(path=file_pattern("/repo", "other")), False),
        (("port-lost",), Scope(resource=resource_pattern("deployment/web")), True),
        (("port-lost",), Scope(resource=resource_pattern("deployment/api")), False),
        (("port-lost",), Scope(field=field_pattern("spec.ports")), True),
        (("port-lost",), Scope(field=field_pattern("spec.port")), False),
        (("port-lost",), Scope(path=file_pattern("/repo", "**"), resource=resource_pattern("job/*")), False),
    ],
)
def test_a_waiver_hides_what_fits_all_that_it_says(rules: tuple[str, ...], scope: Scope, hides: bool) -> None:
    waiver = Waiver(rules, scope, Location("", Span(1, 1, 1, 1)), "configuration")

    assert waiver.hides(finding(path=parse("spec.ports[0]")), "/repo/deploy/web.yaml") is hides


FILES: Mapping[str, tuple[str, bool]] = {
    "name": ("deploy/web.yaml", True),
    "folder": ("deploy", True),
    "folder with slash": ("deploy/", True),
    "in the folder": ("deploy/*.yaml", True),
    "one letter": ("deploy/w?b.yaml", True),
    "a star stays in a folder": ("*.yaml", False),
    "two stars do not": ("**/web.yaml", True),
    "none in between": ("deploy/**/web.yaml", True),
    "end of a name": ("dep", False),
    "a dot is a dot": ("deploy/webxyaml", False),
}


@pytest.mark.parametrize(("glob", "matches"), FILES.values(), ids=FILES)
def test_files_are_named_from_the_folder_of_the_configuration(glob: str, matches: bool) -> None:
    assert bool(file_pattern("/repo", glob).fullmatch("/repo/deploy/web.yaml")) is matches


@pytest.mark.parametrize(
    ("glob", "matches"),
    [("deployment/web", True), ("Deployment/web", True), ("deployment.apps/web", True), ("shop/deployment/web", True),
     ("*/deployment.apps/w*", True), ("bank/deployment/web", False), ("deployment.batch/web", False),
     ("deploy/web", False)],
)  # fmt: skip
def test_objects_are_named_as_in_the_output(glob: str, matches: bool) -> None:
    assert Scope(resource=resource_pattern(glob)).has(WEB, "web.yaml", "") is matches


@pytest.mark.parametrize(
    ("glob", "matches"),
    [("spec", True), ("spec.template.spec.containers", True), ("spec.template.spec.containers[*].image", True),
     ("spec.template.spec.containers[name=web].image", True), ("spec.temp", False), ("*.image", True),
     ("image", False)],
)  # fmt: skip
def test_a_field_pattern_covers_nested_fields(glob: str, matches: bool) -> None:
    path = parse("spec.template.spec.containers[name=web].image")

    assert Scope(field=field_pattern(glob)).covers(finding(path=path), "") is matches
