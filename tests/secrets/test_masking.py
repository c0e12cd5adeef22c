import base64
import json
import time
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.outcome import Confidence, Conflict, FieldError, Level, Outcome, Owner, Verdict, Why, Write
from kubectl_applylint.core.paths import Field, Path, fields
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import LAST_APPLIED, ObjectRef, Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.lint.model import Edit, Proof, Related, Report, Skip, Suppressed
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.concise import report_lines
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.github import annotations
from kubectl_applylint.report.formats.json_v1 import report_json
from kubectl_applylint.report.formats.sarif import sarif
from kubectl_applylint.report.plan import plan_text
from kubectl_applylint.report.text import findings_text
from kubectl_applylint.secrets.masking import has_masked_text, mask_report
from kubectl_applylint.secrets.secret_places import MASK, is_secret
from tests.report.samples import DOUBTFUL, FILE, REPORT, TOKEN, WEB, change, document

PLAIN = "correct horse battery"
CODED = base64.b64encode(PLAIN.encode()).decode()
OLDER = "tr0ub4dor&3"


def secret(**parts: Json) -> JsonObject:
    last = json.dumps({"stringData": {"older": OLDER}, "data": {"x": CODED}})
    metadata = {"name": "token", "namespace": "shop", "annotations": {LAST_APPLIED: last}}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, **parts}


SECRET = secret(data={"password": CODED, "none": None}, stringData={"pin": "47", "text": f'{PLAIN}\n"{OLDER}"'})
ANNOTATION = (*fields("metadata", "annotations"), Field(LAST_APPLIED))


def mask_change(path: Path, before: Json, after: Json) -> tuple[Json, Json]:
    outcome = Outcome(TOKEN, Verdict.CONFIGURED, changes=(change(path, before, after, Why.SET),))
    report = mask_report(Report(outcomes=((document(TOKEN, SECRET), outcome),)))
    only = report.outcomes[0][1].changes[0]
    return only.before, only.after


@pytest.mark.parametrize(
    ("path", "before", "after", "shown"),
    [
        (fields("data", "a"), "x", "y", (f"{MASK} (before)", f"{MASK} (after)")),
        (fields("data", "a"), "x", "x", (MASK, MASK)),
        (fields("data", "a"), MISSING, "y", (MISSING, MASK)),
        (fields("data", "a"), "x", MISSING, (MASK, MISSING)),
        (fields("data"), {"a": "x", "b": None}, None, ({"a": f"{MASK} (before)", "b": None}, None)),
        (fields("stringData", "a"), Unknown("why"), "y", (Unknown("why"), f"{MASK} (after)")),
        (ANNOTATION, "{}", "{}", (MASK, MASK)),
        (fields("metadata"), MISSING, {"annotations": {LAST_APPLIED: "{}", "a": "b"}},
         (MISSING, {"annotations": {LAST_APPLIED: MASK, "a": "b"}})),
        (fields("metadata", "labels", "a"), "x", "y", ("x", "y")),
        ((), MISSING, {"data": ["odd"], "type": "Opaque"}, (MISSING, {"data": [MASK], "type": "Opaque"})),
    ],
    ids=["changed", "same", "added", "removed", "map", "unknown", "annotation", "above", "label", "whole object"],
)  # fmt: skip
def test_changes_are_masked_by_their_place(path: Path, before: Json, after: Json, shown: tuple[Json, Json]) -> None:
    assert mask_change(path, before, after) == shown


@pytest.mark.parametrize(
    ("ref", "verdict"),
    [(TOKEN, True), (replace(TOKEN, api_version=""), True), (WEB, False), (ObjectRef("x/v1", "Secret", "", ""), False)],
    ids=["secret", "no version", "deployment", "another group"],
)
def test_only_secrets_of_the_core_group_are_masked(ref: ObjectRef, verdict: bool) -> None:
    assert is_secret(ref) is verdict


def test_other_objects_stay_as_they_are() -> None:
    assert mask_report(REPORT, [SECRET]) == REPORT


def test_a_secret_that_holds_nothing_hides_no_word() -> None:
    finding = replace(DOUBTFUL, ref=TOKEN)

    assert mask_report(Report(findings=(finding,)), [secret(data={"a": "IA==", "b": " "})]).findings == (finding,)


