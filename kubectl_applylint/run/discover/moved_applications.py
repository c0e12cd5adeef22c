"""Applications of Argo CD that apply the same files otherwise than before: elsewhere, or under another project."""

from collections.abc import Iterator, Sequence

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import mapping
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.pairs import Pair


def is_declared(unit: Unit) -> bool:
    """Return whether an object declares a unit, also one that is applied as the layout of the repository finds it."""
    return bool(unit.applied.declared_by) or unit.applied.tool_object is not None


def affects_all_objects(earlier: Unit | None, later: Unit | None) -> bool:
    """Return whether a change of the declaring object or of its project affects objects that are the same."""
    if earlier is None or later is None:
        return any(unit and is_declared(unit) for unit in (earlier, later))
    was, now = earlier.applied, later.applied
    return was.installation.projects != now.installation.projects or is_in_other_namespace(earlier, later)


def is_in_other_namespace(earlier: Unit, later: Unit) -> bool:
    """Return whether an Application has another namespace for objects without one than before."""
    was, now = earlier.applied, later.applied
    return was.tool == now.tool == ARGO_TOOL and was.namespace != now.namespace


def is_in_other_cluster(earlier: Unit, later: Unit) -> bool:
    """Return whether an Application applies to another cluster than before; its objects stay in the earlier one."""
    was, now = earlier.applied, later.applied
    return was.tool == now.tool == ARGO_TOOL and was.target != now.target


def with_moved_applications(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Yield pairs, with the unit of an Application that has another namespace or cluster than before as one pair."""
    gone = {_application_key(was): was for was, now in pairs if was and not now and was.applied.tool_object}
    new = {_application_key(now) for was, now in pairs if now and not was and now.applied.tool_object}
    moved = gone.keys() & new
    for was, now in pairs:
        if now and not was and _application_key(now) in moved:
            yield gone[_application_key(now)], now
        elif now or not was or _application_key(was) not in moved:
            yield was, now


def _application_key(unit: Unit) -> object:
    """Return what identifies a path that an Application applies as it is."""
    item = unit.applied.tool_object
    return (unit.root, unit.form, ref_of(item)) if item and unit.applied.tool == ARGO_TOOL else unit.key


def objects_in_namespace(given: Input, unit: Unit) -> Input:
    """Return objects in the namespace of their Application if they have none."""
    documents = (one if one.ref.namespace else _in_namespace(one, unit.applied.namespace) for one in given.documents)
    return replace(given, documents=tuple(documents))


def _in_namespace(document: Document, namespace: str) -> Document:
    item = {**document.object, "metadata": {**mapping(document.object.get("metadata")), "namespace": namespace}}
    return replace(document, object=item, ref=replace(document.ref, namespace=namespace))
