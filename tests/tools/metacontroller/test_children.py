"""Owners of children; ``manage_children.go``, ``claimChildren`` and ``getChildren`` of Metacontroller."""

from collections.abc import Sequence

import pytest

from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.tools.metacontroller.children import (
    DECORATOR,
    Sync,
    UpdateMethod,
    controller_of,
    read_controller,
    update_method,
)

WEB, DEPLOYMENT = ObjectRef("apps/v1", "Deployment", "shop", "web"), load("1.36").kind("apps/v1", "Deployment")
MAIN: JsonObject = {"apiVersion": "example.com/v1", "kind": "Shop", "name": "main", "uid": "1", "controller": True}
OTHER: JsonObject = {**MAIN, "name": "other", "uid": "2"}


def child(name: str, *owners: JsonObject, **metadata: Json) -> JsonObject:
    more = {"ownerReferences": list(owners)} if owners else {}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, **more, **metadata}}


def controller(kind: str, field: str, *children: JsonObject, **spec: Json) -> JsonObject:
    metadata = {"name": "shops"}
    return {
        "apiVersion": "metacontroller.k8s.io/v1alpha1",
        "kind": kind,
        "metadata": metadata,
        "spec": {field: [*children], **spec},
    }


DEPLOYMENTS: JsonObject = {"apiVersion": "apps/v1", "resource": "deployments"}


@pytest.mark.parametrize(
    ("rule", "method"),
    [
        ({**DEPLOYMENTS, "updateStrategy": {"method": "InPlace"}}, UpdateMethod.IN_PLACE),
        ({**DEPLOYMENTS, "updateStrategy": {"method": "RollingRecreate"}}, UpdateMethod.ROLLING_RECREATE),
        ({**DEPLOYMENTS, "updateStrategy": {}}, UpdateMethod.ON_DELETE),
        ({**DEPLOYMENTS, "updateStrategy": {"method": ""}}, UpdateMethod.ON_DELETE),
        (DEPLOYMENTS, UpdateMethod.ON_DELETE),
        (
            {**DEPLOYMENTS, "apiVersion": "apps/v1beta1", "updateStrategy": {"method": "Recreate"}},
            UpdateMethod.RECREATE,
        ),
        ({"apiVersion": "v1", "resource": "pods", "updateStrategy": {"method": "InPlace"}}, UpdateMethod.ON_DELETE),
        (
            {"apiVersion": "other.io/v1", "resource": "deployments", "updateStrategy": {"method": "InPlace"}},
            UpdateMethod.ON_DELETE,
        ),
    ],
    ids=["named", "rolling", "no method", "empty", "no strategy", "other version", "other kind", "other group"],
)
@pytest.mark.parametrize(
    ("kind", "field"), [("CompositeController", "childResources"), ("DecoratorController", "attachments")]
)
def test_a_controller_names_methods_by_group_and_resource(
    kind: str, field: str, rule: JsonObject, method: UpdateMethod
) -> None:
    found = read_controller(controller(kind, field, rule))

    assert found.method(ObjectRef("apps/v1", "Deployment", "shop", "web"), DEPLOYMENT) is method


def test_an_unknown_kind_has_the_usual_plural() -> None:
    found = Sync((("widgets.x.io", UpdateMethod.RECREATE),))

    assert found.method(ObjectRef("x.io/v1", "Widget", "", "w"), None) is UpdateMethod.RECREATE


