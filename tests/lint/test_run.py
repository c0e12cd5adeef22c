import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from types import CodeType

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.documents import InCluster, Rendering
from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.outcome import Outcome, PredictionError
from kubectl_applylint.core.paths import Path, render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import LAST_APPLIED, Absent, Knowledge, Present, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.cluster_diff import Unapplied
from kubectl_applylint.engine.errors import ErrorText
from kubectl_applylint.lint.hiding import waivers
from kubectl_applylint.lint.model import Need, Related, Rule, Scenario, Severity, Skip, Subject
from kubectl_applylint.lint.run import lint, rejection_remedy
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.server.validate import validate
from tests.rules.stories import subject

RULE = Rule(
    id="thing-breaks",
    summary="A thing breaks",
    severity=Severity.WARNING,
    confidence="high",
    since="0.1.0",
    needs=(Need.MANIFEST,),
    kinds=(),
    appliers=(),
    check="jsonpath",
    params={"path": "manifest.spec.replicas"},
    message="{object} breaks\n  with {value} at {match}",
    why="It does.",
    fix="kubectl get {resource}\nkubectl apply {from}  # {path} {kind} {name} {namespace} {file}{ns}",
    see=(),
    hazards=(),
    folder="",
)
WEB: JsonObject = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"replicas": 3},
}
WIDGET: JsonObject = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}}


class Lines:
    """Positions in which each field of ``spec`` stands on a line of its own."""

    def __init__(self, **lines: int) -> None:
        self.lines = lines

    def key(self, path: Path) -> Span | None:
        line = self.lines.get("_".join(step.name for step in path if hasattr(step, "name")))
        return Span(line, 1, line, 9) if line else None

    def value(self, path: Path) -> Span | None:
        return self.key(path)


def at(manifest: JsonObject, file: str = "web.yaml", **lines: int) -> Subject:
    found = subject(manifest)
    return replace(found, document=replace(found.document, file=file, positions=Lines(**lines)))


def knowing(live: Knowledge) -> Subject:
    return subject(WEB, live=live)


def test_a_hit_becomes_a_finding_in_words_at_its_place() -> None:
    (finding,) = lint([at(WEB, spec_replicas=8)], [RULE]).findings

    assert finding.location == Location("web.yaml", Span(8, 1, 8, 9))
    assert finding.message == "deployment/web breaks with 3 at manifest.spec.replicas"
    assert finding.fix == (
        "kubectl get deployment/web -n shop\n"
        "kubectl apply -f web.yaml -n shop  # spec.replicas Deployment web shop web.yaml -n shop"
    )
    assert (finding.rule, finding.severity, finding.confidence) == ("thing-breaks", Severity.WARNING, "high")


def test_an_object_of_the_cluster_is_its_own_place_and_its_file_is_for_the_user_to_name() -> None:
    found = at(WEB)
    asked = replace(found, document=replace(found.document, file="shop/deployment.apps/web", positions=InCluster()))

    (finding,) = lint([asked], [RULE]).findings

    assert str(finding.location) == "shop/deployment.apps/web"
    assert "kubectl apply -f its-manifest.yaml -n shop" in finding.fix


@pytest.mark.parametrize(
    "given", ["-f a.yaml -f b.yaml -n shop", "-f app -f 'of all' -n shop"], ids=["files", "folders of many"]
)
def test_a_fix_for_an_unapplied_object_names_no_file(given: str) -> None:
    gone = replace(at(WEB, file="before.yaml"), unapplied=Unapplied.PRUNED, flags=Flags(namespace="shop", given=given))

    (finding,) = lint([gone], [replace(RULE, needs=(Need.UNAPPLIED,))]).findings

    assert f"kubectl apply {given}  #" in finding.fix


def test_a_rule_about_manifests_does_not_run_without_one() -> None:
    found = at(WEB)
    asked = replace(found, document=replace(found.document, has_manifest=False))

    report = lint([asked], [RULE, replace(RULE, needs=())])

    assert (len(report.findings), report.skips) == (1, ())


def in_namespace(namespace: str) -> JsonObject:
    return {**WEB, "metadata": {"name": "web", "namespace": namespace}}


def test_a_failure_of_the_engine_is_reported_once_for_all_rules() -> None:
    def fail(scenario: Scenario) -> Outcome:
        raise PredictionError("KeyError: 'kind'", is_fault=True)

    asked = replace(subject(WEB), predict=fail)
    result = replace(RULE, params={"path": "result.spec"})

    assert lint([asked], [result, replace(result, id="other")]).problems == (
        Problem(
            "web.yaml:1:1 deployment.apps/web", "not predicted: KeyError: 'kind'", "please report it with the object"
        ),
    )


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (at(in_namespace("default")), "-f web.yaml"),
        (at(in_namespace("shop"), metadata_namespace=4), "-f web.yaml"),
        (at(in_namespace("shop"), file="my app/web.yaml"), "-f 'my app/web.yaml' -n shop"),
    ],
    ids=["default namespace", "written", "left out"],
)
def test_commands_say_the_namespace_that_the_file_leaves_out(asked: Subject, words: str) -> None:
    (finding,) = lint([asked], [replace(RULE, fix="{from}")]).findings

    assert finding.fix == words


