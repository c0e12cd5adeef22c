"""Violations of baseline, in the words of kube-apiserver 1.36.3 (pod_security.yaml has whole answers)."""

from collections.abc import Callable

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.admission import pod_security_baseline as baseline
from kubectl_applylint.server.admission.pod_security_pod import Pod

Look = Callable[[Pod, int], str]


def pod(*contexts: Json, metadata: Json = None, **spec: Json) -> Pod:
    """Return a pod with containers ``a``, ``b`` of these security contexts."""
    containers = [{"name": name, "securityContext": context} for name, context in zip("ab", contexts, strict=False)]
    return Pod(metadata or {}, {"containers": containers, **spec})


def container(**content: Json) -> Pod:
    return Pod({}, {"containers": [{"name": "a", **content}]})


def profile(field: str, kind: str) -> JsonObject:
    return {field: {"type": kind}}


ARMOR = "container.apparmor.security.beta.kubernetes.io/a"
FORBIDDEN = "must not set AppArmor profile type to"


@pytest.mark.parametrize(
    ("look", "subject", "words"),
    [
        pytest.param(baseline.app_armor, pod(profile("appArmorProfile", "Localhost")), "", id="AppArmor, local"),
        pytest.param(
            baseline.app_armor,
            pod(profile("appArmorProfile", "Unconfined")),
            f'forbidden AppArmor profile (container "a" {FORBIDDEN} "Unconfined")',
            id="AppArmor, none",
        ),
        pytest.param(
            baseline.app_armor, pod(metadata={"annotations": {ARMOR: "localhost/x"}}), "", id="AppArmor, noted"
        ),
        pytest.param(
            baseline.app_armor,
            pod(metadata={"annotations": {ARMOR: "unconfined"}}, securityContext=profile("appArmorProfile", "x")),
            f'forbidden AppArmor profiles (pod and annotation {FORBIDDEN} "x", "{ARMOR}="unconfined"")',
            id="AppArmor, in both ways",
        ),
        pytest.param(baseline.capabilities, pod({"capabilities": {"add": ["CHOWN"]}}), "", id="usual capability"),
        pytest.param(baseline.capabilities, pod({"capabilities": {"add": None}}), "", id="no capabilities"),
        pytest.param(
            baseline.capabilities,
            pod({"capabilities": {"add": ["SYS_TIME", "CHOWN"]}}, {"capabilities": {"add": ["NET_ADMIN"]}}),
            'non-default capabilities (containers "a", "b" must not include "NET_ADMIN", "SYS_TIME" in '
            "securityContext.capabilities.add)",
            id="capabilities",
        ),
        pytest.param(baseline.host_namespaces, pod(hostNetwork=False, hostPID=None), "", id="own namespaces"),
        pytest.param(
            baseline.host_namespaces,
            pod(hostIPC=True, hostNetwork=True),
            "host namespaces (hostNetwork=true, hostIPC=true)",
            id="namespaces of the node",
        ),
        pytest.param(baseline.host_paths, pod(volumes=[{"name": "v", "hostPath": None}]), "", id="null is no path"),
        pytest.param(
            baseline.host_paths,
            pod(volumes=[{"name": "v", "hostPath": {}}]),
            'hostPath volumes (volume "v")',
            id="path",
        ),
        pytest.param(baseline.host_ports, container(ports=[{"hostPort": 0}, {}]), "", id="port 0 is none"),
        pytest.param(
            baseline.host_ports,
            container(ports=[{"hostPort": 80}, {"hostPort": 443}]),
            'hostPort (container "a" uses hostPorts 443, 80)',
            id="ports, sorted as texts",
        ),
        pytest.param(
            baseline.probe_hosts, container(readinessProbe={"httpGet": {"host": ""}}), "", id="the pod is asked"
        ),
        pytest.param(
            baseline.probe_hosts,
            container(startupProbe={"tcpSocket": {"host": "x"}}, lifecycle={"postStart": {"httpGet": {"host": "w"}}}),
            'probe or lifecycle host (container "a" uses probe or lifecycle hosts "w", "x")',
            id="another host is asked",
        ),
        pytest.param(baseline.privileged_containers, pod({"privileged": False}, None), "", id="not privileged"),
        pytest.param(
            baseline.privileged_containers,
            pod({"privileged": True}, {"privileged": True}),
            'privileged (containers "a", "b" must not set securityContext.privileged=true)',
            id="privileged",
        ),
        pytest.param(baseline.masked_proc_mount, pod({"procMount": "Default"}, {}), "", id="proc masked"),
        pytest.param(
            baseline.masked_proc_mount,
            pod({"procMount": "Unmasked"}),
            'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
            id="proc not masked",
        ),
        pytest.param(baseline.se_linux, pod({"seLinuxOptions": {"type": "container_t", "user": ""}}), "", id="SELinux"),
        pytest.param(
            baseline.se_linux,
            pod({"seLinuxOptions": {"type": "x"}}, securityContext={"seLinuxOptions": {"role": "r"}}),
            'seLinuxOptions (pod and container "a" set forbidden securityContext.seLinuxOptions: type "x"; '
            "role may not be set)",
            id="SELinux of its own",
        ),
        pytest.param(baseline.seccomp, pod(profile("seccompProfile", "RuntimeDefault"), {}), "", id="seccomp"),
        pytest.param(
            baseline.seccomp,
            pod(profile("seccompProfile", "Unconfined"), profile("seccompProfile", "Unconfined")),
            'seccompProfile (containers "a", "b" must not set securityContext.seccompProfile.type to "Unconfined")',
            id="no seccomp",
        ),
        pytest.param(
            baseline.host_process,
            pod({"windowsOptions": {"hostProcess": True}}, {"windowsOptions": {"hostProcess": False}}),
            'hostProcess (container "a" must not set securityContext.windowsOptions.hostProcess=true)',
            id="process of the node",
        ),
    ],
)
def test_violations_of_baseline_are_named(look: Look, subject: Pod, words: str) -> None:
    assert look(subject, 36) == words


@pytest.mark.parametrize(
    ("name", "since"),
    [("net.ipv4.tcp_syncookies", 0), ("net.ipv4.ip_local_reserved_ports", 27), ("net.ipv4.tcp_rmem", 32)],
)
def test_settings_of_the_kernel_are_safe_since_a_version(name: str, since: int) -> None:
    subject = pod(securityContext={"sysctls": [{"name": name}, {"name": "kernel.msgmax"}]})

    assert baseline.sysctls(subject, since) == "forbidden sysctls (kernel.msgmax)"
    assert since == 0 or baseline.sysctls(subject, since - 1) == f"forbidden sysctls ({name}, kernel.msgmax)"
    assert baseline.sysctls(pod(), 36) == ""


def test_types_and_users_that_later_versions_allow() -> None:
    engine = pod({"seLinuxOptions": {"type": "container_engine_t"}})
    unmasked = pod({"procMount": "Unmasked"}, hostUsers=False)

    assert [bool(baseline.se_linux(engine, minor)) for minor in (30, 31)] == [True, False]
    assert [bool(baseline.proc_mount(unmasked, minor)) for minor in (34, 35)] == [True, False]
    assert baseline.proc_mount(pod({"procMount": "Unmasked"}), 36)
