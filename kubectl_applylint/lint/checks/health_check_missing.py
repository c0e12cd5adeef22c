"""Entries of ``spec.healthChecks`` of a Kustomization of Flux that name no object, but almost one."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Index, fields
from kubectl_applylint.core.spelling import nearest
from kubectl_applylint.core.state import ObjectRef, Present, Unknown
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.checks._cluster import is_in_no_unit
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.tools.flux.kustomization import health_checks

_LIKENESS: Final = 0.85
"""The similarity of a name that was certainly meant."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each entry that the change adds and whose object no unit has, if one has an object with a similar name.

    An operator may create others. Skipped if a unit of the cluster was not rendered completely. Facts: checked (the
    object), meant (the similar one), each with its namespace.
    """
    if isinstance(subject.base, Unknown):
        return
    before = health_checks(subject.base.object) if isinstance(subject.base, Present) else ()
    for number, ref in enumerate(health_checks(subject.manifest)):
        if ref not in before and ref.namespace and (meant := _similar(subject, ref)) and is_in_no_unit(subject, ref):
            facts: Mapping[str, Json] = {"checked": _words(ref), "meant": _words(meant.ref)}
            place = (meant, fields("metadata", "name"), "this one")
            yield Hit((*fields("spec", "healthChecks"), Index(number)), facts, (place,))


def _similar(subject: Subject, ref: ObjectRef) -> Document | None:
    """Return the object of the same kind with the name in another namespace, or with a similar name in the same one."""
    every = [*_of_kind(subject, ref)]
    names = [one.ref.name for one in every if one.ref.namespace == ref.namespace]
    name = nearest(ref.name, names, likeness=_LIKENESS)
    return next((one for one in every if one.ref.name == ref.name), None) or next(
        (one for one in every if (one.ref.namespace, one.ref.name) == (ref.namespace, name)), None
    )


def _of_kind(subject: Subject, ref: ObjectRef) -> Iterator[Document]:
    """Yield the objects of a kind with a namespace, in all units that are not releases."""
    documents = subject.cluster_diff.units().documents
    return (one for one in documents if one.ref.namespace and (one.ref.group, one.ref.kind) == (ref.group, ref.kind))


def _words(ref: ObjectRef) -> str:
    return f"{ref} in {ref.namespace}"
