"""The dependencies between units, derived from the objects that they apply; nothing is guessed.

A unit depends on another one that applies its declaration (Flux ``Kustomization``, Argo CD ``Application``), that its
declaration names in ``dependsOn``, that creates a namespace of its objects, or that defines a kind of them. If several
units match, none counts.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import normpath
from typing import Final, TypeAlias

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, objects_at
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.words import count

Key: TypeAlias = tuple[str, ...]
"""Something that a unit provides: a namespace or a kind, on a target."""
_FLUX: Final = ("kustomize.toolkit.fluxcd.io", "Kustomization")
_ARGOCD: Final = ("argoproj.io", "Application")
_GONE: Final = (Verdict.PRUNED, Verdict.KEPT)


@dataclass(frozen=True, slots=True)
class UnitDependency:
    """Unit ``of`` depends on unit ``on``, both by their number in the report, for these reasons."""

    of: int
    on: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _UnitObjects:
    """The objects that a unit applies."""

    root: str
    target: str
    objects: tuple[tuple[ObjectRef, JsonObject], ...]


def dependencies_of(report: Report) -> tuple[UnitDependency, ...]:
    """Return the dependencies between the units of a report, in the order of the units."""
    units = [
        _UnitObjects(unit.root, unit.target, tuple((o.ref, d.object) for d, o in applies if o.verdict not in _GONE))
        for unit, applies in report.by_unit
    ]
    reasons: dict[tuple[int, int], list[str]] = defaultdict(list)
    for of, on, reason in (*_declared_dependencies(units), *_provided_dependencies(units)):
        if of != on:
            reasons[of, on].append(reason)
    return tuple(UnitDependency(of, on, tuple(dict.fromkeys(reasons[of, on]))) for of, on in sorted(reasons))


def _declared_dependencies(units: Sequence[_UnitObjects]) -> Iterator[tuple[int, int, str]]:
    """Yield the dependencies from declarations of deployment tools."""
    roots = _single((unit.root, number) for number, unit in enumerate(units))
    declarations = [
        (number, ref, item, roots[path])
        for number, unit in enumerate(units)
        for ref, item in unit.objects
        for path in _paths(ref, item)
        if path in roots
    ]
    applied = {(number, ref.namespace, ref.name): of for number, ref, _, of in declarations}
    for number, ref, item, of in declarations:
        yield of, number, f"{ref.kind} {ref.name}"
        for wanted in objects_at(item, "spec", "dependsOn"):
            on = applied.get((number, str(wanted.get("namespace", ref.namespace)), str(wanted.get("name"))))
            if on is not None:
                yield of, on, f"dependsOn of {ref.kind} {ref.name}"


def _paths(ref: ObjectRef, item: JsonObject) -> Iterator[str]:
    """Yield the repository paths that an object applies."""
    spec = mapping(item.get("spec"))
    if _kind_key(ref) == _FLUX:
        yield from _path(spec)
    elif _kind_key(ref) == _ARGOCD:
        for source in (spec.get("source"), *items(spec.get("sources"))):
            yield from _path(mapping(source))


def _path(held: JsonObject) -> Iterator[str]:
    path = held.get("path")
    if isinstance(path, str) and path:
        yield normpath(path).lstrip("/") or "."


def _provided_dependencies(units: Sequence[_UnitObjects]) -> Iterator[tuple[int, int, str]]:
    """Yield the dependencies on namespaces and kinds that another unit of the same target creates."""
    every = _single((key, number) for number, unit in enumerate(units) for key in _provides(unit))
    for of, unit in enumerate(units):
        own = set(_provides(unit))
        used: dict[Key, int] = defaultdict(int)
        for ref, _ in unit.objects:
            used[unit.target, "namespace", ref.namespace] += 1
            used[unit.target, "kind", ref.group, ref.kind] += 1
        for key in sorted(used.keys() - own & every.keys()):
            yield of, every[key], f"{key[1]} {key[-1]}, {count(used[key], 'object')}"


def _provides(unit: _UnitObjects) -> Iterator[Key]:
    for ref, item in unit.objects:
        if ref.kind == "Namespace" and not ref.group:
            yield unit.target, "namespace", ref.name
        if ref.kind == "CustomResourceDefinition":
            group, kind = dig(item, "spec", "group"), dig(item, "spec", "names", "kind")
            yield unit.target, "kind", str(group), str(kind)


def _kind_key(ref: ObjectRef) -> tuple[str, str]:
    return ref.group, ref.kind


def _single(pairs: Iterable[tuple[Json, int]]) -> Mapping[Json, int]:
    """Return the unit of each key that only one unit has."""
    numbers: dict[Json, set[int]] = defaultdict(set)
    for key, number in pairs:
        numbers[key].add(number)
    return {key: min(held) for key, held in numbers.items() if len(held) == 1}
