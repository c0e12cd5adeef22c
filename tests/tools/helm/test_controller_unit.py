"""HelmReleases as units: how the controller applies them against an earlier revision, a snapshot or a cluster."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Holder
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unit_program import unit_program
from kubectl_applylint.tools.flux.rendered_positions import at_declaration
from kubectl_applylint.tools.helm.controller_unit import (
    compared_with_earlier_revision,
    recorded_in_cluster,
    unit_of_release,
)
from kubectl_applylint.tools.helm.release import Release
from kubectl_applylint.tools.helm.upgrade import HelmAction, HelmUnit, HelmUpgrade
from kubectl_applylint.units.model import Applied, Form, Unit
from tests.engine.test_set_apply import CRD
from tests.rules.stories import document
from tests.sources.cluster.test_helm_releases import secret
from tests.stories import SCHEMA
from tests.tools.helm.test_unit import snapshot

OWNER: Final = ObjectRef("helm.toolkit.fluxcd.io/v2", "HelmRelease", "prod", "shop")
PROGRAM: Final = unit_program(Applier.HELM_CONTROLLER)
ASKED: Final = AskedApplier(None)


def config(value: str = "x", name: str = "a") -> Document:
    metadata = {"name": name, "namespace": "prod"}
    return document({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": value}})


def release_secret(*documents: Document, status: str = "deployed") -> JsonObject:
    manifest = "\n---\n".join(json.dumps(one.object) for one in documents)
    return secret(1, status=status, apply_method="ssa", manifest=manifest)


def release(**spec: JsonObject) -> HelmUnit:
    item = {"apiVersion": OWNER.api_version, "kind": OWNER.kind, "metadata": {"name": "shop", "namespace": "prod"}}
    applied = Applied("flux", tool_object={**item, "spec": spec}, declared_by=OWNER)
    found = unit_of_release(ASKED, Unit("shop", Form.RELEASE, frozenset(), applied), "default")
    assert found is not None
    return found


def reading(*documents: Document) -> Reading:
    return Reading(SCHEMA, documents, (), (), (), None, (), ())


def policy(found: Reading) -> HelmUpgrade:
    assert isinstance(found.policy, HelmUpgrade)
    return found.policy


def test_a_unit_of_a_helm_release_has_its_settings() -> None:
    found = release(upgrade={"force": True})

    assert (found.release, found.flags.is_by_controller, found.flags.force_replace) == (
        Release("shop", "prod"),
        True,
        True,
    )


def test_another_unit_counts_only_if_that_is_supposed() -> None:
    other = Unit("charts/web", Form.CHART, frozenset(), Applied("helm"))

    assert unit_of_release(ASKED, other, "here") is None
    found = unit_of_release(AskedApplier(Applier.HELM_CONTROLLER, is_supposed=True), other, "here")
    assert found is not None
    assert found.release == Release("web", "here")


@pytest.mark.parametrize(("is_new", "action"), [(False, HelmAction.UPGRADE), (True, HelmAction.INSTALL)])
def test_the_earlier_revision_is_what_the_release_has_stored(is_new: bool, action: HelmAction) -> None:
    both = reading(*([] if is_new else [config()])), reading(config("y"))
    past, now = compared_with_earlier_revision(release(), both, is_new=is_new)

    assert (policy(now).action, policy(now).is_server_side) == (action, True)
    assert policy(now).originals == policy(past).originals == (() if is_new else (config().object,))


def test_a_client_side_release_stays_client_side() -> None:
    found = release(install={"serverSideApply": False})
    _, now = compared_with_earlier_revision(found, (reading(config()), reading(config("y"))), is_new=False)

    assert not policy(now).is_server_side


def test_definitions_of_the_chart_belong_to_no_release() -> None:
    definition = at_declaration(document(CRD), config(), 0, is_chart_definition=True)
    both = reading(definition, config()), reading(definition, config("y"))
    _, now = compared_with_earlier_revision(release(), both, is_new=False)

    assert policy(now).originals == (config().object,)
    assert policy(now).definitions == {ref_of(CRD).identity}
    assert [PROGRAM.holder(release(), one) for one in (definition, config())] == [None, Holder("shop", "prod")]


@pytest.mark.parametrize(
    ("status", "value", "action"),
    [
        pytest.param("deployed", "x", HelmAction.DRIFT, id="unchanged"),
        pytest.param("deployed", "y", HelmAction.UPGRADE, id="changed"),
        pytest.param("failed", "x", HelmAction.UPGRADE, id="failed"),
    ],
)
def test_a_stored_release_is_upgraded_unless_it_has_the_same_objects(
    tmp_path: Path, status: str, value: str, action: HelmAction
) -> None:
    found = recorded_in_cluster(
        release(), snapshot(tmp_path, release_secret(config(), status=status)), reading(config(value))
    )

    assert (policy(found).action, policy(found).unknown) == (action, "")


def test_a_release_that_is_not_stored_is_installed(tmp_path: Path) -> None:
    other = replace(release(), release=Release("other", "prod"))
    found = recorded_in_cluster(other, snapshot(tmp_path, release_secret(config())), reading(config()))

    assert policy(found).action is HelmAction.INSTALL


def test_without_secrets_the_release_is_unknown(tmp_path: Path) -> None:
    found = recorded_in_cluster(release(), snapshot(tmp_path, config().object), reading(config()))

    assert "has no Secrets" in policy(found).unknown
    assert policy(found).applier is Applier.HELM_CONTROLLER


def test_a_deleted_helm_release_is_uninstalled_unless_it_is_suspended(tmp_path: Path) -> None:
    removed = PROGRAM.removed(release())
    assert isinstance(removed, HelmUnit)
    _, now = compared_with_earlier_revision(removed, (reading(config()), reading()), is_new=False)
    live = recorded_in_cluster(removed, snapshot(tmp_path, release_secret(config(), config(name="b"))), reading())

    assert [ref.name for ref in policy(now).targets([config().object], [])] == ["a"]
    assert [ref_of(item).name for item in policy(live).originals] == ["a", "b"]
    assert PROGRAM.removed(release(suspend=True)) is None  # type: ignore[arg-type]  # no object
