"""Units that stand for ApplicationSets of Argo CD, if no Application of theirs is a unit of the run."""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import equal
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.tools.argocd.declarations import ARGO_GROUP, ARGO_TOOL
from kubectl_applylint.units.model import Applied, Form, Unit, object_root
from kubectl_applylint.units.reading import reason

_KIND: Final = "ApplicationSet"


def name_of_set(unit: Unit) -> ObjectRef | None:
    """Return the ApplicationSet that a unit is an Application of, or that it stands for."""
    name = unit.applied.generated_by or unit.applied.declared_by
    return name if name and name.kind == _KIND else None


def unit_of_set(unit: Unit, name: ObjectRef) -> Unit:
    """Return the unit that stands for the Applications of a set that are not known; ``unit`` is one of them."""
    return _unit_for(replace(unit.applied, declared_by=name, generated_by=None), name)


def sets_without_changes(loaded: Iterable[LoadedUnit], changed: Iterable[Unit]) -> Iterator[LoadedUnit]:
    """Yield a run without objects for each changed ApplicationSet that changes none of its Applications.

    ``loaded`` are the runs with the sets among their objects, ``changed`` all units of the change.
    """
    runs = tuple(loaded)
    known = {name for unit in (*changed, *(run.unit for run in runs if run.unit)) if (name := name_of_set(unit))}
    for run in runs:
        for document in filter(_is_set, run.input.documents):
            if document.ref not in known and _is_changed(document, run.input.past):
                applied = Applied(tool=ARGO_TOOL, declared_by=document.ref, reason=reason(document, ()))
                yield LoadedUnit(_unit_for(applied, document.ref), RunInput(), place=run.place)


def _unit_for(applied: Applied, name: ObjectRef) -> Unit:
    return Unit(object_root(name), Form.RELEASE, frozenset(), applied)


def _is_set(document: Document) -> bool:
    return (document.ref.group, document.ref.kind) == (ARGO_GROUP, _KIND)


def _is_changed(document: Document, past: Iterable[Document]) -> bool:
    """Return whether an object exists before a change and differs."""
    former = next((one for one in past if one.ref == document.ref), None)
    return former is not None and not equal(former.object, document.object)
