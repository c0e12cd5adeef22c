"""The calls of helm-controller 1.6.3 for a HelmRelease."""

import pytest

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.flux.helm_release import HelmReleaseSettings, release_settings
from kubectl_applylint.tools.helm.controller import call_of, drift_call, uninstall_call
from kubectl_applylint.tools.helm.drift import DriftDetection
from kubectl_applylint.tools.helm.method import Method
from kubectl_applylint.tools.helm.release import Release, ReleaseRevision
from kubectl_applylint.tools.helm.upgrade import HelmAction, HelmUpgrade

A: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "shop"}}
KEPT: JsonObject = {
    **A,
    "metadata": {"name": "k", "namespace": "shop", "annotations": {"helm.sh/resource-policy": "keep"}},
}
DEFINITION: JsonObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "gadgets.example.com"},
}
SERVER, CLIENT = ReleaseRevision(1, "deployed", (A,), "ssa"), ReleaseRevision(1, "deployed", (A,), "csa")


def settings(**spec: JsonObject) -> HelmReleaseSettings:
    item: JsonObject = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": "app", "namespace": "shop"},
        "spec": spec,
    }
    return release_settings(ref_of(item), item)


def method(call: HelmUpgrade) -> Method:
    how = call.write(A, A)
    assert how is not None
    return how.method


def test_without_a_revision_the_release_is_installed_server_side_and_adopts() -> None:
    found = call_of(settings(), ())

    assert (found.action, found.release, found.is_server_side) == (HelmAction.INSTALL, Release("app", "shop"), True)
    assert (found.flags.take_ownership, found.flags.force_conflicts, found.applier) == (True, True, "helm-controller")


@pytest.mark.parametrize(
    ("upgrade", "before", "expected"),
    [
        pytest.param({}, SERVER, Method.APPLY, id="as before: server-side"),
        pytest.param({}, CLIENT, Method.PATCH, id="as before: client-side"),
        pytest.param({"serverSideApply": "enabled"}, CLIENT, Method.APPLY, id="from client-side to server-side"),
        pytest.param({"serverSideApply": "disabled"}, SERVER, Method.PATCH, id="from server-side to client-side"),
        pytest.param({"force": True}, SERVER, Method.APPLY, id="no force server-side"),
        pytest.param({"force": True}, CLIENT, Method.REPLACE, id="force client-side"),
    ],
)
def test_an_upgrade_writes_as_the_revision_before_unless_the_release_says_otherwise(
    upgrade: JsonObject, before: ReleaseRevision, expected: Method
) -> None:
    found = call_of(settings(upgrade=upgrade), [before])

    assert (found.action, method(found), found.option_fault) == (HelmAction.UPGRADE, expected, "")


def test_objects_of_others_are_adopted_unless_that_is_disabled() -> None:
    owned = call_of(settings(upgrade={"disableTakeOwnership": True, "cleanupOnFail": True}), [SERVER])
    other = {**A, "metadata": {"name": "b", "namespace": "shop"}}

    assert owned.flags.cleanup_on_fail
    assert owned.import_fault(ref_of(other), other).startswith("unable to continue with update: ")
    assert call_of(settings(), [SERVER]).import_fault(ref_of(other), other) == ""


def test_an_interrupted_revision_counts_as_failed() -> None:
    pending = ReleaseRevision(2, "pending-upgrade", (), "ssa")

    assert call_of(settings(), [SERVER, pending]).originals == (A,)


@pytest.mark.parametrize(
    ("install", "expected"),
    [
        pytest.param({}, Method.APPLY, id="server-side apply changes existing definitions"),
        pytest.param({"serverSideApply": False}, Method.LEAVE, id="client-side leaves them"),
        pytest.param(
            {"serverSideApply": False, "crds": "CreateReplace"}, Method.REPLACE, id="client-side replaces them"
        ),
    ],
)
def test_definitions_are_written_before_the_chart_without_the_marks_of_the_release(
    install: JsonObject, expected: Method
) -> None:
    found = call_of(settings(install=install), (), [ref_of(DEFINITION).identity])
    how = found.write(DEFINITION, DEFINITION)

    assert how is not None
    assert (how.method, how.is_marked) == (expected, False)
    assert found.import_fault(ref_of(DEFINITION), DEFINITION) == ""


def test_an_unchanged_release_is_compared_and_corrected() -> None:
    rule: JsonObject = {"paths": ["/spec/replicas"]}
    found = drift_call(settings(driftDetection={"mode": "enabled", "ignore": [rule]}), [SERVER])

    assert (found.action, method(found), found.drift) == (
        HelmAction.DRIFT,
        Method.CORRECT,
        DriftDetection(True, (rule,)),
    )
    warned = drift_call(settings(driftDetection={"mode": "warn"}), [SERVER]).drift
    assert (warned.corrects, warned.compares) == (False, True)
    assert not drift_call(settings(), [SERVER]).drift.compares


def test_an_uninstall_deletes_what_the_last_revision_has_unless_its_manifest_keeps_it() -> None:
    last = ReleaseRevision(2, "failed", (A, KEPT), "ssa")
    unmarked = {**KEPT, "metadata": {"name": "k", "namespace": "shop"}}

    assert [*uninstall_call(settings(), [SERVER, last]).targets([A, unmarked], [])] == [ref_of(A)]
    assert [*uninstall_call(settings(), []).targets([A], [])] == []


def test_definitions_are_not_compared_with_the_cluster() -> None:
    found = drift_call(settings(driftDetection={"mode": "enabled"}), [SERVER], [ref_of(DEFINITION).identity])
    how = found.write(DEFINITION, None)

    assert how is not None
    assert (how.method, how.drift.compares) == (Method.CORRECT, False)


@pytest.mark.parametrize(
    ("spec", "history", "words"),
    [
        (
            {"upgrade": {"remediation": {"retries": 3}}},
            [SERVER],
            "rolls the release back, and tries the upgrade again (retries: 3); ",
        ),
        (
            {"upgrade": {"remediation": {"retries": -1, "strategy": "uninstall"}}},
            [SERVER],
            "the upgrade again (retries: unlimited)",
        ),
        ({"upgrade": {"remediation": {"remediateLastFailure": True}}}, [SERVER], "rolls the release back; "),
        ({"upgrade": {"strategy": {"name": "RetryOnFailure"}}}, [SERVER], "tries again until it succeeds"),
        ({"install": {"remediation": {"retries": 1}}}, [], "uninstalls the release, and tries the install again"),
    ],
)
def test_a_call_has_a_note_with_what_follows_a_failure(
    spec: JsonObject, history: list[ReleaseRevision], words: str
) -> None:
    note = call_of(settings(**spec), history).after_rejection

    assert note.startswith("HelmRelease shop/app: if an object is rejected, helm-controller ")
    assert words in note


def test_without_remediation_of_the_action_there_is_no_note() -> None:
    found = settings(install={"remediation": {"retries": 3}})

    assert call_of(found, [SERVER]).after_rejection == call_of(settings(), ()).after_rejection == ""
