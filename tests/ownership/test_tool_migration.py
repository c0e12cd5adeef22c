"""Common properties of migrations from kubectl to other programs."""

import pytest

from kubectl_applylint.appliers.request import TOOL_APPLIERS, Applier
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.tool_migration import (
    contradiction,
    forget_last_applied,
    forget_release,
    release_of,
    tool_migration,
)
from tests.stories import MANIFEST, client_side, subject_of
from tests.tools.helm.test_migration import by_helm3


def without(live: JsonObject, field: str) -> JsonObject:
    return {**live, "metadata": {key: value for key, value in live["metadata"].items() if key != field}}


def test_a_release_is_known_by_its_label_and_annotations() -> None:
    found = release_of(by_helm3())

    assert found is not None
    assert (found.name, found.namespace) == ("shop", "shop")


@pytest.mark.parametrize("field", ["labels", "annotations"])
def test_half_of_the_marks_is_no_release(field: str) -> None:
    assert release_of(without(by_helm3(), field)) is None


def test_without_an_origin_nothing_contradicts() -> None:
    assert contradiction(None, None) is None
    assert contradiction(by_helm3(), None) is None


def test_only_an_annotation_that_is_there_is_removed() -> None:
    assert [step.command for step in forget_last_applied(ref_of(MANIFEST), client_side(MANIFEST))] == [
        "kubectl annotate deployment.apps/web -n shop kubectl.kubernetes.io/last-applied-configuration-"
    ]
    assert list(forget_last_applied(ref_of(MANIFEST), by_helm3())) == []
    assert list(forget_last_applied(ref_of(MANIFEST), None)) == []


def test_a_release_is_forgotten_by_its_secrets() -> None:
    (step,) = forget_release(release_of(by_helm3()))

    assert step.command == "kubectl delete secrets -l owner=helm,name=shop -n shop"
    assert list(forget_release(None)) == []


@pytest.mark.parametrize("applier", TOOL_APPLIERS, ids=str)
def test_each_program_besides_kubectl_can_take_objects_over(applier: Applier) -> None:
    plan = tool_migration(applier)(subject_of(MANIFEST, None), None, None)

    assert plan.mode.applier is applier
