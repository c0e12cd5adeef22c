"""Labels, marks and pruning of a Flux Kustomization."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.flux.kustomization import (
    GROUP,
    KEPT,
    SKIPPED,
    FluxKustomization,
    FluxWrite,
    Reconciliation,
    health_checks,
    is_marked,
)

APP = FluxKustomization("app", "flux-system")
OWN = {f"{GROUP}/name": "app", f"{GROUP}/namespace": "flux-system"}


def config(name: str = "web", metadata: JsonObject | None = None, **others: Json) -> JsonObject:
    found = {"name": name, "namespace": "shop", **(metadata or {}), **others}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": found}


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        pytest.param({"a": "1"}, {"a": "1", **OWN}, id="texts stay"),
        pytest.param({"a": None}, {"a": "", **OWN}, id="null becomes empty"),
        pytest.param({"a": "1", "b": 1}, OWN, id="a number loses all of them"),
    ],
)
def test_labels_of_the_kustomization_are_added(labels: Json, found: Json) -> None:
    assert APP.with_owner_labels(config(labels=labels))["metadata"]["labels"] == found


@pytest.mark.parametrize("where", ["labels", "annotations"])
def test_a_mark_is_a_label_or_an_annotation_in_upper_or_lower_case(where: str) -> None:
    assert is_marked(config(metadata={where: {f"{GROUP}/ssa": "ignore"}}), SKIPPED)
    assert not is_marked(config(metadata={where: {f"{GROUP}/ssa": "Merge", f"{GROUP}/reconcile": None}}), SKIPPED)
    assert not is_marked(None, KEPT)


def test_own_objects_removed_from_the_inventory_are_pruned_in_reverse_order() -> None:
    gone = [config(name, labels=OWN) for name in ("a", "b")]
    kept = config("kept", labels=OWN, annotations={f"{GROUP}/prune": "disabled"})
    moved = config("moved", labels={**OWN, f"{GROUP}/name": "other"})
    live = [*gone, kept, moved, config("still", labels=OWN)]
    inventory = tuple(map(ref_of, (*live, config("absent"))))
    policy = Reconciliation(replace(APP, prunes=True), inventory)

    assert [ref.name for ref in policy.targets(live, [ref_of(config("still"))])] == ["b", "a"]
    assert [*Reconciliation(APP, inventory).targets(live, [])] == []


@pytest.mark.parametrize(
    ("annotations", "after"),
    [
        ({"a": "b", "note": "own"}, {"a": "b", "note": "common"}),
        ({"a": 1}, {"note": "common"}),
        (None, {"note": "common"}),
    ],
)
def test_common_metadata_replaces_that_of_the_manifest(annotations: Json, after: JsonObject) -> None:
    source = replace(APP, common_labels=(("app", "c"),), common_annotations=(("note", "common"),))
    manifest: JsonObject = {"metadata": {"name": "a", "labels": {"app": "a", "b": "c"}, "annotations": annotations}}

    assert source.with_common(manifest)["metadata"] == {
        "name": "a",
        "labels": {"app": "c", "b": "c"},
        "annotations": after,
    }
    assert APP.with_common(manifest) == manifest


@pytest.mark.parametrize(("own", "after"), [({"a": None}, {"a": ""}), ({"a": 1}, {"a": 1}), ({}, {})])
def test_common_labels_make_null_annotations_empty(own: JsonObject, after: JsonObject) -> None:
    metadata = replace(APP, common_labels=(("app", "c"),)).with_common(config(annotations=own))["metadata"]

    assert (metadata["annotations"], metadata["labels"]) == (after, {"app": "c"})


def test_an_object_is_applied_unless_only_its_check_is_asked_for() -> None:
    assert not FluxWrite(FluxKustomization("app", "shop")).only_checks


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        pytest.param({}, (), id="none"),
        pytest.param(
            {"healthChecks": [{"kind": "Deployment", "name": "web", "namespace": "shop"}]},
            (ObjectRef("apps/v1", "Deployment", "shop", "web"),),
            id="apps/v1 by default",
        ),
        pytest.param(
            {"healthChecks": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "web"}], "targetNamespace": "shop"},
            (ObjectRef("v1", "ConfigMap", "", "web"),),
            id="no default namespace",
        ),
        pytest.param({"healthChecks": [{"kind": "Deployment", "name": "web"}], "wait": True}, (), id="not with wait"),
    ],
)
def test_health_checks_name_objects(spec: JsonObject, found: tuple[ObjectRef, ...]) -> None:
    assert health_checks({"spec": spec}) == found