def test_kinds_that_kubernetes_does_not_have_are_named_with_their_group() -> None:
    rule = replace(RULE, message="{object}{ns}", params={"path": "manifest.kind"})

    (finding,) = lint([subject(WIDGET)], [rule]).findings

    assert finding.message == "widget.example.com/w"


def test_findings_have_related_places() -> None:
    autoscaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "auto", "namespace": "shop"},
        "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}},
    }
    params: Json = {"autoscalers": {"HorizontalPodAutoscaler.autoscaling": {}}}
    rule = replace(RULE, check="autoscaled_replicas", params=params, message="{autoscaler}")

    (finding,) = lint([subject(WEB, peers=[autoscaler])], [rule]).findings

    start = Location("web.yaml", Span(1, 1, 1, 1))
    assert finding.related == (Related(start, "horizontalpodautoscaler.autoscaling/auto"),)


@pytest.mark.parametrize(
    ("value", "word"),
    [("a", "a"), (None, "null"), (True, "true"), ({"b": 1, "a": "<"}, '{"a":"\\u003c","b":1}')],
    ids=repr,
)
def test_facts_are_written_as_json_unless_they_are_text(value: Json, word: str) -> None:
    rule = replace(RULE, message="{value}")

    (finding,) = lint([subject({**WEB, "spec": {"replicas": value}})], [rule]).findings

    assert finding.message == word


def test_findings_come_sorted_by_file_line_and_rule() -> None:
    subjects = [at(WEB, file="b.yaml", spec_replicas=1), at(WEB, file="a.yaml", spec=3, spec_replicas=9)]
    rules = [RULE, replace(RULE, id="another"), replace(RULE, id="upper", params={"path": "manifest.spec"})]

    report = lint(subjects, rules)

    assert [(f.location.file, f.location.span.line, f.rule) for f in report.findings] == [
        ("a.yaml", 3, "upper"),
        ("a.yaml", 9, "another"),
        ("a.yaml", 9, "thing-breaks"),
        ("b.yaml", 1, "another"),
        ("b.yaml", 1, "thing-breaks"),
        ("b.yaml", 1, "upper"),
    ]
    assert report.checked == 2


LIVE = Present({"metadata": {"annotations": {LAST_APPLIED: "{}"}}})


@pytest.mark.parametrize(
    ("needs", "live", "runs"),
    [
        ((Need.MANIFEST, Need.PEERS, Need.FLAGS), Unknown("offline"), True),
        ((Need.LIVE,), LIVE, True),
        ((Need.LIVE, Need.LAST_APPLIED), LIVE, True),
        ((Need.LIVE,), Absent(), False),
        ((Need.LAST_APPLIED,), Present({}), False),
        ((Need.LIVE,), Unknown("offline"), "offline"),
        ((Need.LAST_APPLIED,), Unknown("offline"), "offline"),
        ((Need.BASE,), LIVE, "no earlier revision to compare with was specified"),
    ],
    ids=[
        "needs nothing",
        "live is known",
        "last-applied is known",
        "no live object",
        "no last-applied",
        "live unknown",
        "last-applied unknown",
        "base unknown",
    ],
)
def test_a_rule_runs_where_its_needs_are_met(needs: tuple[Need, ...], live: Knowledge, runs: bool | str) -> None:
    report = lint([knowing(live)], [replace(RULE, needs=needs)])

    assert len(report.findings) == (runs is True)
    assert [skip.reason for skip in report.skips] == ([runs] if isinstance(runs, str) else [])


def test_a_skip_names_rule_and_object() -> None:
    found = knowing(Unknown("offline"))

    assert lint([found], [replace(RULE, needs=(Need.LIVE,))]).skips == (Skip(("thing-breaks",), found.ref, "offline"),)


