"""Validation of annotations that pods are run by: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import pod, rejection_messages

BASE: Final = pod()


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"metadata": {"annotations": {"kubernetes.io/config.mirror": "a"}}},
            [
                (
                    'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "a": must set '
                    "spec.nodeName if mirror pod annotation is set"
                )
            ],
            id="mirror",
        ),
        pytest.param(
            {"metadata": {"annotations": {"container.apparmor.security.beta.kubernetes.io/c": "strict"}}},
            [
                (
                    "metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: Invalid "
                    'value: "strict": invalid AppArmor profile name: "strict"'
                )
            ],
            id="profile",
        ),
        pytest.param(
            {"metadata": {"annotations": {"container.apparmor.security.beta.kubernetes.io/d": "runtime/default"}}},
            [
                (
                    "metadata.annotations[container.apparmor.security.beta.kubernetes.io/d]: Invalid "
                    'value: "d": container not found'
                )
            ],
            id="profile of no container",
        ),
    ],
)
def test_errors_of_annotations_that_pods_are_run_by(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
