"""Hazards that apply to a live object that was not read."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import Absent, Present, State, last_applied
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.transition import earlier_revision
from kubectl_applylint.lint.applicability import assess, examined_cases, with_cases
from kubectl_applylint.lint.model import (
    Alternative,
    Applicability,
    Certainty,
    Finding,
    Hit,
    LiveAssumption,
    Scenario,
    Severity,
    Subject,
)
from kubectl_applylint.lint.run import lint
from kubectl_applylint.lint.subjects import subjects
from kubectl_applylint.rulebook.rulebook import load
from tests.rules.stories import SCHEMA, document

RULES = {rule.id: rule for rule in load(()).rules}
LABELS = {"app": "web"}
SPEC: JsonObject = {
    "replicas": 3,
    "selector": {"matchLabels": LABELS},
    "template": {"metadata": {"labels": LABELS}, "spec": {"containers": [{"name": "web", "image": "web:1"}]}},
}
UNLESS = (
    "unless spec.replicas is already missing in last-applied "
    "or another tool created it without a last-applied annotation"
)


def web(**spec: object) -> JsonObject:
    """Return the Deployment with these fields of its spec, without those that are ``None``."""
    whole = {key: value for key, value in {**SPEC, **spec}.items() if value is not None}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": whole,
    }


def predict(manifest: JsonObject, state: State) -> Outcome:
    return engine.predict(ApplyRequest(manifest=manifest, state=state, schema=SCHEMA))


def change_subject(old: JsonObject | None, new: JsonObject, predict: Predict = predict) -> Subject:
    """Return the subject of a manifest that was another one, or none, before."""
    past = [] if old is None else [document(old)]
    earlier = earlier_revision(past, origin="main", schema=SCHEMA, predict=predict)
    (subject,) = subjects(
        [document(new)], schema=SCHEMA, state_of=earlier.cluster.state, predict=predict, base_of=earlier.manifest
    )
    return with_cases(subject, earlier.document(subject.ref), predict)


def findings_of(rule: str, old: JsonObject | None, new: JsonObject) -> Sequence[Finding]:
    return lint([change_subject(old, new)], [RULES[rule]]).findings


def when(finding: Finding) -> list[tuple[str, str]]:
    return [(applicability.sure.value, applicability.condition) for applicability in finding.applies]


def test_a_hazard_of_the_change_applies_on_upgrade_and_not_on_install() -> None:
    (finding,) = findings_of("replicas-removed-scales-to-one", web(), web(replicas=None))

    assert when(finding) == [("cannot", ""), ("must", ""), ("may", UNLESS)]
    assert finding.severity is Severity.ERROR
    assert "from 3 to 1" in finding.message


def test_a_hazard_that_takes_a_drift_says_which_and_is_no_error_yet() -> None:
    (finding,) = findings_of("replicas-removed-scales-to-one", web(replicas=1), web(replicas=None))

    assert when(finding) == [("cannot", ""), ("cannot", ""), ("may", "if it was scaled to 3 in the meantime")]
    assert finding.severity is Severity.WARNING
    assert finding.message.startswith(
        "if it was scaled to 3 in the meantime: the next apply scales deployment/web from 3 to 1"
    )


def test_hazards_of_an_earlier_drift_are_no_findings() -> None:
    assert findings_of("replicas-set-back", web(), web(paused=True)) == ()


def test_a_hazard_of_the_manifest_applies_everywhere() -> None:
    (finding,) = findings_of(
        "selector-template-mismatch-rejected", web(), web(selector={"matchLabels": {"app": "shop"}})
    )

    assert when(finding) == [("must", "")] * 3


def test_a_rejected_change_applies_in_every_drift() -> None:
    labels = {"app": "shop"}
    template = {**SPEC["template"], "metadata": {"labels": labels}}
    (finding,) = findings_of(
        "selector-change-rejected", web(), web(selector={"matchLabels": labels}, template=template)
    )

    assert when(finding) == [("cannot", ""), ("must", ""), ("must", "")]


def test_a_new_object_has_but_one_case() -> None:
    assert change_subject(None, web()).alternatives == ()


def test_a_live_object_settles_the_case() -> None:
    predicted = change_subject(web(), web())
    seen = replace(predicted, state=replace(predicted.state, simulated=False), alternatives=())

    assert len(predicted.alternatives) == 3
    assert with_cases(seen, None, predict).alternatives == ()


class CountedPredictions:
    """Predicts as ``predict`` does, and keeps which live objects it was asked about."""

    def __init__(self) -> None:
        self.states: list[State] = []

    def __call__(self, manifest: JsonObject, state: State) -> Outcome:
        self.states.append(state)
        return predict(manifest, state)


def test_a_second_apply_after_a_drift_is_predicted_only_if_it_may_send_something() -> None:
    predictions = CountedPredictions()
    cases = change_subject(web(), web(paused=True), predictions).alternatives
    del predictions.states[:]

    assert {case.subject.predict(Scenario.AGAIN).verdict for case in cases} == {Verdict.UNCHANGED}
    assert len(predictions.states) == len(cases)


def test_an_unchanged_object_is_not_predicted_after_a_drift() -> None:
    predictions = CountedPredictions()
    subject = change_subject(web(), web(), predictions)
    del predictions.states[:]

    assert lint([subject], list(RULES.values())).findings == ()
    assert all(state.live in (subject.state.live, Absent()) for state in predictions.states)


def test_a_finding_shows_where_the_line_was() -> None:
    (finding,) = findings_of("replicas-removed-scales-to-one", web(), web(replicas=None))

    assert [related.note for related in finding.related] == ["removed here"]


def test_the_cases_differ_in_what_is_live() -> None:
    subject = change_subject(web(), web(replicas=None))
    states = {other.assumption: other.subject.state.live for other in subject.alternatives}
    scaled = states["it was scaled to 7 in the meantime"]
    handed_over = last_applied(states["spec.replicas is already missing in last-applied"])

    assert isinstance(scaled, Present)
    assert scaled.object["spec"]["replicas"] == 7
    assert isinstance(handed_over, Present)
    assert "replicas" not in handed_over.object["spec"]


def test_assumptions_name_the_first_of_many_removed_fields() -> None:
    old = web(paused=True, minReadySeconds=5, progressDeadlineSeconds=30)
    assumptions = [other.assumption for other in change_subject(old, web()).alternatives]

    assert "spec.minReadySeconds, spec.paused and 1 more are already missing in last-applied" in assumptions


HIT = Hit(fields("spec"))
SUBJECT = change_subject(web(), web(replicas=None))


def with_drifts(*striking: str, is_unchanged: bool = False) -> tuple[Applicability, ...]:
    """Return when a hazard applies that does so on upgrade if ``upgrade`` is among the names, and in these drifts."""
    drifted = [replace(SUBJECT, alternatives=(), document=document(web(), index=number)) for number in (1, 2)]
    cases = tuple(
        Alternative(LiveAssumption.DRIFTED, name, one, one if is_unchanged else None)
        for name, one in zip(("a", "b"), drifted, strict=True)
    )
    subject = replace(SUBJECT, alternatives=cases)
    names = {0: "upgrade", 1: "a", 2: "b"}
    assessed = list(
        assess(subject, lambda one: [HIT] if names[one.document.index] in striking else [], looks_at_state=True)
    )
    return assessed[0].applies if assessed else ()


@pytest.mark.parametrize(
    ("striking", "wanted"),
    [
        pytest.param(("upgrade", "a", "b"), Applicability(LiveAssumption.DRIFTED, Certainty.MUST), id="in all"),
        pytest.param(("upgrade", "a"), Applicability(LiveAssumption.DRIFTED, Certainty.MAY, "unless b"), id="in some"),
        pytest.param(("upgrade",), Applicability(LiveAssumption.DRIFTED, Certainty.CANNOT), id="in none"),
        pytest.param(("a",), Applicability(LiveAssumption.DRIFTED, Certainty.MAY, "if a"), id="only there"),
        pytest.param(("a", "b"), Applicability(LiveAssumption.DRIFTED, Certainty.MUST), id="in all, and only there"),
    ],
)
def test_a_drift_may_bring_or_spare(striking: tuple[str, ...], wanted: Applicability) -> None:
    assert with_drifts(*striking)[2] == wanted


def test_a_drift_may_spare_an_unchanged_object() -> None:
    assert with_drifts("upgrade", "a", is_unchanged=True) == with_drifts("upgrade", "a")
    assert with_drifts("a", "b", is_unchanged=True) == ()


def test_a_hazard_without_effect_is_no_finding() -> None:
    assert with_drifts() == ()


@pytest.mark.parametrize(
    ("new", "cases"),
    [
        pytest.param(web(), ["fresh install"], id="unchanged"),
        pytest.param(web(paused=True), ["fresh install", "drifted", "drifted"], id="changed"),
    ],
)
def test_an_unchanged_object_is_first_examined_without_a_drift(new: JsonObject, cases: list[str]) -> None:
    subject = change_subject(web(), new)
    names = {id(case.subject): case.case.value for case in subject.alternatives}

    assert [names[id(one)] for one in examined_cases(subject)] == cases


@pytest.mark.parametrize(("replicas", "is_new"), [(3, False), (4, True)], ids=["equal", "changed"])
def test_a_drift_of_an_unchanged_field_is_no_effect_of_the_change(replicas: int, is_new: bool) -> None:
    """The earlier manifest is then not predicted for the drift."""
    path = fields("spec", "replicas")
    subject = change_subject(web(), web(replicas=replicas, paused=True))
    earlier = [id(case.earlier) for case in subject.alternatives if case.earlier]
    scaled = [case.subject for case in subject.alternatives if case.drifted == path]
    asked: list[int] = []

    def hits_of(one: Subject) -> list[Hit]:
        asked.append(id(one))
        return [Hit(path)] if one in scaled and id(one) not in earlier else []

    assert bool(list(assess(subject, hits_of, looks_at_state=True))) is is_new
    assert any(one in earlier for one in asked) is is_new
