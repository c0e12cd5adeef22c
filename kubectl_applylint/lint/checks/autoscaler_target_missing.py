"""Autoscalers whose target is in no file of the cluster."""

from typing import Final

from kubectl_applylint.core.paths import fields, get
from kubectl_applylint.core.state import Absent, ObjectRef, Unknown, live_object
from kubectl_applylint.core.values import dig, equal
from kubectl_applylint.engine.cluster_diff import NO_UNITS
from kubectl_applylint.lint.checks._cluster import is_in_no_unit
from kubectl_applylint.lint.checks._graph import peers_named
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import WORKLOADS, kind_of, references

_TARGET: Final = fields("spec", "scaleTargetRef")
_GATEWAY: Final = "Gateway.gateway.networking.k8s.io"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the changed reference if its target, or a workload of that name, does not exist after the run.

    References that did not change are skipped, and those to what a Gateway or another unit creates. Facts: ``target``.
    """
    before = get(live_object(subject.base), _TARGET)
    if isinstance(subject.base, Unknown) or equal(before, get(subject.manifest, _TARGET)):
        return
    for reference in references(kind_of(subject.document), subject.manifest):
        kind, _, group = reference.kind.partition(".")
        target = ObjectRef(f"{group}/v1" if group else "v1", kind, subject.ref.namespace, reference.name)
        named = any(True for each in WORKLOADS for _ in peers_named(subject, each, reference.name))
        named = named or _is_created_by_gateway(subject, reference.name)
        is_absent = not named and isinstance(subject.cluster_diff.after(target), Absent)
        if is_absent and not _is_in_other_unit(subject, target):
            yield Hit(reference.path, {"target": str(target)})


def _is_in_other_unit(subject: Subject, target: ObjectRef) -> bool:
    """Return whether another unit of the cluster may have the target, such as a release."""
    return subject.cluster_diff.units() is not NO_UNITS and not is_in_no_unit(subject, target)


def _is_created_by_gateway(subject: Subject, name: str) -> bool:
    """Return whether a Gateway creates the workload: controllers name it after the Gateway and its class (GEP-1762)."""
    parts = name.split("-")
    splits = (("-".join(parts[:end]), "-".join(parts[end:])) for end in range(1, len(parts)))
    return any(
        dig(gateway.object, "spec", "gatewayClassName") == gateway_class
        for gateway_name, gateway_class in splits
        for gateway in peers_named(subject, _GATEWAY, gateway_name)
    )
