"""Deleted Kustomizations and HelmReleases that others of the cluster depend on."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Path, fields
from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.checks._dependencies import dependencies
from kubectl_applylint.lint.checks._words import short_list
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if the run deletes an object that ``dependsOn`` of others names after the change.

    Skipped if a unit of the cluster was not rendered completely. Facts: users (namespaces and names of the first ones),
    where (the place of the first one).
    """
    if subject.unapplied is None or not subject.unapplied.is_deletion:
        return
    units = subject.cluster_diff.units()
    same = {subject.ref.identity, replace(subject.ref, namespace="").identity}
    if units.gap or any(one.ref.identity in same for one in units.documents):
        return
    found = [(one, path) for one in units.documents if (path := _dependency_path(one, subject))]
    if found:
        names = short_list([f"{one.ref.namespace}/{one.ref.name}" for one, _ in found])
        places = tuple((one, path, "depends on it") for one, path in found)
        yield Hit(fields("metadata", "name"), {"users": names, "where": str(found[0][0].locate(found[0][1]))}, places)


def _dependency_path(document: Document, subject: Subject) -> Path | None:
    if document.ref.kind != subject.ref.kind:
        return None
    named = (one.path for one in dependencies(document) if one.ref.identity == subject.ref.identity)
    return next(named, None)
