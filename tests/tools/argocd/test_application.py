"""Tracking, and what a sync prunes: rows are those of gitops-engine on a 1.36.3 server."""

import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoSync, ArgoWrite, untrackable
from kubectl_applylint.tools.argocd.options import SYNC_OPTIONS, TRACKING
from kubectl_applylint.tools.argocd.settings import ArgoSettings, ResourceFilter
from tests.engine.test_set_apply import config, manifest

APP = ArgoApplication("app", "shop")
ROLE = {**manifest("ClusterRole", "r"), "apiVersion": "rbac.authorization.k8s.io/v1"}


def with_options(item: JsonObject, options: str) -> JsonObject:
    return {**item, "metadata": {**item["metadata"], "annotations": {SYNC_OPTIONS: options}}}


def test_the_annotation_names_the_application_and_the_object() -> None:
    annotated = {**ROLE, "metadata": {"name": "r", "annotations": {"a": "b"}}}

    assert APP.with_tracking(config("c"))["metadata"]["annotations"] == {TRACKING: "app:/ConfigMap:shop/c"}
    assert APP.with_tracking(annotated)["metadata"]["annotations"] == {
        "a": "b",
        TRACKING: "app:rbac.authorization.k8s.io/ClusterRole:shop/r",
    }


def test_the_label_tracks_objects_if_argo_cd_is_set_to_it() -> None:
    by_label = replace(APP, settings=ArgoSettings("label"))
    by_both = replace(APP, name=f"{'a' * 62}.b", settings=ArgoSettings("annotation+label", "example.com/app"))
    live, both = by_label.with_tracking(config("c")), by_both.with_tracking(config("c"))

    assert live["metadata"] == {**config("c")["metadata"], "labels": {"app.kubernetes.io/instance": "app"}}
    assert both["metadata"]["labels"] == {"example.com/app": "a" * 62}
    assert by_both.owns(both)
    assert not by_both.owns(live)
    assert by_label.owns({**live, "metadata": {**live["metadata"], "name": "copy"}})
    assert not by_label.owns({**live, "metadata": {**live["metadata"], "ownerReferences": [{"uid": "u"}]}})


def test_excluded_kinds_are_not_pruned() -> None:
    sync = ArgoSync(
        replace(APP, settings=ArgoSettings(exclusions=(ResourceFilter(kinds=("ConfigMap",)),))), prunes=True
    )

    assert list(sync.targets([APP.with_tracking(config("c"))], [])) == []


def test_definitions_are_not_tracked() -> None:
    crd = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "a.b"}}

    assert APP.with_tracking(crd) is crd


@pytest.mark.parametrize("item", [config("c"), ROLE])
def test_an_application_owns_what_it_has_tracked_under_its_own_name(item: JsonObject) -> None:
    live = APP.with_tracking(item)
    copied = {**live, "metadata": {**live["metadata"], "name": "copy"}}
    child = {**live, "metadata": {**live["metadata"], "ownerReferences": [{"uid": "u"}]}}

    assert APP.owns(live)
    assert not any(map(APP.owns, (item, copied, child)))
    assert not ArgoApplication("other", "shop").owns(live)


@pytest.mark.parametrize(
    ("annotations", "why"),
    [
        (None, ""),
        ({"a": "b"}, ""),
        (5, "5 is of the type int64, expected map[string]interface{}"),
        (
            {"a": "b", "c": None},
            'contains non-string value in the map under key "c": <nil> is of the type <nil>, expected string',
        ),
        (
            {"c": 1.5, "d": 1},
            'contains non-string value in the map under key "c": 1.5 is of the type float64, expected string',
        ),
    ],
)
def test_annotations_that_are_no_strings_cannot_be_tracked(annotations: Json, why: str) -> None:
    item = {**config("c"), "metadata": {"name": "c", "namespace": "shop", "annotations": annotations}}
    head = "failed to get annotations for /v1, Kind=ConfigMap shop/c: .metadata.annotations accessor error: "

    assert untrackable(item) == (f"{head}{why}" if why else "")
    assert untrackable({**item, "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}) == ""


def test_options_of_the_object_add_to_those_of_the_application() -> None:
    server_side = ArgoApplication("app", "shop", frozenset({"ServerSideApply=true"}))
    item = config("c")

    assert server_side.applies_server_side(item)
    assert not server_side.applies_server_side(with_options(item, "ServerSideApply=false"))
    assert APP.applies_server_side(with_options(item, "ServerSideApply=true"))
    assert APP.replaces(item, with_options(item, "Replace=true"))
    assert APP.forces(with_options(item, "Force=true"), None)
    assert ArgoApplication("app", "shop", is_forced=True).forces(item, item)
    assert ArgoApplication("app", "shop", frozenset({"ApplyOutOfSyncOnly=true"})).skips_synced


def test_objects_removed_from_the_set_are_pruned_if_the_sync_prunes() -> None:
    live = [APP.with_tracking(config(name)) for name in ("a", "b")]
    kept = APP.with_tracking(with_options(config("c"), "Prune=false"))
    sync = ArgoSync(APP, prunes=True)

    assert [ref.name for ref in sync.targets([*live, kept, config("other")], [ref_of(live[0])])] == ["b"]
    assert list(ArgoSync(APP).targets(live, [])) == []


def test_an_application_may_say_for_all_objects_that_they_stay() -> None:
    kept, asked = (ArgoApplication("app", "shop", frozenset({f"Prune={word}"})) for word in ("false", "confirm"))
    item = APP.with_tracking(config("c"))

    assert not ArgoSync(kept, prunes=True).prunes_item(item)
    assert ArgoSync(kept, prunes=True).prunes_item(with_options(item, "Prune=true"))
    assert ArgoSync(asked, prunes=True).awaits_confirmation(item)


def test_some_objects_are_pruned_late_or_wait() -> None:
    sync, item = ArgoSync(APP, prunes=True), config("c")
    held = {**item, "metadata": {**item["metadata"], "finalizers": ["example.com/held"]}}
    protected = {**item, "metadata": {**item["metadata"], "finalizers": ["kubernetes.io/pvc-protection"]}}

    assert sync.is_last(with_options(item, "PruneLast=true"))
    assert sync.awaits_confirmation(with_options(item, "Prune=confirm"))
    assert not ArgoSync(APP, is_confirmed=True).awaits_confirmation(with_options(item, "Prune=confirm"))
    assert [sync.keeps_waiting(each) for each in (item, held, protected)] == [False, True, False]


def test_an_object_is_written_unless_only_its_checks_are_asked_for() -> None:
    assert not ArgoWrite(ArgoApplication("app", "shop")).only_checks


@pytest.mark.parametrize(
    ("options", "annotations", "is_deleted", "waits"),
    [
        ([], {}, True, False),
        ([], {SYNC_OPTIONS: "Prune=false"}, True, False),
        ([], {SYNC_OPTIONS: "Delete=false"}, False, False),
        ([], {SYNC_OPTIONS: "Delete=confirm"}, True, True),
        ([], {"helm.sh/resource-policy": "keep"}, False, False),
        (["Delete=false"], {}, False, False),
        (["Delete=false"], {SYNC_OPTIONS: "Delete=true"}, True, False),
    ],
)
def test_a_deleted_application_deletes_objects_without_an_option_against_it(
    options: list[str], annotations: dict[str, str], is_deleted: bool, waits: bool
) -> None:
    sync = ArgoSync(replace(APP, options=frozenset(options)), prunes=True, is_removed=True)
    item = {"metadata": {"annotations": annotations}}

    assert sync.prunes_item(item) is is_deleted
    assert sync.awaits_confirmation(item) is waits
