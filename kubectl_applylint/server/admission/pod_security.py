"""PodSecurity: enforces the Pod Security level of a namespace, set by its labels, and warns.

Mirrors ``admission`` of k8s.io/pod-security-admission, with its defaults without a configuration.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Present, labels_of
from kubectl_applylint.core.values import Json, JsonObject, dig, int64, mapping
from kubectl_applylint.server.admission.attributes import (
    ALLOWED,
    INVALID,
    AdmissionAttributes,
    AdmissionDenied,
    AdmissionResult,
    forbidden,
)
from kubectl_applylint.server.admission.pod_security_pod import Pod
from kubectl_applylint.server.admission.pod_security_standards import violations

LEVELS: Final = ("privileged", "baseline", "restricted")
"""The levels, the least strict first."""
_LABEL: Final = "pod-security.kubernetes.io/"
_MODES: Final = ("enforce", "audit", "warn")
_VERSION: Final = regex(r"latest|v1\.(0|[1-9]\d*)")
_LATEST: Final = "latest"


@dataclass(frozen=True, slots=True)
class _Policy:
    """A level, and the version of the standards (``latest``, ``v1.30``)."""

    level: str = "privileged"
    version: str = _LATEST

    def __str__(self) -> str:
        return f"{self.level}:{self.version}"

    def minor(self, newest: int) -> int:
        """Return the minor that the version names, no later than the server's own."""
        return newest if self.version == _LATEST else min(newest, int64(self.version.removeprefix("v1.")) or newest)


def validate(attributes: AdmissionAttributes) -> AdmissionResult:
    """Return the errors of the labels of a namespace, or of a pod or pod template in its namespace."""
    return _namespace_errors(attributes) if attributes.is_a("", "Namespace") else _pod_violations(attributes)


def _namespace_errors(attributes: AdmissionAttributes) -> AdmissionResult:
    """Return the errors of the labels of a namespace; errors of the stored labels may stay."""
    faults = tuple(_faults(attributes.new))
    if not faults or (attributes.old is not None and faults == tuple(_faults(attributes.old))):
        return ALLOWED
    return AdmissionResult(AdmissionDenied(INVALID, faults))


def _faults(namespace: JsonObject) -> Iterator[FieldError]:
    labels = labels_of(namespace)
    for mode in _MODES:
        level, version = labels.get(_LABEL + mode), labels.get(f"{_LABEL}{mode}-version")
        if isinstance(level, str) and level not in LEVELS:
            yield _fault(mode, level, f"must be one of {', '.join(LEVELS)}")
        if isinstance(version, str) and not _VERSION.fullmatch(version):
            yield _fault(f"{mode}-version", version, 'must be "latest" or "v1.x"')


def _fault(label: str, value: Json, words: str) -> FieldError:
    return FieldError(f"metadata.labels[{_LABEL}{label}]", "FieldValueInvalid", f'Invalid value: "{value}": {words}')


def _pod_violations(attributes: AdmissionAttributes) -> AdmissionResult:
    """Return the violations of a pod, or of a pod template, which only leads to warnings."""
    namespace = attributes.cluster_view.lookup("", "Namespace", attributes.namespace)
    pod = _pod(attributes)
    if pod is None or not isinstance(namespace, Present):
        return ALLOWED
    labels = labels_of(namespace.object)
    enforce = _policy(labels, "enforce")
    found = _violations(pod, enforce, attributes.minor) if attributes.is_a("", "Pod") else ""
    if found:
        return AdmissionResult(forbidden(attributes, f'violates PodSecurity "{enforce}": {found}'))
    warn = _warn_policy(labels, enforce)
    found = _violations(pod, warn, attributes.minor)
    return AdmissionResult(warnings=(f'would violate PodSecurity "{warn}": {found}',)) if found else ALLOWED


def _policy(labels: JsonObject, mode: str) -> _Policy:
    """Return the policy of the labels; an unknown level is the strictest if enforced, else the least strict."""
    level, version = labels.get(_LABEL + mode, LEVELS[0]), str(labels.get(f"{_LABEL}{mode}-version", _LATEST))
    unknown = LEVELS[-1] if mode == "enforce" else LEVELS[0]
    return _Policy(level if level in LEVELS else unknown, version if _VERSION.fullmatch(version) else _LATEST)


def _warn_policy(labels: JsonObject, enforce: _Policy) -> _Policy:
    """Return the policy for warnings: that for enforcement if the labels set none."""
    warn = _policy(labels, "warn")
    if f"{_LABEL}warn" in labels or labels.get(f"{_LABEL}enforce") not in LEVELS or enforce.level == LEVELS[0]:
        return warn
    return _Policy(enforce.level, warn.version if f"{_LABEL}warn-version" in labels else enforce.version)


def _violations(pod: Pod, policy: _Policy, newest: int) -> str:
    return ", ".join(violations(pod, policy.level, policy.minor(newest)))


_TEMPLATES: Final = {
    ("", "PodTemplate"): ("template",),
    ("", "ReplicationController"): ("spec", "template"),
    ("apps", "DaemonSet"): ("spec", "template"),
    ("apps", "Deployment"): ("spec", "template"),
    ("apps", "ReplicaSet"): ("spec", "template"),
    ("apps", "StatefulSet"): ("spec", "template"),
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template"),
    ("batch", "Job"): ("spec", "template"),
}
"""The paths of the pod templates in the kinds that create pods."""


def _pod(attributes: AdmissionAttributes) -> Pod | None:
    """Return the pod or template to check; ``None`` for an update that keeps the containers and images of a pod."""
    if attributes.is_a("", "Pod"):
        old = attributes.old
        same = old is not None and _images(attributes.new) == _images(old)
        return None if same else Pod(mapping(attributes.new.get("metadata")), mapping(attributes.new.get("spec")))
    path = _TEMPLATES.get((attributes.group, attributes.kind.name))
    template = mapping(dig(attributes.new, *path)) if path else {}
    return Pod(mapping(template.get("metadata")), mapping(template["spec"])) if template.get("spec") else None


def _images(pod: JsonObject) -> Json:
    spec = mapping(pod.get("spec"))
    lists = (spec.get(name) or [] for name in ("containers", "initContainers", "ephemeralContainers"))
    return [[mapping(container).get("image") for container in containers] for containers in lists]
