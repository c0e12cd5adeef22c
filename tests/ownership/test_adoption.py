"""The steps to declarative management, whatever an object comes from; the real server walks them in tests/cluster."""

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import LAST_APPLIED, Present, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.ownership.adoption import Adoption, Stage, adoption, stage_of
from kubectl_applylint.ownership.handover import Deed
from tests.stories import (
    MANIFEST,
    WITHOUT_REPLICAS,
    beside,
    client_side,
    edited,
    scaled,
    server_side,
    settled,
    subject_of,
    updated,
)

OTHER: JsonObject = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": 5}}
LABELLED: JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"app": "web", "tier": "front"}}}
ODD: JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"odd": "a b", "number": 1}}}
WIDGET: JsonObject = {"apiVersion": "x.io/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}
APPLIED = client_side(MANIFEST)


def annotated(live: JsonObject, text: str | None) -> JsonObject:
    """Return the object with another last-applied annotation, or without."""
    rest = {key: value for key, value in live["metadata"].get("annotations", {}).items() if key != LAST_APPLIED}
    annotations = rest if text is None else {**rest, LAST_APPLIED: text}
    return {**live, "metadata": {**live["metadata"], "annotations": annotations}}


def made_by(*managers: str, saved: bool = False) -> JsonObject:
    """Return the Deployment as these managers made it."""
    live = APPLIED if saved else annotated(APPLIED, None)
    (entry,) = live["metadata"]["managedFields"]
    return {
        **live,
        "metadata": {**live["metadata"], "managedFields": [{**entry, "manager": name} for name in managers]},
    }


def exported(live: JsonObject) -> JsonObject:
    """Return what kubectl get -o yaml prints."""
    metadata = {**live["metadata"], "uid": "1", "resourceVersion": "7", "creationTimestamp": "2026-01-01T00:00:00Z"}
    return {**live, "metadata": metadata, "status": {"replicas": 3}}


def plan(live: JsonObject | None, manifest: JsonObject = MANIFEST, gaps: tuple[str, ...] = ()) -> Adoption:
    return adoption(subject_of(manifest, live), live, ClusterModel(), gaps)


def commands(found: Adoption) -> list[str]:
    return [move.step.command or move.step.deed.value for move in found.moves]


@pytest.mark.parametrize(
    ("live", "stage"),
    [
        pytest.param(None, Stage.ABSENT, id="absent"),
        pytest.param(made_by("kubectl-run"), Stage.COMMANDED, id="run"),
        pytest.param(made_by("kubectl-create", "kubectl-autoscale"), Stage.COMMANDED, id="autoscale"),
        pytest.param(made_by("kubectl-create"), Stage.CREATED, id="create"),
        pytest.param(made_by("kubectl-replace"), Stage.CREATED, id="replace"),
        pytest.param(made_by("helm"), Stage.FOREIGN, id="helm"),
        pytest.param(made_by(), Stage.FOREIGN, id="nobody"),
        pytest.param(made_by("kubectl-client-side-apply"), Stage.LOST, id="applied and replaced"),
        pytest.param(annotated(APPLIED, "{"), Stage.UNREADABLE, id="junk"),
        pytest.param(made_by("kubectl-create", saved=True), Stage.SAVED, id="create --save-config"),
        pytest.param(scaled(APPLIED, 7), Stage.STALE, id="scaled"),
        pytest.param(edited(APPLIED), Stage.APPLIED, id="something else edited"),
        pytest.param(APPLIED, Stage.APPLIED, id="applied"),
        pytest.param(made_by(saved=True), Stage.APPLIED, id="applied, managers unknown"),
        pytest.param(server_side(MANIFEST), Stage.SERVER_SIDE, id="server-side"),
        pytest.param(client_side(OTHER, server_side(MANIFEST)), Stage.MIXED, id="both"),
    ],
)
def test_the_step_at_which_an_object_is(live: JsonObject | None, stage: Stage) -> None:
    assert stage_of(subject_of(MANIFEST, live), live) is stage


REMEMBER = "kubectl apply set-last-applied --create-annotation -f web.yaml"
VIEW = "kubectl apply view-last-applied deployment.apps/web -n shop -o yaml"
DIFF, APPLY = "kubectl diff -f web.yaml", "kubectl apply -f web.yaml"


@pytest.mark.parametrize(
    ("live", "manifest", "wanted"),
    [
        pytest.param(None, MANIFEST, [DIFF, APPLY], id="absent"),
        pytest.param(made_by("kubectl-create"), OTHER, [REMEMBER, DIFF, APPLY], id="created, then changed in the file"),
        pytest.param(made_by("kubectl-create"), MANIFEST, [REMEMBER, "done"], id="created"),
        pytest.param(annotated(APPLIED, "{"), MANIFEST, [REMEMBER, "done"], id="junk"),
        pytest.param(made_by("kubectl-create", saved=True), MANIFEST, ["done"], id="saved"),
        pytest.param(scaled(APPLIED, 7), MANIFEST, [VIEW, DIFF, APPLY], id="scaled"),
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

    assert (commands(found), found.instead) == ([DIFF, APPLY], None)


@pytest.mark.parametrize(
    ("live", "words"),
    [
        (made_by("kubectl-create"), "get"),
        (server_side(MANIFEST), "get"),
        (scaled(APPLIED, 7), "apply view-last-applied"),
    ],
    ids=["created", "server-side", "applied"],
)
def test_an_object_without_a_file_is_exported(live: JsonObject, words: str) -> None:
    found = adoption(subject_of(MANIFEST, live, known=False), live, ClusterModel())

    assert commands(found) == [f"kubectl {words} deployment.apps/web -n shop -o yaml > deployment_web.yaml"]
    assert (found.instead, found.ends) == (None, None)


def test_an_export_is_cleaned_first() -> None:
    live = made_by("kubectl-create")
    found = plan(live, exported(APPLIED))
    edit = found.moves[0].step

    named = edit.words.partition(": take out what is not yours to say: ")[2]
    assert (edit.deed, str(edit.place)) == (Deed.EDIT, "web.yaml:1:1")
    assert named == (
        "metadata.creationTimestamp, metadata.generation, metadata.managedFields, metadata.resourceVersion,"
        " metadata.uid, status,"
        f' metadata.annotations["{LAST_APPLIED}"]'
    )
    assert commands(found)[1:] == [REMEMBER, "done"]


def test_the_status_of_a_kind_without_that_subresource_is_not_the_servers() -> None:
    found = plan(None, {**WIDGET, "status": {"phase": "here"}})

    assert commands(found) == [DIFF, APPLY]


def test_what_the_apply_resets_stays_and_deletes() -> None:
    live = edited(scaled(client_side({**LABELLED, "spec": OTHER["spec"]}), 7))
    effect = plan(live).moves[-1].effect

    assert effect is not None
    assert [render(each.path) for each in effect.gone] == ["metadata.labels"]
    (reset,) = effect.resets
    assert (render(reset.change.path), reset.change.before, reset.change.after) == ("spec.replicas", 7, 3)
    assert [writer.title for writer in reset.writers] == ["kube-controller-manager/scale"]
    assert reset.handover == (
        "kubectl applylint handover deployment.apps/web spec.replicas --to kube-controller-manager -f web.yaml"
    )
    assert [(render(each.path), each.managers[0].name) for each in effect.stays] == [("spec.paused", "kubectl-edit")]


@pytest.mark.parametrize(
    ("live", "manifest", "resets"),
    [
        pytest.param(APPLIED, OTHER, [], id="the file has changed"),
        pytest.param(made_by("kubectl-create"), OTHER, ["spec.replicas"], id="nobody knows whether the file has"),
        pytest.param(scaled(APPLIED, 7), WITHOUT_REPLICAS, ["spec.replicas"], id="the line has left"),
        pytest.param(server_side(MANIFEST), OTHER, [], id="the file has changed, server-side"),
        pytest.param(
            updated(server_side(MANIFEST), {**server_side(MANIFEST), "spec": OTHER["spec"]}, "kubectl-edit"),
            MANIFEST,
            ["spec.replicas"],
            id="an edit, server-side",
        ),
    ],
)
def test_a_reset_is_more_than_a_change_of_the_file(live: JsonObject, manifest: JsonObject, resets: list[str]) -> None:
    effect = plan(live, manifest).moves[-1].effect

    assert effect is not None
    assert [render(each.change.path) for each in effect.resets] == resets


def test_a_hand_edit_has_nobody_to_be_handed_to() -> None:
    live = updated(APPLIED, {**APPLIED, "spec": {**APPLIED["spec"], "replicas": 9}}, "kubectl-edit")
    effect = plan(live).moves[-1].effect

    assert effect is not None
    assert [each.handover for each in effect.resets] == [""]


def test_what_the_server_chose_is_no_leftover() -> None:
    service: JsonObject = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"ports": [{"port": 80}], "type": "NodePort"},
    }
    stored = client_side(service)
    spec: Json = {**stored["spec"], "clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"]}
    live = settled({**stored, "spec": spec})
    changed = {**service, "spec": {**service["spec"], "ports": [{"port": 81}]}}
    effect = plan(live, changed).moves[-1].effect

    assert effect is not None
    assert effect.stays == ()


