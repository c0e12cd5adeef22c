"""Objects that declare units and that a change deletes, and with them the objects of their units."""

import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import chain

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import texts_at
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.units_of import declarations
from kubectl_applylint.tools.argocd.application_sets import DELETING_FINALIZERS, deletes_applications
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL
from kubectl_applylint.units.model import Applied, Unit


def deletion_finder(found: Revisions) -> Callable[[Unit], bool]:
    """Return a function that returns whether a change deletes the object that declares a unit of the earlier side."""
    return partial(_is_deleted, found, cache(partial(_declaring_objects, found.after)))


def is_replaced(earlier: Unit, later: Unit, is_deleted: Callable[[Unit], bool]) -> bool:
    """Return whether another Application or Kustomization applies a unit, and the former one deletes its objects.

    One with another name is another one. Argo CD deletes what the former Application has applied if that has the
    finalizer for it, and nothing orders this after the first sync of the new one. Flux deletes what still has the
    labels of the former Kustomization, and nothing orders this after the first reconciliation of the new one, which
    writes its own labels.
    """
    was, now = earlier.applied, later.applied
    if was.tool != now.tool or was.tool_object is None or now.tool_object is None:
        return False
    if ref_of(was.tool_object).identity == ref_of(now.tool_object).identity:
        return False
    return _deletes_objects(was) and is_deleted(earlier)


def _deletes_objects(applied: Applied) -> bool:
    """Return whether the objects of a unit are deleted with the Application or the Kustomization that declares it."""
    if applied.tool_object is None or applied.program:
        return False
    if applied.tool == Applier.FLUX:
        from kubectl_applylint.tools.flux.unit import kustomization_of  # noqa: PLC0415  30 ms, for such units only

        return kustomization_of(applied.tool_object).deletes
    finalizers = texts_at(applied.tool_object, "metadata", "finalizers")
    return applied.tool == ARGO_TOOL and any(one in DELETING_FINALIZERS for one in finalizers)


def _declaring_objects(side: Side) -> Sequence[Document]:
    return [*chain.from_iterable(declarations(side).values())]


def _is_deleted(found: Revisions, declaring: Callable[[], Sequence[Document]], unit: Unit) -> bool:
    """Return whether the tool's object that applied a unit is deleted.

    It was removed, and a unit that prunes had applied it, or an ApplicationSet does not generate it anymore.
    ``declaring`` returns the declaring objects after the change.
    """
    if unit.applied.tool_object is None:
        return False
    made_by = unit.applied.generated_by
    sets = [one.object for one in declaring() if one.ref == made_by] if made_by else []
    if sets:
        settings = json.loads(unit.applied.installation.settings or "{}")
        return all(deletes_applications(one, settings) for one in sets) and not _has_unknown_applications(
            found, made_by
        )
    ref, file = ref_of(unit.applied.tool_object), unit.applied.reason.file
    parents = (one for one in found.units[0] if one.applied.prunes and one.files)
    if not any(file == found.before.label(path) for parent in parents for path in parent.files):
        return False
    return all(document.ref != ref for document in declaring())


def _has_unknown_applications(found: Revisions, generator: ObjectRef | None) -> bool:
    """Return whether not all Applications of a set are known after the change."""
    applied = (one.applied for one in found.units[1] if one.applied.gap)
    return any(generator in (one.generated_by, one.declared_by) for one in applied)
