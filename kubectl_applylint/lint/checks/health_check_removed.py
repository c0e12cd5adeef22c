"""Deleted objects that ``spec.healthChecks`` of their Kustomization of Flux names."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.checks._cluster import is_in_no_unit
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.tools.flux.kustomization import FluxKustomization


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if the run deletes an object that the health checks of its Kustomization still name.

    Skipped if another unit of the cluster has the object, or may have it. Facts: kustomization, kustomization_ns (its
    namespace as a flag).
    """
    source = subject.flags.unit_applier.unit if subject.flags.unit_applier else None
    if not isinstance(source, FluxKustomization) or subject.unapplied is None or not subject.unapplied.is_deletion:
        return
    is_awaited = any(one.identity == subject.ref.identity for one in source.health_checks)
    if is_awaited and is_in_no_unit(subject, subject.ref):
        facts = {"kustomization": source.name, "kustomization_ns": f" -n {source.namespace}"}
        yield Hit(fields("metadata", "name"), facts)