def everything_said_about(item: JsonObject, words: str) -> Report:
    patch = [{"op": "add", "path": "/data/password", "value": CODED}, {"op": "remove", "path": "/data/x"}]
    outcome = Outcome(
        TOKEN,
        Verdict.REJECTED,
        requests=(Write("PATCH", "application/merge-patch+json", item), Write("PATCH", "json-patch", patch)),
        result=item,
        intended=item,
        changes=(change((), MISSING, item, Why.SET), change(fields("data", "password"), CODED, "z", Why.SET)),
        errors=(FieldError("data", "Invalid", words),),
        conflicts=(Conflict(fields("data"), Owner("other", "Apply"), words),),
        error=words,
        warnings=(words,),
        remedy=words,
        confidence=Confidence(Level.LOW, (words,)),
    )
    finding = replace(
        DOUBTFUL, ref=TOKEN, message=words, fix=words, related=(Related(Location(FILE, Span(1, 1, 1, 2)), words),)
    )
    return Report(
        findings=(finding,),
        outcomes=((document(TOKEN, item), outcome),),
        skips=(Skip(("rule",), TOKEN, words),),
        problems=(Problem(FILE, words, words),),
        suppressed=(Suppressed(finding, words),),
    )


def in_every_format(report: Report) -> str:
    context = Context(verbose=True)
    renderers = (report_json, findings_text, plan_text, report_lines, annotations, sarif)
    return "".join(render(report, context) for render in renderers)


def test_no_value_of_a_secret_is_shown_in_any_format() -> None:
    words = f"it holds {PLAIN}, that is {CODED}, pin=47, older {OLDER}, and {json.dumps(SECRET['stringData'])}"
    report = everything_said_about(SECRET, words)

    shown = in_every_format(mask_report(report))

    assert [value for value in (PLAIN, CODED, OLDER, "pin=47") if value in shown] == []
    assert all(value in in_every_format(report) for value in (CODED, OLDER, "pin=47"))


@given(st.dictionaries(st.from_regex(r"k[a-z]{3}", fullmatch=True), st.text('xyz+/=\n"é', min_size=8), min_size=1))
def test_no_value_of_a_secret_is_printed(values: Mapping[str, str]) -> None:
    """No secret value in any output: generated values, repeated in every message."""
    item = secret(stringData=dict(values))
    report = everything_said_about(item, "says " + " and ".join(values.values()))

    shown = in_every_format(mask_report(report))

    assert [value for value in values.values() if value.strip() and value in shown] == []


def test_values_of_the_live_object_are_masked_in_findings() -> None:
    finding = replace(DOUBTFUL, ref=TOKEN, message=f"reverts {PLAIN!r}")

    report = mask_report(Report(findings=(finding,)), [SECRET])

    assert report.findings[0].message == f"reverts '{MASK}'"


def test_edits_with_a_value_are_left_out_as_a_whole() -> None:
    edits = tuple(Edit(DOUBTFUL.location, text) for text in ("replicas: 3", f"pin: {PLAIN}"))
    proven = Proof(Verdict.CONFIGURED)

    found = [replace(DOUBTFUL, edits=some, proof=proven) for some in (edits, edits[:1])]
    report = mask_report(Report(findings=tuple(found)), [SECRET])

    assert [(one.edits, one.proof) for one in report.findings] == [((), None), (edits[:1], proven)]


def test_many_secrets_are_masked_in_no_time() -> None:
    secrets = [secret(stringData={"password": f"hunter-{number:04}"}) for number in range(400)]
    findings = [
        replace(DOUBTFUL, ref=replace(TOKEN, name=f"s{number}"), message=f"it holds hunter-{number:04}")
        for number in range(400)
    ]

    started = time.process_time()
    shown = {finding.message for finding in mask_report(Report(findings=tuple(findings)), secrets).findings}
    took = time.process_time() - started

    assert shown == {f"it holds {MASK}"}
    assert took < 10


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("secret/token keeps the value", "secret/token keeps the value"),
        ("kubectl get secret/token -n shop", "kubectl get secret/token -n shop"),
        ("kubectl apply -f web.yaml", "kubectl apply -f web.yaml"),
        ("the value is shop, or token", f"the value is {MASK}, or {MASK}"),
        ("secret/token-of-mine", MASK),
    ],
    ids=["name", "namespace", "file", "value", "longer value"],
)
def test_values_that_are_also_names_do_not_spoil_commands(message: str, shown: str) -> None:
    live = secret(stringData={"a": "shop", "b": "token", "c": "web.yaml", "d": "secret/token-of-mine"})
    finding = replace(DOUBTFUL, ref=TOKEN, message=message)

    assert mask_report(Report(findings=(finding,)), [live]).findings[0].message == shown


