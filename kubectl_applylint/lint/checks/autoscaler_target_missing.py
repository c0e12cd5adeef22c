"""Autoscalers whose target is in no file of the cluster."""

from typing import Final

from kubectl_applylint.core.paths import fields, get
from kubectl_applylint.core.state import Absent, ObjectRef, Unknown, live_object
from kubectl_applylint.core.values import equal
from kubectl_applylint.lint.checks._graph import peers_named
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import WORKLOADS, kind_of, references

_TARGET: Final = fields("spec", "scaleTargetRef")


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the changed reference if its target, or a workload of that name, does not exist after the run.

    References that did not change are skipped. Facts: ``target``.
    """
    before = get(live_object(subject.base), _TARGET)
    if isinstance(subject.base, Unknown) or equal(before, get(subject.manifest, _TARGET)):
        return
    for reference in references(kind_of(subject.document), subject.manifest):
        kind, _, group = reference.kind.partition(".")
        target = ObjectRef(f"{group}/v1" if group else "v1", kind, subject.ref.namespace, reference.name)
        named = any(True for each in WORKLOADS for _ in peers_named(subject, each, reference.name))
        if not named and isinstance(subject.cluster_diff.after(target), Absent):
            yield Hit(reference.path, {"target": str(target)})
