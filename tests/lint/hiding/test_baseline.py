import json
from dataclasses import replace
from importlib.resources import files

import jsonschema
import pytest

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.hiding.baseline import (
    Baseline,
    BaselineError,
    ExaminedScope,
    baseline_text,
    entry,
    fingerprint,
    obsolete_entries,
    read_baseline,
    with_fingerprints,
)
from tests.report.samples import DOUBTFUL, FINDING

MOVED = replace(FINDING, location=Location("other.yaml", Span(90, 1, 90, 2)), message="other words")


def test_a_fingerprint_ignores_lines_and_distinguishes_fields_and_objects() -> None:
    others = [
        replace(FINDING, path=()),
        replace(FINDING, rule="other"),
        *(replace(FINDING, ref=replace(FINDING.ref, **{name: "x/v1"})) for name in ("api_version", "kind", "name")),
    ]

    assert fingerprint(MOVED) == fingerprint(FINDING)
    assert fingerprint(replace(FINDING, ref=replace(FINDING.ref, api_version="apps/v2"))) == fingerprint(FINDING)
    assert len({fingerprint(finding) for finding in [FINDING, *others]}) == 1 + len(others)


def test_no_two_findings_get_the_same_fingerprint() -> None:
    first, second, other = (finding.fingerprint for finding in with_fingerprints([FINDING, MOVED, DOUBTFUL]))

    assert second == f"{first}-2"
    assert first != other == fingerprint(DOUBTFUL)


KNOWN, DOUBT = (entry(finding, f"/repo/{finding.location.file}") for finding in with_fingerprints([FINDING, DOUBTFUL]))


def test_a_written_baseline_is_read() -> None:
    assert set(read_baseline(baseline_text([KNOWN, DOUBT]), "known.json").entries) == {KNOWN, DOUBT}
    assert read_baseline(baseline_text([]), "known.json") == Baseline("known.json")


def test_a_baseline_has_one_line_an_entry_in_a_fixed_order() -> None:
    text = baseline_text([KNOWN, DOUBT])

    assert text == baseline_text([DOUBT, KNOWN])
    assert [json.loads(line.rstrip(","))["rule"] for line in text.splitlines() if '"rule"' in line] == [
        "last-applied-missing",
        "selector-changed",
    ]


def test_a_written_baseline_fits_the_published_schema() -> None:
    schema = json.loads(files("kubectl_applylint.report").joinpath("schemas/baseline-v1.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    written = json.loads(
        baseline_text([KNOWN, DOUBT, *(entry(finding, "") for finding in with_fingerprints([MOVED, MOVED]))])
    )

    jsonschema.Draft202012Validator(schema).validate(written)
    assert set(schema["properties"]["findings"]["items"]["properties"]) == set(written["findings"][0])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{\n", "known.json:2:1: not JSON: Expecting property name enclosed in double quotes"),
        ("[]", "known.json:1:1: no baseline of this program: its version is not baseline-v1"),
        ('{"version": "baseline-v2"}', "known.json:1:1: no baseline of this program: its version is not baseline-v1"),
        ('{"version": "baseline-v1", "findings": [{"rule": "a"}]}',
         "known.json:1:1: not every entry of findings has the texts"
         " fingerprint, rule, namespace, object, path, file"),
        ('{"version": "baseline-v1"}',
         "known.json:1:1: not every entry of findings has the texts"
         " fingerprint, rule, namespace, object, path, file"),
    ],
    ids=["no json", "list", "version", "entry", "no findings"],
)  # fmt: skip
def test_an_invalid_baseline_is_rejected_with_its_place(text: str, fault: str) -> None:
    with pytest.raises(BaselineError) as caught:
        read_baseline(text, "known.json")

    assert str(caught.value) == fault


SEEN = ExaminedScope(frozenset({FINDING.rule}), frozenset({KNOWN.file}), frozenset(), frozenset())


@pytest.mark.parametrize(
    ("seen", "is_gone"),
    [
        (SEEN, True),
        (replace(SEEN, rules=frozenset()), False),
        (replace(SEEN, files=frozenset()), False),
        (replace(SEEN, skipped=frozenset({(FINDING.rule, "shop", "deployment.apps/web")})), False),
    ],
    ids=["looked for", "rule left out", "file not examined", "rule skipped"],
)
def test_only_what_was_looked_for_is_gone(seen: ExaminedScope, is_gone: bool) -> None:
    baseline = Baseline("known.json", (KNOWN,))

    assert obsolete_entries(baseline, [], seen) == ((KNOWN,) if is_gone else ())
    assert obsolete_entries(baseline, list(with_fingerprints([FINDING])), seen) == ()


def test_an_object_of_the_cluster_is_looked_for_by_its_name() -> None:
    known = replace(KNOWN, file="")
    seen = replace(SEEN, files=frozenset(), objects=frozenset({("shop", "deployment.apps/web")}))

    assert obsolete_entries(Baseline("known.json", (known,)), [], seen) == (known,)


def test_an_entry_names_places_and_no_values() -> None:
    assert entry(replace(FINDING, path=fields("data", "password"), fingerprint="f"), "a.yaml") == replace(
        KNOWN, path="data.password", fingerprint="f", file="a.yaml"
    )