def test_rules_that_could_not_run_for_one_reason_are_reported_together() -> None:
    found = knowing(Unknown("offline"))
    rules = [replace(RULE, id=name, needs=(Need.LIVE,)) for name in ("a", "b")]

    assert lint([found], rules).skips == (Skip(("a", "b"), found.ref, "offline"),)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (replace(RULE, params={}), "rule thing-breaks failed: KeyError: 'path'"),
        (replace(RULE, message="{nobody_knows}"), "rule thing-breaks failed: KeyError: 'nobody_knows'"),
        (replace(RULE, check="gone"), "rule thing-breaks failed: ModuleNotFoundError"),
    ],
    ids=["check", "words", "no check"],
)
def test_a_rule_that_fails_is_a_problem_that_names_rule_and_object(rule: Rule, message: str) -> None:
    report = lint([subject(WEB)], [rule, replace(RULE, id="fine-rule")])

    (problem,) = report.problems
    assert problem.where == "web.yaml:1:1 deployment.apps/web"
    assert problem.message.startswith(message)
    assert problem.advice
    assert problem.frames[-1] == message.split(": ")[1]
    assert [finding.rule for finding in report.findings] == ["fine-rule"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("-k app", "kubectl apply -k app | -k app"),
        ("-f app", "kubectl apply -f web.yaml -n shop | -f app"),
        ("", "kubectl apply -f web.yaml -n shop | -f web.yaml -n shop"),
    ],
)
def test_commands_name_the_unit_where_no_file_of_it_is_applied_by_itself(arguments: str, words: str) -> None:
    web = replace(subject(WEB), flags=Flags(is_unit=True, unit_arguments=arguments))

    (finding,) = lint([web], [replace(RULE, fix="kubectl apply {from} | {all}")]).findings
    assert finding.fix == words


def test_the_file_to_correct_is_that_which_sets_the_field() -> None:
    patch = Location("overlays/prod/patch.yaml", Span(3, 5, 3, 10))
    web = at(WEB, metadata=1)
    patched = replace(web, document=replace(web.document, set_at=lambda path: patch))

    (finding,) = lint([patched], [replace(RULE, fix="# correct {file}")]).findings
    assert (finding.location, finding.fix) == (patch, "# correct overlays/prod/patch.yaml")


def test_commands_name_no_source_of_what_is_rendered() -> None:
    web = subject(WEB)
    rendering = Rendering("helm template shop charts/shop", "-f helm:charts/shop")
    rendered = replace(web, document=replace(web.document, rendering=rendering))

    (finding,) = lint([rendered], [replace(RULE, fix="{apply} {from}")]).findings
    assert finding.fix == "helm template shop charts/shop | kubectl apply -f -"


@pytest.mark.parametrize(("arguments", "found"), [("-f app", 1), ("", 0)])
def test_an_annotation_that_a_tool_does_not_write_is_not_too_long(arguments: str, found: int) -> None:
    long = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "b" * 262144}}
    large = subject(long)
    rules = [
        rule for rule in rulebook.built_in().rules if "last-applied-too-long" in rule.id or rule.check == "rejections"
    ]

    report = lint([replace(large, flags=Flags(is_unit=True, unit_arguments=arguments))], rules)
    assert len(report.findings) == found


FIX = """\
kubectl diff {from}
# change the field, then
{apply} --dry-run=server {from}
kubectl apply {from}
{apply} {from}
kubectl rollout restart {resource}
"""


@pytest.mark.parametrize(
    "command", ["helm upgrade RELEASE charts/shop", "# commit and push it, Flux applies it"], ids=["helm", "flux"]
)
def test_a_fix_for_a_tool_has_its_command(command: str) -> None:
    web = replace(subject(WEB), flags=Flags(is_unit=True, unit_command=command))

    (finding,) = lint([web], [replace(RULE, fix=FIX)]).findings
    assert finding.fix == (f"# change the field, then\n{command}\nkubectl rollout restart deployment/web -n shop\n")


def test_a_hidden_finding_is_reported_with_the_reason() -> None:
    text = "# applylint: ignore[thing-breaks] known\nspec: {}\n# applylint: nonsense\n"

    report = lint([at(WEB, spec=2)], [RULE], texts={"web.yaml": text, "a.yaml": "#applylint: ?"})

    assert report.findings == ()
    assert [(hidden.finding.rule, hidden.reason) for hidden in report.suppressed] == [("thing-breaks", "known")]
    assert [str(remark.location) for remark in report.remarks] == ["a.yaml:1:1", "web.yaml:3:1"]


def test_a_rule_that_cannot_be_ignored_is_not_hidden() -> None:
    text = "# applylint: ignore[thing-breaks] known\nspec: {}\n"

    report = lint([at(WEB, spec=2)], [replace(RULE, ignorable=False)], texts={"web.yaml": text})

    assert len(report.findings) == 1
    assert "this rule cannot be ignored" in report.remarks[0].message


def test_findings_come_with_fingerprints_of_their_own() -> None:
    rule = replace(RULE, params={"path": "manifest.spec.*"})
    objects = [at({**WEB, "spec": {"replicas": 3, "paused": True}}), at(WEB, "again.yaml")]

    prints = [finding.fingerprint for finding in lint(objects, [rule]).findings]

    assert len(set(prints)) == len(prints) == 3
    assert sum("-" in print for print in prints) == 1


