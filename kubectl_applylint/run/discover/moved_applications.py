"""Declaring objects that changed: whether that changes what they apply, and Applications that apply it elsewhere."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.documents import in_namespace
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject, dig, equal, mapping, texts_at
from kubectl_applylint.run.discover.declared_changes import without_harmless_fields
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL
from kubectl_applylint.tools.argocd.options import request_options
from kubectl_applylint.tools.argocd.settings import object_settings
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.pairs import Pair

_READ: Final = ("argocd.argoproj.io/client-side-apply-migration-manager",)
"""The annotations of an Application that change how its objects are applied."""
_WHEN: Final = frozenset({"automated", "retry"})
"""The fields of a sync policy that decide when a sync starts, and what one prunes that has fewer objects."""


def is_declared(unit: Unit) -> bool:
    """Return whether an object declares a unit, also one that is applied as the layout of the repository finds it."""
    return bool(unit.applied.declared_by) or unit.applied.tool_object is not None


def affects_all_objects(earlier: Unit | None, later: Unit | None) -> bool:
    """Return whether a change of the declaring object, or of its Argo CD, affects objects that are the same.

    They are predicted then, with the settings of the declaring object before and after the change.
    """
    if earlier is None or later is None:
        return any(unit and is_declared(unit) for unit in (earlier, later))
    was, now = earlier.applied, later.applied
    is_at_other_path = was.tool == now.tool == ARGO_TOOL and earlier.root != later.root
    is_elsewhere = is_at_other_path or is_in_other_namespace(earlier, later)
    return is_elsewhere or _has_other_installation(earlier, later) or _has_other_requests(earlier, later)


def is_in_other_namespace(earlier: Unit, later: Unit) -> bool:
    """Return whether an Application has another namespace for objects without one than before."""
    was, now = earlier.applied, later.applied
    return was.tool == now.tool == ARGO_TOOL and was.namespace != now.namespace


def _has_other_installation(earlier: Unit, later: Unit) -> bool:
    """Return whether an Application has another project than before, or other settings of its Argo CD."""
    was, now = earlier.applied.installation, later.applied.installation
    if was == now:
        return False
    before, after = (object_settings(json.loads(one.settings or "{}")) for one in (was, now))
    return was.projects != now.projects or before != after


def _has_other_requests(earlier: Unit, later: Unit) -> bool:
    """Return whether an Application applies objects that stay the same with other requests than before."""
    was, now = earlier.applied, later.applied
    if not was.tool == now.tool == ARGO_TOOL or was.tool_object is None or now.tool_object is None:
        return False
    return not equal(*(_request_settings(one) for one in (was.tool_object, now.tool_object)))


def is_in_other_cluster(earlier: Unit, later: Unit) -> bool:
    """Return whether an Application applies to another cluster than before; its objects stay in the earlier one."""
    was, now = earlier.applied, later.applied
    return was.tool == now.tool == ARGO_TOOL and was.target != now.target


def has_other_settings(earlier: Unit | None, later: Unit | None) -> bool:
    """Return whether the declaring object of a unit is new, gone or changed, or sets other values of a chart."""
    if earlier is None or later is None:
        return any(unit and is_declared(unit) for unit in (earlier, later))
    if affects_all_objects(earlier, later) or is_in_other_cluster(earlier, later):
        return True
    is_built = later.applied.declared_by is not None and later.form is not Form.CHART
    is_same = earlier.applied.inputs_key == later.applied.inputs_key
    return not is_same or (is_built and not _is_same_object(earlier, later))


def _is_same_object(earlier: Unit, later: Unit) -> bool:
    """Return whether the declaring objects of two units are equal but for fields without effect on what is applied."""
    return equal(*(without_harmless_fields(unit.applied.tool_object) for unit in (earlier, later)))


def has_harmless_change(earlier: Unit | None, later: Unit | None) -> bool:
    """Return whether the object of Argo CD or Flux that applies a unit changed only in fields that change no object."""
    if not (earlier and later and earlier.applied.tool == later.applied.tool):
        return False
    was, now = (unit.applied.tool_object for unit in (earlier, later))
    if not (was and now) or equal(was, now) or earlier.applied.gap or later.applied.gap:
        return False
    if later.applied.tool == ARGO_TOOL:
        return not has_other_settings(earlier, later) or equal(_applied_fields(was), _applied_fields(now))
    return later.applied.tool == Applier.FLUX and equal(without_harmless_fields(was), without_harmless_fields(now))


def _applied_fields(application: JsonObject | None) -> JsonObject:
    """Return the fields of an Application that its objects depend on."""
    metadata = mapping(mapping(application).get("metadata"))
    kept = {key: value for key, value in metadata.items() if key not in ("annotations", "labels")}
    spec = without_harmless_fields(application)
    policy = {key: value for key, value in mapping(spec.get("syncPolicy")).items() if key not in _WHEN}
    return {**spec, "syncPolicy": policy, "metadata": kept, "annotations": _read_annotations(application)}


def _request_settings(application: JsonObject | None) -> JsonObject:
    """Return the fields of an Application that decide with which requests it applies objects that stay the same."""
    policy = mapping(dig(application, "spec", "syncPolicy"))
    return {
        "annotations": _read_annotations(application),
        "options": sorted(request_options(texts_at(policy, "syncOptions"))),
        "managedNamespaceMetadata": policy.get("managedNamespaceMetadata"),
    }


def _read_annotations(application: JsonObject | None) -> JsonObject:
    """Return the annotations of an Application that change how its objects are applied."""
    annotations = mapping(dig(application, "metadata", "annotations"))
    return {key: text for key, text in annotations.items() if key in _READ}


def with_moved_applications(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Yield pairs, with the units of an Application as one pair if it has another path, namespace or cluster."""
    gone = [was for was, now in pairs if was and not now and _is_plain_application(was)]
    new = [now for was, now in pairs if now and not was and _is_plain_application(now)]
    moved = _former_units(new, gone, _path_of_application)
    rest = [unit for unit in gone if unit not in moved.values()]
    moved |= _former_units([unit for unit in new if unit not in moved], rest, _application)
    for was, now in pairs:
        if now in moved:
            yield moved[now], now
        elif now or was not in moved.values():
            yield was, now


def _is_plain_application(unit: Unit) -> bool:
    """Return whether an Application applies a path as the layout of the repository finds it."""
    applied = unit.applied
    return applied.tool == ARGO_TOOL and applied.tool_object is not None and not applied.declared_by


def _former_units(new: Iterable[Unit], gone: Iterable[Unit], key: Callable[[Unit], object]) -> dict[Unit | None, Unit]:
    """Return the unit that each new one was before; a key that several have is passed over."""
    before, after = _by_key(gone, key), _by_key(new, key)
    both = [name for name in after if len(after[name]) == len(before.get(name, ())) == 1]
    return {after[name][0]: before[name][0] for name in both}


def _by_key(units: Iterable[Unit], key: Callable[[Unit], object]) -> Mapping[object, Sequence[Unit]]:
    found: dict[object, list[Unit]] = defaultdict(list)
    for unit in units:
        found[key(unit)].append(unit)
    return found


def _application(unit: Unit) -> object:
    return unit.applied.cluster, ref_of(unit.applied.tool_object or {})


def _path_of_application(unit: Unit) -> object:
    return _application(unit), unit.root


def objects_in_namespace(given: Input, unit: Unit) -> Input:
    """Return objects in the namespace of their Application if they have none."""
    documents = (one if one.ref.namespace else in_namespace(one, unit.applied.namespace) for one in given.documents)
    return replace(given, documents=tuple(documents))