def test_the_last_of_several_methods_counts() -> None:
    every = ("", UpdateMethod.IN_PLACE)

    assert Sync((every, ("deploy", UpdateMethod.RECREATE))).method(WEB, DEPLOYMENT) is UpdateMethod.RECREATE
    assert Sync((("deploy", UpdateMethod.RECREATE), every)).method(WEB, DEPLOYMENT) is UpdateMethod.IN_PLACE


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        (child("x"), "neither a CompositeController nor a DecoratorController: configmap/x"),
        ({**controller("CompositeController", "x"), "apiVersion": "v1"}, "neither a CompositeController"),
        (
            controller(
                "CompositeController", "childResources", {**DEPLOYMENTS, "updateStrategy": {"method": "Inplace"}}
            ),
            "'Inplace' is not an update method; supported: OnDelete, Recreate, InPlace, RollingRecreate,"
            " RollingInPlace",
        ),
    ],
    ids=["another kind", "another group", "no method"],
)
def test_other_objects_are_no_controller(definition: JsonObject, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_controller(definition)


def test_a_method_is_spelled_as_controllers_spell_it() -> None:
    assert update_method("OnDelete") is UpdateMethod.ON_DELETE


@pytest.mark.parametrize(
    ("item", "owner"),
    [
        (None, None),
        (child("x"), None),
        (child("x", {**MAIN, "controller": False}), None),
        (child("x", {**OTHER, "controller": None}, MAIN), MAIN),
    ],
    ids=["nothing", "no owner", "owned, not controlled", "the second one"],
)
def test_the_controller_of_an_object(item: JsonObject | None, owner: JsonObject | None) -> None:
    assert controller_of(item) == owner


BY = {"annotations": {DECORATOR: "shops"}}


@pytest.mark.parametrize(
    ("sync", "live", "gone"),
    [
        pytest.param(Sync(), [child("web", MAIN), child("old", MAIN)], ["old"], id="a child that is not wanted"),
        pytest.param(
            Sync(), [child("web", MAIN), child("x"), child("y", OTHER)], [], id="orphans and children of others"
        ),
        pytest.param(Sync(), [child("web"), child("x")], [], id="an orphan has no siblings"),
        pytest.param(Sync(), [child("web", MAIN), child("old", MAIN, deletionTimestamp="now")], [], id="going already"),
        pytest.param(
            Sync(), [child("web", MAIN), child("api", OTHER), child("old", MAIN)], [], id="children of two parents"
        ),
        pytest.param(
            Sync(parent="shop/main"), [child("web", MAIN), child("api", OTHER), child("old", MAIN)], ["old"], id="named"
        ),
        pytest.param(Sync(parent="shops.example.com/main"), [child("old", MAIN)], ["old"], id="named in another way"),
        pytest.param(Sync(parent="shop/main"), [child("old", OTHER), child("x")], [], id="another one is named"),
        pytest.param(
            Sync(decorator="shops"), [child("web", MAIN, **BY), child("old", MAIN, **BY)], ["old"], id="decorated"
        ),
        pytest.param(
            Sync(decorator="shops"), [child("web", MAIN, **BY), child("old", MAIN)], [], id="made by somebody else"
        ),
    ],
)
def test_children_that_no_hook_wants_are_deleted(sync: Sync, live: Sequence[JsonObject], gone: list[str]) -> None:
    wanted = [ref_of(child("web")), ref_of(child("api"))]

    assert [ref.name for ref in sync.targets(live, wanted)] == gone


def test_all_predicted_objects_are_children() -> None:
    assert [ref.name for ref in Sync().targets([child("old")], [], simulated=True)] == ["old"]


@pytest.mark.parametrize(
    ("sync", "live", "words"),
    [
        (Sync(parent="shop/main"), child("web", MAIN), ""),
        (Sync(parent="shop/main"), child("web"), ""),
        (Sync(parent="shop/main"), child("web", OTHER), "it belongs to shop/other"),
        (Sync(decorator="shops"), child("web", MAIN, **BY), ""),
        (Sync(decorator="shops"), child("web", MAIN), "the DecoratorController shops did not create it"),
    ],
    ids=["own", "orphan", "another parent's", "decorated", "not decorated"],
)
def test_children_of_others_are_disowned_with_a_reason(sync: Sync, live: JsonObject, words: str) -> None:
    assert sync.disowns(live) == words


def test_a_controller_marks_what_it_makes() -> None:
    decorated = Sync(decorator="shops").with_controller_marks(child("x", annotations={"a": "b"}), None)
    selected = read_controller(controller("CompositeController", "childResources", generateSelector=True))

    assert decorated["metadata"]["annotations"] == {"a": "b", DECORATOR: "shops"}
    assert selected.with_controller_marks(child("x"), child("x", MAIN))["metadata"]["labels"] == {"controller-uid": "1"}
    assert selected.with_controller_marks(child("x"), None) == child("x")
    own = child("x", labels={"controller-uid": "7"})
    assert selected.with_controller_marks(own, child("x", MAIN)) == own


def test_a_child_is_wanted_under_its_name_without_a_namespace() -> None:
    """Whether a kind without a definition has namespaces is unknown."""
    live = child("a", MAIN, namespace="shop")

    assert list(Sync(parent="shop/main").targets([live], [ref_of(child("a"))])) == []


PARENT: JsonObject = {
    "apiVersion": "example.com/v1",
    "kind": "Shop",
    "metadata": {"name": "main", "uid": "1"},
    "spec": {"selector": {"matchLabels": {"shop": "main"}}},
}
KNOWN = Sync(parent="shop/main", selects=True).of_parent(PARENT)
MATCHING: JsonObject = {"shop": "main"}


@pytest.mark.parametrize(
    ("sync", "live", "why"),
    [
        (KNOWN, child("a", MAIN, labels=MATCHING), ""),
        (KNOWN, child("a", {**MAIN, "name": "renamed"}, labels=MATCHING), ""),
        (KNOWN, child("a", {**MAIN, "uid": "2"}, labels=MATCHING), "it belongs to shop/main"),
        (KNOWN, child("a", MAIN), "its labels do not match the selector of the parent"),
        (KNOWN, child("a", labels=MATCHING), ""),
        (KNOWN, child("a"), "it has no owner"),
        (Sync(parent="shop/main"), child("a"), ""),
        (Sync(parent="shop/main").of_parent(PARENT), child("a"), ""),
    ],
    ids=[
        "child",
        "renamed parent",
        "parent of that name",
        "released",
        "adopted",
        "without owner",
        "unknown parent",
        "unknown controller",
    ],
)
def test_a_known_parent_claims_children_by_uid_and_labels(sync: Sync, live: JsonObject, why: str) -> None:
    assert sync.disowns(live) == why


def test_objects_without_a_controller_are_adopted_by_the_parent_that_selects_them() -> None:
    assert KNOWN.adopts(child("a", labels=MATCHING))
    assert not KNOWN.adopts(child("a", OTHER, labels=MATCHING))
    generated = Sync(parent="shop/main", selects=False, generates_selector=True).of_parent(PARENT)
    assert not generated.adopts(child("a", labels=MATCHING))
    assert generated.adopts(child("a", labels={"controller-uid": "1"}))
    assert generated.complaint([child("a")]) == ""


def test_the_parent_releases_children_that_it_no_longer_selects() -> None:
    assert KNOWN.releases(child("a", MAIN))
    assert not KNOWN.releases(child("a", MAIN, labels=MATCHING))
    assert not KNOWN.releases(child("a", OTHER))
    assert not KNOWN.releases(child("a"))
    assert not Sync(parent="shop/main").releases(child("a", MAIN))


def test_the_generated_label_is_the_uid_of_the_known_parent() -> None:
    sync = Sync(parent="shop/main", generates_selector=True).of_parent(PARENT)

    assert sync.with_controller_marks(child("new"), None)["metadata"]["labels"] == {"controller-uid": "1"}


@pytest.mark.parametrize(
    ("sync", "wanted", "why"),
    [
        (KNOWN, [child("a", labels=MATCHING)], ""),
        (
            KNOWN,
            [child("a", labels=MATCHING), child("b", namespace="n")],
            "labels on desired child ConfigMap n/b don't match parent selector",
        ),
        (Sync(parent="shop/main"), [child("b")], ""),
        (Sync(parent="shop/main", decorator="d", selects=False).of_parent(PARENT), [child("b")], ""),
    ],
    ids=["selected", "one is not", "unknown parent", "decorator"],
)
def test_a_child_that_the_parent_does_not_select_stops_the_sync(
    sync: Sync, wanted: Sequence[JsonObject], why: str
) -> None:
    assert sync.complaint(wanted) == why


SELECTING = Sync(owner=MAIN, selector={"matchLabels": {"shop": "main"}}, selects=True)


@pytest.mark.parametrize(
    ("sync", "labels", "message"),
    [
        (SELECTING, {"shop": "main"}, ""),
        (SELECTING, {}, "labels on desired child ConfigMap /a don't match parent selector"),
        (SELECTING, {"shop": "main", "b": 1}, "invalid labels on desired child ConfigMap /a"),
        (SELECTING, {"shop": "main", "b": None}, "invalid labels on desired child ConfigMap /a"),
        (SELECTING, None, "invalid labels on desired child ConfigMap /a"),
        (Sync(selects=True), True, "invalid labels on desired child ConfigMap /a"),
        (Sync(generates_selector=True), ["x"], "invalid labels on desired child ConfigMap /a"),
        (Sync(selects=True), {}, ""),
        (Sync(), True, ""),
        (Sync(decorator="shops"), True, ""),
        (Sync(selector={}), {}, ".spec.selector must have either matchLabels, matchExpressions, or both"),
    ],
    ids=[
        "selected",
        "not selected",
        "number",
        "null",
        "no labels",
        "unknown parent",
        "generated selector",
        "unknown selector",
        "unknown controller",
        "decorator",
        "empty selector",
    ],
)
def test_a_sync_stops_at_labels_that_it_cannot_read_or_does_not_select(sync: Sync, labels: Json, message: str) -> None:
    assert sync.complaint([child("a", labels=labels)]) == message


@pytest.mark.parametrize("change", [{"deletionTimestamp": "2026-01-01T00:00:00Z"}, {"ownerReferences": [OTHER]}, {}])
def test_only_unowned_fields_that_stay_are_adopted(change: JsonObject) -> None:
    assert SELECTING.adopts(child("a", labels={"shop": "main"}, **change)) == (not change)
    assert not Sync(owner=MAIN, selector={}, selects=True).adopts(child("a", **change))


def test_revisions_are_no_children() -> None:
    names = {"name": "r", "labels": {"shop": "other"}, "ownerReferences": [MAIN]}
    revision = {"apiVersion": "metacontroller.k8s.io/v1alpha1", "kind": "ControllerRevision", "metadata": names}
    orphan = {**revision, "metadata": {"name": "r", "labels": {"shop": "main"}}}
    sync = Sync(parent="shop/main", owner=MAIN, selector={"matchLabels": {"shop": "main"}}, selects=True)

    assert [*sync.targets([revision, child("a", MAIN, labels={"shop": "main"})], [])] == [ref_of(child("a"))]
    assert not sync.releases(revision)
    assert not sync.adopts(orphan)


@pytest.mark.parametrize("method", [*UpdateMethod])
def test_a_parent_with_rolling_updates_has_revisions(method: UpdateMethod) -> None:
    rule = {**DEPLOYMENTS, "updateStrategy": {"method": method.value}}
    history = {"revisionHistory": {"fieldPaths": ["spec.size"]}}
    sync = read_controller(controller("CompositeController", "childResources", rule, parentResource=history))
    spec = {"size": 1, "template": {"metadata": {"labels": {"shop": "a"}}}, "selector": {"matchLabels": {"shop": "a"}}}
    revisions = sync.of_parent({"metadata": {"name": "main", "uid": "1"}, "spec": spec}).revisions

    assert (revisions is not None) is method.is_rolling is sync.rolls
    assert revisions is None or (revisions.patch, revisions.are_kept) == ({"spec": {"size": 1}}, True)
    assert method.is_in_place == (method in (UpdateMethod.IN_PLACE, UpdateMethod.ROLLING_IN_PLACE))


@pytest.mark.parametrize(
    ("api_version", "kind", "adopted"),
    [
        ("v1", "ConfigMap", True),
        ("v1", "Secret", False),
        ("networking.k8s.io/v1", "Ingress", True),
        ("networking.k8s.io/v1", "NetworkPolicy", True),
        ("networking.k8s.io/v1", "IngressClass", False),
        ("example.com/v1", "Child", True),
        ("other.example.com/v1", "Child", False),
    ],
)
def test_only_what_the_controller_looks_at_is_adopted(api_version: str, kind: str, adopted: bool) -> None:
    resources = [("v1", "configmaps"), ("networking.k8s.io/v1", "ingresses"), ("example.com/v1", "children")]
    policies: JsonObject = {"apiVersion": "networking.k8s.io/v1", "resource": "networkpolicies"}
    rules = [policies, *({"apiVersion": version, "resource": resource} for version, resource in resources)]
    sync = read_controller(controller("CompositeController", "childResources", *rules))
    spec = {"selector": {"matchLabels": {"shop": "main"}}}
    known = sync.of_parent({"metadata": {"name": "main", "uid": "1"}, "spec": spec})

    assert known.adopts({**child("a", labels={"shop": "main"}), "apiVersion": api_version, "kind": kind}) == adopted
