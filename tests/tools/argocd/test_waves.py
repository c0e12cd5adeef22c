"""Waves after which a sync by Argo CD stops: rows are those of gitops-engine on a 1.36.3 server."""

from collections.abc import Sequence

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.set_apply import SetApply, apply_set
from kubectl_applylint.schema.load import load
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.tools.argocd.options import GROUP
from kubectl_applylint.tools.argocd.program import predicting, sorted_documents
from kubectl_applylint.tools.argocd.projects import AppProject, Permissions
from kubectl_applylint.tools.argocd.settings import ArgoSettings
from tests.engine.test_set_apply import config, having, manifest
from tests.rules.stories import document

SCHEMA = load("1.36")
APP = ArgoApplication("app", "shop")
SYNC = ArgoSync(APP, prunes=True)
BAD = config("bad", **{"a b": "1"})
"""A ConfigMap that every server rejects: the key has a space."""
UNREADABLE = {**config("unreadable"), "metadata": {"name": "unreadable", "namespace": "shop", "labels": {"a": []}}}
UNSERVED = {"apiVersion": "batch/v1beta1", "kind": "CronJob", "metadata": {"name": "old", "namespace": "shop"}}
CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}
WIDGET = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "shop"}}


def with_marks(item: JsonObject, wave: int = 0, options: str = "") -> JsonObject:
    own = {f"{GROUP}/sync-wave": str(wave), f"{GROUP}/sync-options": options}
    return {**item, "metadata": {**item["metadata"], "annotations": own}}


def apply_sync(*manifests: JsonObject, live: Sequence[JsonObject] = (), sync: ArgoSync = SYNC) -> SetApply:
    """Return the outcome of a sync."""
    return apply_set(
        sorted_documents(sync, (document(item, index=index) for index, item in enumerate(manifests))),
        having(*live),
        schema=SCHEMA,
        predict=predicting(sync, SCHEMA),
        policy=sync,
        is_one_by_one=True,
        check=predicting(sync, SCHEMA, only_checks=True),
    )


def verdicts(found: SetApply) -> list[tuple[str, Verdict]]:
    return [(outcome.ref.name, outcome.verdict) for outcome in found.outcomes]


def error_messages(found: SetApply) -> list[str]:
    return [cause.message for outcome in found.outcomes for cause in outcome.errors]


def test_nothing_is_written_where_one_object_fails_its_checks() -> None:
    live = [APP.with_tracking(config("left"))]
    found = apply_sync(config("a"), UNREADABLE, live=live)

    assert verdicts(found) == [("a", Verdict.REJECTED), ("unreadable", Verdict.REJECTED)]
    assert error_messages(found)[0] == "not reached: Argo CD stops at configmap/unreadable"
    assert found.pruned == ()


def test_annotations_are_not_read_where_labels_track() -> None:
    marked_badly = {**config("a"), "metadata": {"name": "a", "namespace": "shop", "annotations": {"a": 1}}}
    by_label = replace(SYNC, application=replace(APP, settings=ArgoSettings("label")))

    assert "failed to set app instance tracking info" in error_messages(apply_sync(marked_badly))[0]
    assert "failed to set app instance tracking info" not in error_messages(apply_sync(marked_badly, sync=by_label))[0]


def test_nothing_is_written_if_the_project_forbids_an_object() -> None:
    project = AppProject("team", {"namespaceResourceBlacklist": [{"group": "", "kind": "Secret"}]})
    sync = ArgoSync(APP, permissions=Permissions((project,)))
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "shop"}}

    assert error_messages(apply_sync(secret, config("a"), sync=sync)) == [
        "resource :Secret is not permitted in project team",
        "not reached: Argo CD stops at secret/s",
    ]


def test_nothing_is_written_where_no_server_has_a_kind() -> None:
    found = apply_sync(config("a"), UNSERVED)
    skipped = apply_sync(config("a"), with_marks(UNSERVED, options="SkipDryRunOnMissingResource=true"))

    assert "failed to discover server resources for group version batch/v1beta1" in error_messages(found)[1]
    assert verdicts(found) == [("a", Verdict.REJECTED), ("old", Verdict.REJECTED)]
    assert verdicts(skipped) == [("a", Verdict.CREATED), ("old", Verdict.REJECTED)]


def test_a_set_may_bring_the_kinds_of_its_own_objects() -> None:
    assert verdicts(apply_sync(WIDGET, CRD)) == [("widgets.example.com", Verdict.CREATED), ("w", Verdict.CREATED)]


def test_a_wave_continues_after_a_failure_and_the_next_one_does_not_begin() -> None:
    found = apply_sync(BAD, config("c"), with_marks(config("next"), 1))

    assert verdicts(found) == [("bad", Verdict.REJECTED), ("c", Verdict.CREATED), ("next", Verdict.REJECTED)]
    assert error_messages(found)[-1] == "not reached: Argo CD stops at configmap/bad"


def test_a_wave_prunes_before_it_applies() -> None:
    live = [APP.with_tracking(item) for item in (config("now"), with_marks(config("later"), options="PruneLast=true"))]

    assert [ref.name for ref in apply_sync(BAD, live=live).pruned] == ["now"]
    assert [ref.name for ref in apply_sync(config("a"), live=live).pruned] == ["now", "later"]
    assert apply_sync(config("a"), live=live, sync=ArgoSync(APP)).pruned == ()


def test_the_port_of_a_service_is_free_in_the_wave_after_the_one_that_prunes_it() -> None:
    spec = {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30080}]}
    old, new = (manifest("Service", name, "shop", spec=spec) for name in ("old", "new"))
    live = [APP.with_tracking(old)]
    at_once = ArgoSync(ArgoApplication("app", "shop", frozenset({"PrunePropagationPolicy=background"})), prunes=True)

    assert verdicts(apply_sync(new, live=live)) == [("new", Verdict.REJECTED)]
    assert verdicts(apply_sync(with_marks(new, 1), live=live)) == [("new", Verdict.CREATED)]
    assert verdicts(apply_sync(new, live=live, sync=at_once)) == [("new", Verdict.CREATED)]
    assert verdicts(apply_sync(with_marks(new, 1), live=live, sync=ArgoSync(APP))) == [("new", Verdict.REJECTED)]


def test_a_sync_waits_for_a_confirmation() -> None:
    live = [APP.with_tracking(with_marks(config("asked"), 1, "Prune=confirm"))]
    found = apply_sync(config("a"), with_marks(config("b"), 1), live=live)
    confirmed = ArgoSync(APP, prunes=True, is_confirmed=True)

    assert verdicts(found) == [("a", Verdict.CREATED), ("b", Verdict.REJECTED)]
    waits = "not reached: Argo CD is waiting for pruning confirmation of /ConfigMap/asked"
    assert (error_messages(found), found.pruned) == ([waits], ())
    assert [ref.name for ref in apply_sync(config("a"), live=live, sync=confirmed).pruned] == ["asked"]


def test_a_dry_run_is_left_out_where_a_confirmation_is_missing() -> None:
    live = [APP.with_tracking(with_marks(config("asked"), 1, "Prune=confirm"))]

    assert verdicts(apply_sync(config("a"), UNREADABLE, live=live))[0] == ("a", Verdict.CREATED)


def test_the_next_wave_waits_for_an_object_that_is_being_deleted() -> None:
    dying = config("a", a="1")
    dying = {**dying, "metadata": {**dying["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}
    found = apply_sync(config("a", a="2"), with_marks(config("b"), 1), live=[dying])

    assert [verdict for _, verdict in verdicts(found)] == [Verdict.CONFIGURED, Verdict.REJECTED]
