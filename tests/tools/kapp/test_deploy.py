"""A deploy as a whole: which objects it writes and deletes, in which order, and why it does not begin."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.kapp.app import UNKNOWN_LABEL, KappApp, with_identity
from kubectl_applylint.tools.kapp.deploy import KappDeploy, KappFlags, KappPlan, deploy_plan
from kubectl_applylint.tools.kapp.matchers import KappError
from kubectl_applylint.tools.kapp.memory import with_history
from kubectl_applylint.tools.kapp.rules import KappRules

APP = KappApp("app", "shop", "7")
PLAIN = KappFlags()


def config(name: str, annotations: JsonObject | None = None, kind: str = "ConfigMap", **more: Json) -> JsonObject:
    metadata = {"name": name, "namespace": "shop", **({"annotations": annotations} if annotations else {})}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, **more}


def live(item: JsonObject, app: KappApp = APP) -> JsonObject:
    labelled = app.with_app_labels(item, KappRules())
    kept = with_history(with_identity(labelled), labelled, KappRules())
    assert kept is not None
    return with_identity(kept)


def plan(manifests: Sequence[JsonObject], objects: Sequence[JsonObject] = (), flags: KappFlags = PLAIN) -> KappPlan:
    return deploy_plan(KappDeploy(APP, flags), manifests, objects)


def deleted_names(found: KappPlan) -> list[str]:
    return [ref.name for ref in found.policy.deleted]


def test_objects_removed_from_the_set_are_deleted() -> None:
    copy = {**live(config("c")), "metadata": {**live(config("c"))["metadata"], "name": "copy"}}
    found = plan([config("a")], [live(config("a")), live(config("b")), copy, config("theirs")])

    assert deleted_names(found) == ["b"]
    assert list(found.policy.targets([live(config("b"))], ())) == [ref_of(config("b"))]
    assert list(found.policy.targets([], ())) == []


def test_a_copy_of_the_labels_is_deleted_where_it_has_what_kapp_remembers() -> None:
    item = live(config("b"))
    annotations = {key: text for key, text in item["metadata"]["annotations"].items() if not key.endswith("identity")}
    nameless = {**item, "metadata": {**item["metadata"], "annotations": annotations}}

    assert deleted_names(plan([config("a")], [nameless])) == ["b"]
    assert deleted_names(plan([config("a")], [nameless], KappFlags(by_memory=False))) == []


@pytest.mark.parametrize(
    ("app", "objects"),
    [
        (APP, [{**config("app"), "metadata": {**config("app")["metadata"], "labels": {"kapp.k14s.io/is-app": ""}}}]),
        (KappApp("app", "shop", UNKNOWN_LABEL, frozenset()), []),
    ],
    ids=["recorded", "first deploy"],
)
def test_the_record_of_the_app_cannot_be_in_its_set(app: KappApp, objects: list[JsonObject]) -> None:
    with pytest.raises(KappError) as ended:
        deploy_plan(KappDeploy(app), [config("a"), config("app")], objects)

    assert str(ended.value) == (
        "Disallowed labels errors:\n"
        "- Resource 'configmap/app (v1) namespace: shop' has a disallowed label 'kapp.k14s.io/is-app'"
    )


def test_objects_of_kinds_that_the_app_does_not_know_are_not_found() -> None:
    objects = [live(config("a")), live(config("b")), live(config("s", kind="Secret"))]

    def names(kinds: frozenset[tuple[str, str]]) -> list[str]:
        return deleted_names(deploy_plan(KappDeploy(replace(APP, kinds=kinds)), [config("a")], objects))

    assert names(frozenset()) == ["b"]
    assert names(frozenset((("", "Secret"),))) == ["b", "s"]


@pytest.mark.parametrize(
    ("flags", "item"),
    [
        (KappFlags(is_patch=True), config("b")),
        (KappFlags(), config("b", {"kapp.k14s.io/delete-strategy": "orphan"})),
        (KappFlags(), {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}),
    ],
)
def test_orphaned_and_excluded_objects_are_not_deleted(flags: KappFlags, item: JsonObject) -> None:
    assert deleted_names(plan([config("a")], [live(item)], flags)) == []


def test_objects_are_written_in_rounds_in_the_order_of_the_set() -> None:
    workload = {**config("w", kind="Deployment"), "apiVersion": "apps/v1"}
    found = plan([workload, config("b"), config("a"), config("a")])

    assert [(place, item["metadata"]["name"]) for place, item in found.manifests] == [(1, "b"), (2, "a"), (0, "w")]
    assert found.policy.steps[ref_of(workload).identity].waits == {ref_of(config(n)).identity for n in ("a", "b")}


def test_objects_that_are_not_written_have_no_step() -> None:
    idle = [config("same"), config("noop", {"kapp.k14s.io/noop": ""}), config("there", {"kapp.k14s.io/exists": ""})]
    found = plan([*idle, config("new")], [live(config("same")), config("there")])

    assert found.policy.steps.keys() == {ref_of(config("new")).identity}


@pytest.mark.parametrize(
    ("manifests", "flags", "message"),
    [
        ([], KappFlags(), "Trying to apply empty set of resources"),
        ([config("a"), config("a", data={"x": "1"})], KappFlags(), "Found resource 'configmap/a .* multiple times"),
        ([config("theirs")], KappFlags(), "is already associated with a different label 'kapp.k14s.io/app=8'"),
    ],
)
def test_a_deploy_does_not_begin(manifests: list[JsonObject], flags: KappFlags, message: str) -> None:
    with pytest.raises(KappError, match=message):
        plan(manifests, [live(config("theirs"), KappApp("other", "shop", "8"))], flags)


def test_a_deploy_begins_where_a_flag_or_an_annotation_allows_it() -> None:
    theirs = [live(config("theirs"), KappApp("other", "shop", "8"))]

    assert plan([], [live(config("a"))], KappFlags(allows_empty=True)).manifests == ()
    assert plan([config("theirs")], theirs, KappFlags(overrides_ownership=True)).manifests
    assert plan([config("theirs", {"kapp.k14s.io/noop": ""})], theirs).manifests


def test_a_new_version_is_written_as_one() -> None:
    found = plan([config("a", {"kapp.k14s.io/versioned": ""})])
    (_, item), *_ = found.manifests

    assert item["metadata"]["name"] == "a-ver-1"
    assert found.policy.write(ref_of(item)).is_new_version


def test_a_version_that_is_the_same_is_idle() -> None:
    versioned = config("a", {"kapp.k14s.io/versioned": ""})
    first = plan([versioned]).manifests[0][1]
    kept = with_history(with_identity(first), first, KappRules())
    assert kept is not None
    found = plan([versioned], [with_identity(kept)])

    assert found.policy.steps == {}
    assert [item["metadata"]["name"] for _, item in found.manifests] == ["a-ver-1"]


def test_a_failure_stops_later_rounds_or_only_what_waits_for_it() -> None:
    workload, other = {**config("w", kind="Deployment"), "apiVersion": "apps/v1"}, config("a")
    unrelated = config("s", {"kapp.k14s.io/change-rule": "upsert after upserting x"}, "Secret")
    group = config("g", {"kapp.k14s.io/change-group": "x"})
    early = plan([workload, other, group, unrelated]).policy
    late = plan([workload, other, group, unrelated], flags=KappFlags(exits_early=False)).policy
    failed = [ref_of(other)]

    assert early.stop(ref_of(workload), failed) == early.stop(ref_of(unrelated), failed) == ref_of(other)
    assert late.stop(ref_of(workload), failed) == ref_of(other)
    assert late.stop(ref_of(unrelated), failed) is None
    assert early.stop(ref_of(unrelated), failed, [ref_of(other).identity]) is None
    assert early.stop(ref_of(config("stranger")), failed) is None
