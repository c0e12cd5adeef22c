"""Entries of ``dependsOn`` of Flux whose object no unit of the cluster has."""

from collections.abc import Mapping

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Present, Unknown
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.checks._cluster import is_in_no_unit
from kubectl_applylint.lint.checks._dependencies import dependencies
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each entry that the change adds and whose object is in no unit of the cluster.

    Skipped without an earlier revision, or if a unit of the cluster was not rendered completely. Facts: dependency
    (namespace and name).
    """
    if isinstance(subject.base, Unknown):
        return
    earlier = replace(subject.document, object=subject.base.object) if isinstance(subject.base, Present) else None
    before = {one.ref.identity for one in dependencies(earlier)} if earlier else set()
    for one in dependencies(subject.document):
        is_known = one.ref.identity in before or one.ref == subject.ref
        if not is_known and is_in_no_unit(subject, one.ref):
            facts: Mapping[str, Json] = {"dependency": f"{one.ref.namespace}/{one.ref.name}"}
            yield Hit(one.path, facts)
