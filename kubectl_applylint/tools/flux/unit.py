"""Units that a Flux Kustomization applies, with its inventory from a cluster or an earlier revision."""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef, Present, Unknown, ref_of
from kubectl_applylint.core.values import JsonObject, dig, items, mapping, objects_at, text_at
from kubectl_applylint.lint.model import Holder
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unit_program import ReadingPair, UnitProgram
from kubectl_applylint.tools.flux.ignore_rules import ignored_paths
from kubectl_applylint.tools.flux.kustomization import (
    GROUP,
    IF_NOT_PRESENT,
    SKIPPED,
    FluxKustomization,
    Reconciliation,
    common_metadata,
    health_checks,
    is_marked,
)
from kubectl_applylint.tools.flux.program import sorted_documents
from kubectl_applylint.units.model import Form, Unit

_SYSTEM: Final = "flux-system"
_LABELS: Final = "/metadata/labels"
_MIRROR_PRUNE: Final = "MirrorPrune"
_DELETING: Final = ("Delete", "WaitForTermination")
"""Deletion policies that delete objects with their Kustomization, even if it does not prune."""


def kustomization_of(item: JsonObject) -> FluxKustomization:
    """Return the settings of a Kustomization; without a namespace it is assumed to be in that of Flux."""
    ref, spec = ref_of(item), mapping(item.get("spec"))
    forced, prunes, is_suspended = (spec.get(field) is True for field in ("force", "prune", "suspend"))
    policy = text_at(spec, "deletionPolicy") or _MIRROR_PRUNE
    deletes = not is_suspended and (policy in _DELETING or (policy == _MIRROR_PRUNE and prunes))
    labels, annotations = common_metadata(item)
    home = ref.namespace or _SYSTEM
    ignored = tuple(objects_at(spec, "ignore"))
    return FluxKustomization(ref.name, home, forced, prunes, deletes, labels, annotations, ignored, health_checks(item))


def _unit_of(_: Applier, asked: AskedApplier, unit: Unit, namespace: str) -> FluxKustomization | None:
    """Return the Kustomization of a unit, or ``None`` if none applies it."""
    if unit.form is Form.RESOURCE_SET:
        return None
    applied = unit.applied
    if applied.tool == "flux" and not applied.program and applied.tool_object is not None:
        return kustomization_of(applied.tool_object)
    return FluxKustomization(unit.release, _SYSTEM, prunes=True) if asked.is_supposed else None


def _with_earlier_revision(
    _: Applier, units: tuple[object, FluxKustomization], both: ReadingPair, _source: LiveSource, is_new: bool
) -> ReadingPair:
    """Return both readings in apply order; the objects of the earlier one are the inventory."""
    source = units[1]
    past, now = (replace(each, here=sorted_documents(each.here)) for each in both)
    applied = tuple(document.ref for document in past.here)
    return replace(past, policy=Reconciliation(source)), replace(now, policy=Reconciliation(source, applied))


def _with_cluster_state(_: Applier, source: FluxKustomization, cluster: LiveSource, now: Reading) -> Reading:
    """Return the reading in apply order, with the inventory from the cluster."""
    policy, problems = reconciliation_of(source, cluster)
    return replace(now, here=sorted_documents(now.here), policy=policy, problems=(*now.problems, *problems))


def reconciliation_of(source: FluxKustomization, cluster: LiveSource) -> tuple[Reconciliation, tuple[Problem, ...]]:
    """Return the reconciliation of a Kustomization with its inventory from a cluster or snapshot, and problems.

    A Kustomization that the cluster does not have has no inventory. If it cannot be read, pruned objects are not known.
    """
    ref = ObjectRef(f"{GROUP}/v1", "Kustomization", source.namespace, source.name)
    found = cluster.states([ref], [])
    live, is_live = found.states[ref], cluster.age_seconds is None
    if isinstance(live, Present):
        return Reconciliation(source, tuple(_inventory(live.object))), ()
    if is_live and not isinstance(live, Unknown):
        return Reconciliation(source), ()
    why = live.reason if isinstance(live, Unknown) else f"the {cluster.origin} does not have it"
    return Reconciliation(source), (Problem(f"{ref} in {ref.namespace}", f"what Flux prunes is not known: {why}"),)


def _inventory(kustomization: JsonObject) -> Iterator[ObjectRef]:
    """Yield the objects in the inventory of a Kustomization, in its order.

    An entry is ``NAMESPACE_NAME_GROUP_KIND`` and the API version; two underscores in a name are a colon
    (``object.ParseObjMetadata`` of cli-utils).
    """
    for entry in items(dig(kustomization, "status", "inventory", "entries")):
        namespace, _, rest = text_at(entry, "id").partition("_")
        name, *group_and_kind = rest.rsplit("_", 2)
        if len(group_and_kind) == len(("group", "kind")):
            group, kind = group_and_kind
            version = text_at(entry, "v") or "v1"
            yield ObjectRef(f"{group}/{version}" if group else version, kind, namespace, name.replace("__", ":"))


def _holder(source: FluxKustomization, document: Document) -> Holder | None:
    """Return the Kustomization that owns a document, or ``None`` if it leaves existing objects alone."""
    paths = ignored_paths(source.ignored, document.object) if source.ignored else ()
    leaves_labels = any(_LABELS.startswith(path) or path.startswith(_LABELS) for path in paths)
    is_free = is_marked(document.object, (*SKIPPED, *IF_NOT_PRESENT))
    return None if is_free or leaves_labels else Holder(source.name, source.namespace)


def _with_removal(source: FluxKustomization) -> FluxKustomization:
    return replace(source, prunes=True, health_checks=(), is_removed=True)


UNIT_PROGRAM: Final[UnitProgram[FluxKustomization, Reconciliation]] = UnitProgram(
    _unit_of,
    _with_earlier_revision,
    _with_cluster_state,
    "Kustomizations of Flux",
    "no Kustomization of Flux names {one}",
    remembered=lambda policy: policy.inventory,
    holder=_holder,
    removed=lambda source: _with_removal(source) if source.deletes else None,
)