def test_a_replace_keeps_nothing_but_the_manifest() -> None:
    live = edited(made_by("kubectl-create"))
    found = plan(live)

    assert found.instead is not None
    assert found.instead.step.command == "kubectl replace --save-config -f web.yaml"
    assert found.instead.effect is not None
    assert found.instead.effect.outcome.verdict is Verdict.CONFIGURED
    assert [render(change.path) for change in found.instead.effect.gone] == ["spec.paused"]
    assert found.instead.effect.stays == ()


def test_a_refusal_blocks() -> None:
    negative = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": -1}}

    assert (plan(None, negative).is_blocked, plan(None).is_blocked) == (True, False)


def test_deleting_takes_along_what_is_in_the_file_and_what_belongs_to_it() -> None:
    subject = beside(subject_of(MANIFEST, APPLIED), WIDGET, file="web.yaml")
    ends = adoption(subject, APPLIED, ClusterModel()).ends

    assert ends is not None
    assert ends.delete == "kubectl delete -f web.yaml"
    assert ends.takes == ("its pods are stopped", "widget.x.io/w, which is in the same file")


def labelled(item: JsonObject, name: str, **labels: str) -> JsonObject:
    metadata = {"name": name, "labels": labels, **({"namespace": "shop"} if item["kind"] != "Widget" else {})}
    return {**item, "metadata": metadata}