def test_annotations_hide_without_the_source() -> None:
    annotated = {**WEB, "metadata": {**WEB["metadata"], "annotations": {waivers.ANNOTATION + "thing-breaks": "x"}}}

    assert lint([subject(annotated)], [RULE]).findings == ()


def test_nothing_gives_an_empty_report() -> None:
    report = lint([], [RULE])

    assert (report.findings, report.skips, report.problems, report.checked) == ((), (), (), 0)


LESS = {**WEB, "spec": {"replicas": -1}}
"""Rejected for three causes: a negative number, no selector, and labels that do not fit."""
REFUSED = replace(
    RULE, id="apply-rejected", needs=(Need.UNEXPLAINED,), check="rejections", params={}, message="{said}", fix="{path}"
)
REPLICAS = replace(RULE, id="zz-replicas", message="less than none", errors=(ErrorText(field="spec.replicas"),))


def paths_by_rule(*rules: Rule, manifest: JsonObject = LESS) -> dict[str, list[str]]:
    """Return the paths that each rule finds."""
    found: dict[str, list[str]] = {rule.id: [] for rule in rules}
    for finding in lint([subject(manifest)], rules).findings:
        found[finding.rule].append(render(finding.path))
    return found


def test_unexplained_causes_are_reported_by_a_rule_that_requests_them() -> None:
    alone = paths_by_rule(REFUSED)["apply-rejected"]

    assert "spec.replicas" in alone
    assert len(alone) > 2
    assert paths_by_rule(REFUSED, REPLICAS)["apply-rejected"] == [path for path in alone if path != "spec.replicas"]


def test_a_rule_that_finds_nothing_explains_nothing() -> None:
    elsewhere = replace(REPLICAS, params={"path": "manifest.spec.paused"})

    assert paths_by_rule(REFUSED, elsewhere) == {
        "zz-replicas": [],
        "apply-rejected": paths_by_rule(REFUSED)["apply-rejected"],
    }


def test_a_hidden_finding_still_explains_a_rejection() -> None:
    annotations = {"applylint.dev/ignore.zz-replicas": "known"}
    hidden = {**LESS, "metadata": {**LESS["metadata"], "annotations": annotations}}

    assert "spec.replicas" not in paths_by_rule(REFUSED, REPLICAS, manifest=hidden)["apply-rejected"]


def test_causes_that_a_silent_rule_explains_are_not_reported() -> None:
    findings = lint([subject(LESS)], [REFUSED], silent=[REPLICAS]).findings

    assert {finding.rule for finding in findings} == {"apply-rejected"}
    assert "spec.replicas" not in {render(finding.path) for finding in findings}


def test_rules_about_one_thing_come_before_those_about_many() -> None:
    broad = replace(REFUSED, id="any-number", errors=(ErrorText(message="must be greater"),))

    assert paths_by_rule(broad, REFUSED)["any-number"] == ["spec.replicas"]
    assert paths_by_rule(broad, REFUSED, REPLICAS)["any-number"] == []


def test_the_remedy_of_a_rejection_is_reported_once_for_each_rule() -> None:
    helpful = replace(REPLICAS, remedy="write {path} of {object} anew")
    twice = replace(REFUSED, remedy="read the words of the server")

    words = rejection_remedy(subject(LESS), [helpful, twice, RULE])

    assert words == (
        "read the words of the server (applylint explain apply-rejected); "
        "write spec.replicas of deployment/web anew (applylint explain zz-replicas)"
    )


def test_an_accepted_apply_has_no_remedy() -> None:
    assert rejection_remedy(subject(WIDGET), [replace(REPLICAS, remedy="none")]) == ""


def validations(work: Callable[[], object]) -> int:
    """Return how often an object was validated while ``work`` ran."""
    seen = Counter[CodeType]()
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: seen.update([frame.f_code] if event == "call" else []))
    try:
        work()
    finally:
        sys.setprofile(before)
    return seen[validate.__code__]


def test_an_object_is_validated_once_for_a_scenario() -> None:
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    web = {**WEB, "spec": {"replicas": 3, "selector": {"matchLabels": {"a": "b"}}, "template": template}}
    examined, rules = subject(web), rulebook.load().rules

    assert validations(lambda: examined.predict(Scenario.APPLY)) == 1
    assert validations(lambda: examined.predict(Scenario.APPLY)) == 0
    assert 0 < validations(lambda: lint([subject(web)], rules)) <= len(Scenario)


def test_every_name_is_quoted_as_one_word_for_a_shell() -> None:
    odd = {**WEB, "metadata": {**WEB["metadata"], "name": "a; rm -rf b\nc", "namespace": "$(d)"}}
    (finding,) = lint([subject(odd)], [replace(RULE, fix="kubectl get {resource}")]).findings

    assert finding.fix == "kubectl get 'deployment/a; rm -rf b\\nc' -n '$(d)'"
