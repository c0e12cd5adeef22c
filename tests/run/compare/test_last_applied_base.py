"""Last-applied annotations as the earlier manifests."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import LAST_APPLIED, Absent, Knowledge, ObjectRef, Present, Unknown, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.model import Scenario
from kubectl_applylint.run.compare.live_source import LiveSource, no_live_source
from kubectl_applylint.run.load.run_input import RunInput, input_of_files
from kubectl_applylint.sources.cluster.read_results import Objects, States


def config(name: str, **data: str) -> JsonObject:
    names = {"name": name, "namespace": "shop", "labels": {"app": "shop"}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": names, "data": data}


def live(manifest: JsonObject, annotation: Json = None, **data: str) -> JsonObject:
    """Return the object that ``manifest`` was applied to, with ``data`` that others have put there."""
    annotations = {LAST_APPLIED: json.dumps(manifest) if annotation is None else annotation}
    metadata = {**manifest["metadata"], "annotations": annotations}
    return {**manifest, "metadata": metadata, "data": {**manifest["data"], **data}}


def known(objects: Sequence[JsonObject], unread: Mapping[str, Knowledge] = {}) -> LiveSource:
    by_ref = {ref_of(item): Present(item) for item in objects}

    def state(ref: ObjectRef) -> Knowledge:
        return unread.get(ref.name, by_ref.get(ref, Absent()))

    return replace(
        no_live_source(),
        origin="cluster prod",
        states=lambda refs, defined: States({ref: state(ref) for ref in refs}, (Problem("x", "one problem"),)),
        applied=lambda namespace, selector: Objects(tuple(objects), (Problem("x", "another"),)),
        uses_last_applied=True,
        age_seconds=3 * 24 * 60 * 60,
    )


def change(source: LiveSource, *manifests: JsonObject, flags: Flags = NO_FLAGS) -> RunInput:
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": list(manifests)}).encode()
    return input_of_files(["-"], stdin=lambda: text, source=source, flags=flags)


def outcomes(found: RunInput) -> list[Outcome]:
    return [subject.predict(Scenario.APPLY) for subject in found.subjects]


def test_later_changes_by_others_do_not_count() -> None:
    found = change(known([live(config("a", key="1"), key="by hand", more="by hand")]), config("a", key="1"))
    (outcome,) = outcomes(found)

    assert (outcome.verdict, outcome.result and outcome.result["data"]) == (Verdict.UNCHANGED, {"key": "1"})
    assert found.origin == "last-applied of cluster prod"
    assert found.problems == (Problem("x", "one problem"),)
    assert "the last-applied of cluster prod is 3 days old" in outcome.confidence.reasons


def test_changes_are_reported_with_their_earlier_place() -> None:
    found = change(known([live(config("a", key="1", gone="1"))]), config("a", key="2"), config("new"))
    subject = found.subjects[0]

    assert [outcome.verdict for outcome in outcomes(found)] == [Verdict.CONFIGURED, Verdict.CREATED]
    assert subject.earlier is not None
    assert str(subject.earlier.locate(())) == "shop/configmap/a"


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        pytest.param("", "configmap/a exists, without a last-applied annotation", id="none"),
        pytest.param("{", f"the annotation {LAST_APPLIED} of the live object is not JSON", id="garbled"),
        pytest.param(
            json.dumps(config("b")), "the last-applied annotation of configmap/a describes another object", id="foreign"
        ),
    ],
)
def test_fields_that_an_annotation_does_not_have_are_unknown(annotation: str, reason: str) -> None:
    (subject,) = change(known([live(config("a"), annotation)]), config("a")).subjects

    assert isinstance(subject.state.live, Unknown)
    assert subject.state.live.reason.startswith(reason)


def test_an_object_that_could_not_be_asked_for_is_not_known() -> None:
    (subject,) = change(known([], {"a": Unknown("no right")}), config("a")).subjects

    assert subject.state.live == Unknown("no right")


def test_a_prune_looks_at_everything_that_was_applied() -> None:
    source = known([live(config("a", key="1")), live(config("old")), live(config("strange"), "")])
    pruning = change(source, config("a", key="1"), flags=Flags(prune=True, selector="app=shop"))
    kept = change(source, config("a", key="1"))

    assert [(document.file, outcome.verdict) for document, outcome in pruning.unapplied_outcomes] == [
        ("shop/configmap/old", Verdict.PRUNED)
    ]
    assert pruning.problems == (Problem("x", "one problem"), Problem("x", "another"))
    assert kept.unapplied_outcomes == ()


def test_an_annotation_of_an_older_version_is_the_earlier_manifest() -> None:
    spec = {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}}
    budget: JsonObject = {"kind": "PodDisruptionBudget", "metadata": {"name": "web", "namespace": "shop"}}
    old = {"apiVersion": "policy/v1beta1", **budget, "spec": spec}
    new = {"apiVersion": "policy/v1", **budget, "spec": {**spec, "minAvailable": 2}}
    there = {**new, "metadata": {**budget["metadata"], "annotations": {LAST_APPLIED: json.dumps(old)}}, "spec": spec}

    (outcome,) = outcomes(change(known([there]), new))

    assert outcome.verdict is Verdict.CONFIGURED
    assert [render(change.path) for change in outcome.changes if change.before == 1] == ["spec.minAvailable"]
