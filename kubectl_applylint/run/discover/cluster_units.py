"""The objects of all units of one cluster after a change, rendered when a rule asks for them."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import chain
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, Unknown, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_diff import NO_UNITS, ClusterUnits
from kubectl_applylint.engine.placeholders import is_unfinished
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.unit_objects import whole_input
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.model import Form, Unit

_DECLARED: Final = (Form.RELEASE, Form.RESOURCE_SET)
"""The forms of units that objects of other units declare."""


@dataclass(frozen=True, slots=True)
class _Rendered:
    """The objects of units, and the first reason why there may be others, empty if there is none."""

    documents: tuple[Document, ...] = ()
    declaring: tuple[JsonObject, ...] = field(default=(), repr=False)
    """The objects that declare the units: these exist, whatever has created them."""
    gap: str = ""


def cluster_units_finder(found: Revisions) -> Callable[[Unit], Callable[[], ClusterUnits]]:
    """Return a function that returns for a unit a function that renders the later units of its cluster, once."""
    of_cluster = cache(partial(_cluster_units, found))
    return lambda unit: _no_units if unit.applied.target else partial(of_cluster, unit.applied.cluster)


def _no_units() -> ClusterUnits:
    return NO_UNITS


def _cluster_units(found: Revisions, cluster: str) -> ClusterUnits:
    """Return the units that Flux applies to its own cluster, which those with a target are not."""
    if not cluster:
        return NO_UNITS
    own = [one for one in found.later.units if (one.applied.cluster, one.applied.target) == (cluster, "")]
    missing = (f"{one.path} does not exist" for one in found.later.missing if one.applied.cluster == cluster)
    gap = next(chain(missing, (unit.applied.gap for unit in own if unit.applied.gap)), "")
    return ClusterUnits(gap=gap, state=lambda _: Unknown(gap)) if gap else _render_cluster(found, own, cluster)


def _render_cluster(found: Revisions, own: Sequence[Unit], cluster: str) -> ClusterUnits:
    """Return the objects of units, and of those that they declare."""
    plain = _render(found.after, (unit for unit in own if unit.form is not Form.RELEASE))
    nested = _declared_units(found, plain.documents, cluster)
    every = {unit.key: unit for unit in (*nested, *own) if unit.form in _DECLARED}
    sets = _render(found.after, (unit for unit in every.values() if unit.form is Form.RESOURCE_SET))
    rendered = _Rendered((*plain.documents, *sets.documents), plain.declaring, plain.gap or sets.gap)
    releases = [unit for unit in every.values() if unit.form is Form.RELEASE and not unit.applied.target]
    return ClusterUnits(rendered.documents, rendered.gap, partial(_state, found.after, rendered, releases))


def _declared_units(found: Revisions, documents: Sequence[Document], cluster: str) -> Sequence[Unit]:
    """Return the releases and ResourceSets among objects of a cluster."""
    from kubectl_applylint.run.sides.named_objects import NamedObjects  # noqa: PLC0415  40 ms, for few changes only
    from kubectl_applylint.run.sides.release_units import nested_release_units  # noqa: PLC0415  40 ms, as above

    return nested_release_units(found.after, documents, cluster, NamedObjects(found.after), found.checkout.remotes)


def _render(side: Side, units: Iterable[Unit]) -> _Rendered:
    """Return the objects of units; those of suspended units may exist as well."""
    each = [(unit, whole_input(side, unit)) for unit in map(_resume, units)]
    gaps = (unit.applied.gap or _gap(given) for unit, given in each)
    declaring = (unit.applied.tool_object for unit, _ in each)
    documents = chain.from_iterable(given.documents for _, given in each)
    return _Rendered(tuple(documents), tuple(filter(None, declaring)), next(filter(None, gaps), ""))


def _resume(unit: Unit) -> Unit:
    """Return a unit as if it were not suspended."""
    return replace(unit, applied=replace(unit.applied, is_suspended=False)) if unit.applied.is_suspended else unit


def _gap(given: Input) -> str:
    """Return why a unit may have objects that were not rendered, empty if it has none."""
    parts = (one.what for one in given.holes if not one.is_value)
    return next(chain((one.message for one in given.problems), parts), "")


def _state(side: Side, every: _Rendered, releases: Iterable[Unit], ref: ObjectRef) -> Knowledge:
    """Return the manifest of an object, ``Absent`` if no unit has it, or why that is not known."""
    if found := _find(every.documents, ref):
        return Present(found.object)
    if any(is_unfinished(one.ref.name) for one in every.documents if _is_same_kind(one.ref, ref)):
        return Unknown("a name of the kind is completed before the apply")
    if own := next((one for one in every.declaring if ref_of(one).identity == ref.identity), None):
        return Present(own)
    # A release is rendered only if those before it are without the object and without gaps.
    states = (_state_in(_render(side, [one]), ref) for one in releases)
    return Unknown(every.gap) if every.gap else next((one for one in states if not isinstance(one, Absent)), Absent())


def _state_in(rendered: _Rendered, ref: ObjectRef) -> Knowledge:
    if found := _find(rendered.documents, ref):
        return Present(found.object)
    return Unknown(rendered.gap) if rendered.gap else Absent()


def _is_same_kind(one: ObjectRef, other: ObjectRef) -> bool:
    return (one.group, one.kind) == (other.group, other.kind)


def _find(documents: Iterable[Document], ref: ObjectRef) -> Document | None:
    """Return the document of an object; one without a namespace may be any object of its name."""
    names = (ref.identity, replace(ref, namespace="").identity)
    return next((one for one in documents if one.ref.identity in names), None)
