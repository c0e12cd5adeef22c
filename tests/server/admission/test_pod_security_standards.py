"""The checks of each level by version: https://kubernetes.io/docs/concepts/security/pod-security-standards/."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.pod_security_pod import Pod
from kubectl_applylint.server.admission.pod_security_standards import violations

BAD: JsonObject = {
    "hostNetwork": True,
    "volumes": [{"name": "h", "hostPath": {"path": "/"}}],
    "securityContext": {"runAsUser": 0, "seccompProfile": {"type": "Unconfined"}},
    "containers": [
        {
            "name": "a",
            "securityContext": {"procMount": "Unmasked", "capabilities": {"add": ["NET_ADMIN"]}},
            "livenessProbe": {"httpGet": {"host": "x"}},
        }
    ],
}


def violation_names(level: str, minor: int, spec: JsonObject = BAD) -> list[str]:
    """Return the first words of each violation."""
    return [text.partition(" (")[0] for text in violations(Pod({}, spec), level, minor)]


@pytest.mark.parametrize("minor", [0, 36])
def test_a_privileged_pod_may_do_everything(minor: int) -> None:
    assert violation_names("privileged", minor) == []


def test_a_baseline_pod() -> None:
    assert violation_names("baseline", 36) == [
        "non-default capabilities",
        "host namespaces",
        "hostPath volumes",
        "probe or lifecycle host",
        "procMount",
        "seccompProfile",
    ]


def test_checks_of_the_strict_level_take_the_place_of_others() -> None:
    assert violation_names("restricted", 36) == [
        "host namespaces",
        "probe or lifecycle host",
        "allowPrivilegeEscalation != false",
        "unrestricted capabilities",
        "procMount",
        "restricted volume types",
        "runAsNonRoot != true",
        "runAsUser=0",
        "seccompProfile",
    ]


@pytest.mark.parametrize(
    ("level", "minor", "words", "is_checked"),
    [
        ("baseline", 33, "probe or lifecycle host", False),
        ("baseline", 34, "probe or lifecycle host", True),
        ("restricted", 22, "runAsUser=0", False),
        ("restricted", 23, "runAsUser=0", True),
        ("restricted", 21, "unrestricted capabilities", False),
        ("restricted", 22, "unrestricted capabilities", True),
        ("restricted", 21, "non-default capabilities", True),
        ("restricted", 22, "non-default capabilities", False),
    ],
)
def test_a_level_has_the_checks_of_its_version(level: str, minor: int, words: str, is_checked: bool) -> None:
    assert (words in violation_names(level, minor)) == is_checked


@pytest.mark.parametrize(
    ("level", "minor", "found"),
    [("baseline", 34, True), ("baseline", 35, False), ("restricted", 34, True), ("restricted", 35, True)],
)
def test_with_users_of_its_own_only_a_restricted_pod_has_to_mask_proc(level: str, minor: int, found: bool) -> None:
    assert ("procMount" in violation_names(level, minor, {**BAD, "hostUsers": False})) == found