def test_a_prune_is_foretold_with_what_it_takes_besides() -> None:
    applied = client_side(LABELLED)
    subject = beside(subject_of(LABELLED, applied), labelled(WIDGET, "w", app="web", tier="back"), file="other.yaml")
    twin = client_side(labelled(LABELLED, "twin", app="web"))
    far = client_side(labelled(LABELLED, "far", app="far"))
    cluster = ClusterModel({ref_of(item).identity: Present(item) for item in (applied, twin, far)})
    ends = adoption(subject, applied, cluster).ends

    assert ends is not None
    assert ends.prune == "kubectl apply --prune -l app=web --prune-allowlist=apps/v1/Deployment -f ."
    assert [ref.name for ref in ends.pruned] == ["twin"]


@pytest.mark.parametrize(
    ("live", "manifest", "peer", "words"),
    [
        pytest.param(APPLIED, LABELLED, "elsewhere/a.yaml", "needs other manifests in the folder", id="alone"),
        pytest.param(APPLIED, MANIFEST, "a.yaml", "no label is common", id="no label"),
        pytest.param(APPLIED, LABELLED, "a.yaml", "no label is common", id="no common label"),
        pytest.param(APPLIED, ODD, "a.yaml", "no label is common", id="nothing that a selector takes"),
        pytest.param(server_side(MANIFEST), LABELLED, "a.yaml", "only what was applied client-side", id="server-side"),
    ],
)
def test_why_nothing_is_pruned(live: JsonObject, manifest: JsonObject, peer: str, words: str) -> None:
    subject = beside(subject_of(manifest, live), labelled(WIDGET, "w", app="other", odd="a b"), file=peer)
    ends = adoption(subject, live, ClusterModel()).ends

    assert ends is not None
    assert (ends.prune, words in ends.no_prune) == ("", True)
