"""The steps to declarative management, whatever an object comes from; the real server walks them in tests/cluster."""

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.ownership.adoption import adoption
from kubectl_applylint.ownership.step import StepKind, StepPlan
from tests.stories import (
    MANIFEST,
    client_side,
    pause,
    scale,
    server_side,
    subject_of,
)

OTHER: JsonObject = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": 5}}
LABELLED: JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"app": "web", "tier": "front"}}}
ODD: JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"odd": "a b", "number": 1}}}
WIDGET: JsonObject = {"apiVersion": "x.io/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}
APPLIED = client_side(MANIFEST)


def annotated_object(live: JsonObject, text: str | None) -> JsonObject:
    """Return the object with another last-applied annotation, or without."""
    rest = {key: value for key, value in live["metadata"].get("annotations", {}).items() if key != LAST_APPLIED}
    annotations = rest if text is None else {**rest, LAST_APPLIED: text}
    return {**live, "metadata": {**live["metadata"], "annotations": annotations}}


def made_by(*managers: str, saved: bool = False) -> JsonObject:
    """Return the Deployment as these managers made it."""
    live = APPLIED if saved else annotated_object(APPLIED, None)
    (entry,) = live["metadata"]["managedFields"]
    return {
        **live,
        "metadata": {**live["metadata"], "managedFields": [{**entry, "manager": name} for name in managers]},
    }


def exported_object(live: JsonObject) -> JsonObject:
    """Return what kubectl get -o yaml prints."""
    metadata = {**live["metadata"], "uid": "1", "resourceVersion": "7", "creationTimestamp": "2026-01-01T00:00:00Z"}
    return {**live, "metadata": metadata, "status": {"replicas": 3}}


def plan(live: JsonObject | None, manifest: JsonObject = MANIFEST, gaps: tuple[str, ...] = ()) -> StepPlan:
    return adoption(subject_of(manifest, live), live, ClusterModel(), gaps)


def commands(found: StepPlan) -> list[str]:
    return [step.command or step.kind.value for step in found.steps]


ANNOTATE = "kubectl apply set-last-applied --create-annotation -f web.yaml"
VIEW = "kubectl apply view-last-applied deployment.apps/web -n shop -o yaml"
DIFF, APPLY = "kubectl diff -f web.yaml", "kubectl apply -f web.yaml"


@pytest.mark.parametrize(
    ("live", "manifest", "wanted"),
    [
        pytest.param(None, MANIFEST, [DIFF, APPLY], id="absent"),
        pytest.param(made_by("kubectl-create"), OTHER, [ANNOTATE, DIFF, APPLY], id="created, then changed in the file"),
        pytest.param(made_by("kubectl-create"), MANIFEST, [ANNOTATE, "done"], id="created"),
        pytest.param(annotated_object(APPLIED, "{"), MANIFEST, [ANNOTATE, "done"], id="junk"),
        pytest.param(made_by("kubectl-create", saved=True), MANIFEST, ["done"], id="saved"),
        pytest.param(scale(APPLIED, 7), MANIFEST, [VIEW, DIFF, APPLY], id="scaled"),
        pytest.param(APPLIED, MANIFEST, ["done"], id="applied"),
        pytest.param(server_side(MANIFEST), MANIFEST, ["done"], id="server-side"),
        pytest.param(
            server_side(MANIFEST),
            OTHER,
            ["kubectl diff --server-side -f web.yaml", "kubectl apply --server-side -f web.yaml"],
            id="server-side, then changed in the file",
        ),
        pytest.param(
            client_side(OTHER, server_side(MANIFEST)), OTHER, ["kubectl applylint migrate -f web.yaml"], id="both ways"
        ),
    ],
)
def test_the_next_commands(live: JsonObject | None, manifest: JsonObject, wanted: list[str]) -> None:
    assert commands(plan(live, manifest)) == wanted


def test_a_file_with_objects_that_are_not_there_is_not_remembered() -> None:
    found = plan(made_by("kubectl-create"), OTHER, gaps=("web.yaml",))

    assert (commands(found), found.alternative) == ([DIFF, APPLY], None)


@pytest.mark.parametrize(
    ("live", "words"),
    [
        (made_by("kubectl-create"), "get"),
        (server_side(MANIFEST), "get"),
        (scale(APPLIED, 7), "apply view-last-applied"),
    ],
    ids=["created", "server-side", "applied"],
)
def test_an_object_without_a_file_is_exported(live: JsonObject, words: str) -> None:
    found = adoption(subject_of(MANIFEST, live, known=False), live, ClusterModel())

    assert commands(found) == [f"kubectl {words} deployment.apps/web -n shop -o yaml > deployment_web.yaml"]
    assert (found.alternative, found.cleanup) == (None, None)


def test_an_export_is_cleaned_first() -> None:
    live = made_by("kubectl-create")
    found = plan(live, exported_object(APPLIED))
    edit = found.steps[0]

    named = edit.why.partition("remove the fields that only the server writes: ")[2]
    assert (edit.kind, str(edit.place)) == (StepKind.EDIT, "web.yaml:1:1")
    assert named == (
        "metadata.creationTimestamp, metadata.generation, metadata.managedFields, metadata.resourceVersion,"
        " metadata.uid, status,"
        f' metadata.annotations["{LAST_APPLIED}"]'
    )
    assert commands(found)[1:] == [ANNOTATE, "done"]


def test_the_status_of_a_kind_without_that_subresource_is_not_the_servers() -> None:
    found = plan(None, {**WIDGET, "status": {"phase": "here"}})

    assert commands(found) == [DIFF, APPLY]


def test_a_replace_keeps_nothing_but_the_manifest() -> None:
    live = pause(made_by("kubectl-create"))
    found = plan(live)

    assert found.alternative is not None
    assert found.alternative.command == "kubectl replace --save-config -f web.yaml"
    assert found.alternative.effect is not None
    assert found.alternative.effect.outcome.verdict is Verdict.CONFIGURED
    assert [render(change.path) for change in found.alternative.effect.deletes] == ["spec.paused"]
    assert found.alternative.effect.stays == ()


def test_a_rejection_blocks() -> None:
    negative = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": -1}}

    assert (plan(None, negative).is_blocked, plan(None).is_blocked) == (True, False)