@pytest.mark.parametrize("annotation", ["{", "[" * 100_000, "[]", 7], ids=["broken", "deep", "list", "number"])
def test_an_odd_annotation_is_masked_whole(annotation: Json) -> None:
    item: JsonObject = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"annotations": {LAST_APPLIED: annotation}},
    }

    report = mask_report(Report(outcomes=((document(TOKEN, item), Outcome(TOKEN, Verdict.CREATED, result=item)),)))

    assert report.outcomes[0][1].result == {**item, "metadata": {"annotations": {LAST_APPLIED: MASK}}}


def test_words_of_a_unit_s_root_are_names() -> None:
    finding_of_unit = replace(
        REPORT.findings[0], units=("apps/minio-tenant",), fix="kubectl apply -k apps/minio-tenant"
    )
    held = secret(stringData={"host": "minio-tenant"})

    (finding,) = mask_report(Report(findings=(finding_of_unit,)), [held]).findings
    assert finding.fix == "kubectl apply -k apps/minio-tenant"


@pytest.mark.parametrize(
    ("note", "known", "says"),
    [
        pytest.param("all is well", (), False, id="nothing"),
        pytest.param("all is well", (SECRET,), False, id="nothing of a Secret"),
        pytest.param(f"it is {PLAIN}", (SECRET,), True, id="what a Secret holds"),
        pytest.param("see https://me:hidden@example.com", (), True, id="a form of a credential"),
        pytest.param("see https://me@example.com, the password", (), False, id="nearly one"),
    ],
)
def test_reports_with_values_of_secrets_have_masked_text(note: str, known: tuple[JsonObject, ...], says: bool) -> None:
    assert has_masked_text(Report(notes=(note,)), known) is says


def test_the_reason_of_a_unit_is_masked_like_the_problem_that_it_repeats() -> None:
    problem = Problem("app", f"not rendered: {PLAIN}")
    report = Report(problems=(problem,), units=(UnitReport("app", "chart", "helm", reason=problem.message),))

    safe = mask_report(report, [SECRET])
    assert safe.units[0].reason == safe.problems[0].message == f"not rendered: {MASK}"


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        ("app/Chart.yaml", "47 units are not rendered"),
        (f"{FILE}:3:1", f"{MASK} units are not rendered"),
        ("secret/token", f"{MASK} units are not rendered"),
    ],
    ids=["another file", "the file of the Secret", "the Secret"],
)
def test_a_short_value_of_a_secret_is_masked_only_in_problems_about_it(where: str, shown: str) -> None:
    problem, outcome = Problem(where, "47 units are not rendered"), Outcome(TOKEN, Verdict.CREATED)
    report = Report(problems=(problem,), outcomes=((document(TOKEN, SECRET), outcome),))

    assert mask_report(report).problems[0].message == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [("hunter22", "HelmRelease/db/hunter22-cluster fails"), ("hunter22-cluster", f"HelmRelease/db/{MASK} fails")],
    ids=["a part of it", "the whole name"],
)
def test_a_name_with_the_value_of_a_secret_in_it_stays(value: str, shown: str) -> None:
    release: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "hunter22-cluster"}}
    of_secret = document(TOKEN, secret(stringData={"user": value}))
    report = Report(
        problems=(Problem(f"{FILE}:3", "HelmRelease/db/hunter22-cluster fails"),),
        outcomes=((of_secret, Outcome(TOKEN, Verdict.CREATED)),),
    )

    assert mask_report(report, [release]).problems[0].message == shown
