"""Differences of appliers of sets: where they stop, and deletions after a failure."""

from dataclasses import replace
from typing import Any

import pytest

from kubectl_applylint.appliers.flags import Policy
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.state import Identity, ObjectRef
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.process import SetParts
from kubectl_applylint.engine.set_policies import (
    applier_name,
    deletions_after_failure,
    deletions_before_apply,
    is_deleted_before,
    process_of,
    program_policy,
    remedy_of,
    stop_before,
)
from kubectl_applylint.schema.load import load
from kubectl_applylint.tools.flux.kustomization import FluxKustomization, Reconciliation
from kubectl_applylint.tools.flux.stages import Stages
from kubectl_applylint.tools.helm.flags import HelmFlags
from kubectl_applylint.tools.helm.release import Release
from kubectl_applylint.tools.helm.upgrade import install
from kubectl_applylint.tools.kapp.app import KappApp
from kubectl_applylint.tools.kapp.deploy import KappDeploy
from kubectl_applylint.tools.metacontroller.children import IN_PLACE
from kubectl_applylint.tools.metacontroller.sync import ChildrenSync

A, B = (ObjectRef("v1", "ConfigMap", "shop", name) for name in "ab")
FAILED = Outcome(A, Verdict.REJECTED)
HELM = replace(install(Release("app", "shop"), HelmFlags(), is_helm4=False), adopted=frozenset((A.identity,)))
KAPP = KappDeploy(KappApp("app", "shop", "7"), refusal="no")


@pytest.mark.parametrize(
    ("policy", "name", "stop", "deleted"),
    [(None, "", None, []), (HELM, "Helm", A, []), (KAPP, "kapp", None, [B]), (IN_PLACE, "", None, [B])],
    ids=["kubectl", "Helm", "kapp", "Metacontroller"],
)
def test_policies(policy: Policy | None, name: str, stop: ObjectRef | None, deleted: list[ObjectRef]) -> None:
    assert applier_name(policy) == name
    assert stop_before(policy, B, [FAILED]) == stop
    assert list(deletions_after_failure(policy, lambda: [B], [FAILED])) == deleted
    assert not is_deleted_before(policy, A, B)
    assert remedy_of(policy) == ""


@pytest.mark.parametrize(("policy", "gone"), [(None, set()), (HELM, set()), (IN_PLACE, {B.identity})])
def test_only_metacontroller_deletes_before_it_applies(policy: Policy | None, gone: set[Identity]) -> None:
    assert deletions_before_apply(policy, lambda: [B]) == gone


def test_a_set_of_kubectl_has_no_process() -> None:
    parts = SetParts((), ClusterModel(), load("1.36"), *[_never_asked] * 6)

    assert [process_of(policy, parts) for policy in (None, HELM)] == [None] * 2
    assert process_of(IN_PLACE, parts) == ChildrenSync(IN_PLACE, parts)
    assert process_of(Reconciliation(FluxKustomization("app", "shop")), parts) == Stages(parts)
    assert (program_policy(KAPP), program_policy(IN_PLACE)) == (KAPP, None)


def _never_asked(*_: object) -> Any:
    raise AssertionError
