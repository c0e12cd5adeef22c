"""Violations of restricted, in the words of kube-apiserver 1.36.3 (pod_security.yaml has whole answers)."""

from collections.abc import Callable

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.server.admission import pod_security_restricted as restricted
from kubectl_applylint.server.admission.pod_security_pod import Pod

Look = Callable[[Pod, int], str]
MUST_NOT_RUN = "must set securityContext.runAsNonRoot=true"
DEFAULT = {"seccompProfile": {"type": "RuntimeDefault"}}


def pod(*contexts: Json, **spec: Json) -> Pod:
    """Return a pod with containers ``a``, ``b`` of these security contexts."""
    containers = [{"name": name, "securityContext": context} for name, context in zip("ab", contexts, strict=False)]
    return Pod({}, {"containers": containers, **spec})


@pytest.mark.parametrize(
    ("look", "subject", "words"),
    [
        pytest.param(restricted.escalation, pod({"allowPrivilegeEscalation": False}), "", id="no escalation"),
        pytest.param(
            restricted.escalation,
            pod({"allowPrivilegeEscalation": True}, None),
            'allowPrivilegeEscalation != false (containers "a", "b" must set '
            "securityContext.allowPrivilegeEscalation=false)",
            id="escalation, said or not",
        ),
        pytest.param(
            restricted.capabilities,
            pod({"capabilities": {"drop": ["X", "ALL"], "add": ["NET_BIND_SERVICE"]}}),
            "",
            id="the one capability",
        ),
        pytest.param(
            restricted.capabilities,
            pod({"capabilities": {"drop": ["ALL"], "add": ["CHOWN"]}}, {"capabilities": {"drop": ["all"]}}),
            'unrestricted capabilities (container "b" must set securityContext.capabilities.drop=["ALL"]; '
            'container "a" must not include "CHOWN" in securityContext.capabilities.add)',
            id="capabilities",
        ),
        pytest.param(
            restricted.volumes,
            pod(volumes=[{"name": "e", "emptyDir": {}}, {"name": "s", "secret": {}, "nfs": None}]),
            "",
            id="volumes of the cluster",
        ),
        pytest.param(
            restricted.volumes,
            pod(volumes=[{"name": "n", "nfs": {}}, {"name": "m", "nfs": {}}, {"name": "u"}]),
            'restricted volume types (volumes "n", "m", "u" use restricted volume types "nfs", "unknown")',
            id="volumes from elsewhere",
        ),
        pytest.param(restricted.non_root, pod({}, {}, securityContext={"runAsNonRoot": True}), "", id="no root"),
        pytest.param(
            restricted.non_root,
            pod({"runAsNonRoot": False}, securityContext={"runAsNonRoot": True}),
            'runAsNonRoot != true (container "a" must not set securityContext.runAsNonRoot=false)',
            id="root in one container",
        ),
        pytest.param(
            restricted.non_root,
            pod({"runAsNonRoot": True}, {}),
            f'runAsNonRoot != true (pod or container "b" {MUST_NOT_RUN})',
            id="root is possible",
        ),
        pytest.param(restricted.root_user, pod({"runAsUser": 1}, {}), "", id="another user"),
        pytest.param(
            restricted.root_user,
            pod({"runAsUser": 0}, securityContext={"runAsUser": 0}),
            'runAsUser=0 (pod and container "a" must not set runAsUser=0)',
            id="root",
        ),
        pytest.param(restricted.seccomp, pod({}, securityContext=DEFAULT), "", id="seccomp of the pod"),
        pytest.param(
            restricted.seccomp,
            pod(DEFAULT, {}),
            'seccompProfile (pod or container "b" must set securityContext.seccompProfile.type to "RuntimeDefault" or '
            '"Localhost")',
            id="no seccomp",
        ),
        pytest.param(
            restricted.seccomp,
            pod({"seccompProfile": {"type": "Unconfined"}}, {}),
            'seccompProfile (container "a" must not set securityContext.seccompProfile.type to "Unconfined")',
            id="seccomp switched off",
        ),
    ],
)
def test_violations_of_restricted_are_named(look: Look, subject: Pod, words: str) -> None:
    assert look(subject, 36) == words


@pytest.mark.parametrize("look", [restricted.escalation, restricted.capabilities, restricted.seccomp])
def test_windows_pods_skip_linux_checks_since_1_25(look: Look) -> None:
    windows = pod({}, os={"name": "windows"})

    assert [bool(look(windows, minor)) for minor in (24, 25)] == [True, False]


@pytest.mark.parametrize("look", [restricted.non_root, restricted.root_user])
def test_with_users_of_its_own_a_pod_may_run_as_root_since_1_35(look: Look) -> None:
    root = pod({"runAsUser": 0}, hostUsers=False)

    assert [bool(look(root, minor)) for minor in (34, 35)] == [True, False]
