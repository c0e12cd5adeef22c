"""The Pod Security Standards: the checks of the levels ``baseline`` and ``restricted``, by version.

Mirrors ``policy`` of k8s.io/pod-security-admission from version 1.19 on, with its messages.
"""

from collections.abc import Callable, Iterator
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.server.admission import pod_security_baseline as baseline
from kubectl_applylint.server.admission import pod_security_restricted as restricted
from kubectl_applylint.server.admission.pod_security_pod import Pod


@dataclass(frozen=True, slots=True)
class _Check:
    """One check: ``look`` gets a pod and the minor of the policy, and returns the violation, or an empty text."""

    name: str
    look: Callable[[Pod, int], str]
    since: int = 0
    instead_of: str = ""
    """The check of the level ``baseline`` that this one replaces."""


_BASELINE: Final = (
    _Check("appArmorProfile", baseline.app_armor),
    _Check("capabilities_baseline", baseline.capabilities),
    _Check("hostNamespaces", baseline.host_namespaces),
    _Check("hostPathVolumes", baseline.host_paths),
    _Check("hostPorts", baseline.host_ports),
    _Check("hostProbesAndHostLifecycle", baseline.probe_hosts, since=34),
    _Check("privileged", baseline.privileged_containers),
    _Check("procMount", baseline.proc_mount),
    _Check("seLinuxOptions", baseline.se_linux),
    _Check("seccompProfile_baseline", baseline.seccomp),
    _Check("sysctls", baseline.sysctls),
    _Check("windowsHostProcess", baseline.host_process),
)
_RESTRICTED: Final = (
    _Check("allowPrivilegeEscalation", restricted.escalation),
    _Check("capabilities_restricted", restricted.capabilities, since=22, instead_of="capabilities_baseline"),
    _Check("procMount_restricted", baseline.masked_proc_mount, since=35, instead_of="procMount"),
    _Check("restrictedVolumes", restricted.volumes, instead_of="hostPathVolumes"),
    _Check("runAsNonRoot", restricted.non_root),
    _Check("runAsUser", restricted.root_user, since=23),
    _Check("seccompProfile_restricted", restricted.seccomp, instead_of="seccompProfile_baseline"),
)


def violations(pod: Pod, level: str, minor: int) -> Iterator[str]:
    """Yield the violations of a level by a pod, in version 1.``minor`` of the standards."""
    strict = [check for check in _RESTRICTED if level == "restricted" and check.since <= minor]
    replaced = {check.instead_of for check in strict}
    basic = [check for check in _BASELINE if level != "privileged" and check.since <= minor]
    for check in (*(each for each in basic if each.name not in replaced), *strict):
        found = check.look(pod, minor)
        if found:
            yield found
