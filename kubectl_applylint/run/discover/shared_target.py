"""Finds objects with the same name in other units of the same target."""

import posixpath
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject, equal
from kubectl_applylint.run.cache.result_cache import UnitGroup
from kubectl_applylint.run.compare.live_source import SameTarget, UnitDocuments, no_units
from kubectl_applylint.run.load.unit_program import unit_program
from kubectl_applylint.run.sides import renders
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.units.model import Form, Unit

_NAME: Final = regex(rb"[\w.:-]+")
_COMPOSED: Final = (Form.CHART, Form.RELEASE)
"""The forms of units whose templates compose names, which their files do not contain."""


@dataclass(frozen=True, slots=True)
class _TargetMember:
    """A unit of a target; ``rank`` is its place among the units of the side, ``order`` its sort key in the run."""

    unit: Unit
    rank: int
    order: tuple[object, ...] | None


@dataclass(frozen=True, slots=True)
class _DeclaredTarget:
    """The target of units that are declared together: in a file, or in files that the unit of this number applies."""

    tool: str
    target: str
    cluster: str
    place: str | int


class TargetUnits:
    """The units of a side by the targets that they are known to be applied to, each read at most once.

    ``order`` are the units that a run examines: each pair of them is compared once, by the later one.
    """

    def __init__(self, side: Side, units: Iterable[Unit], order: Iterable[Unit | None] = ()) -> None:
        self._side = side
        self._units = tuple(units)
        self._order = frozenset(one for one in order if one is not None)
        self._documents: dict[int, Sequence[Document]] = {}

    def same_target(self, unit: Unit) -> SameTarget:
        """Return a function that finds documents with the names of a unit's objects in other units of its target."""
        groups = [one for one in self._groups_of(unit) if one.has_others(unit)]
        return _TargetLookup(unit, groups) if groups else no_units

    def others(self, unit: Unit) -> Iterator[UnitGroup]:
        """Yield the units of each target of a unit that another one is known to be applied to."""
        return (one.units for one in self._groups_of(unit) if one.has_others(unit))

    def _groups_of(self, unit: Unit) -> Iterator["_TargetGroup"]:
        return (self._groups[key] for key in self._keys(unit) if key in self._groups)

    @cached_property
    def _groups(self) -> Mapping[Hashable, "_TargetGroup"]:
        groups: dict[Hashable, _TargetGroup] = {}
        for rank, unit in enumerate(self._units):
            member = _TargetMember(unit, rank, _order(unit) if unit in self._order else None)
            for key in self._keys(unit):
                if key not in groups:
                    groups[key] = _TargetGroup(
                        self._side, self._documents, is_declared=isinstance(key, _DeclaredTarget)
                    )
                groups[key].members.append(member)
        return groups

    def _keys(self, unit: Unit) -> Iterator[Hashable]:
        """Yield a key for each target that is known to be one cluster.

        Objects that are applied together declare their units for one cluster: those of one file, and of one unit. For
        Flux an empty target is its own cluster; for Argo CD it is unknown.
        """
        applied = unit.applied
        if applied.is_known_target:
            yield from applied.target.split(", ")
        is_known = applied.tool == Applier.FLUX or (applied.tool == Applier.ARGOCD and bool(applied.target))
        file = applied.reason.file
        if applied.tool_object is not None and is_known and file not in self._files_of_variants:
            places: tuple[str | int, ...] = (
                file,
                *(self._homes.get(file, ()) if applied.tool == Applier.ARGOCD else ()),
            )
            yield from (_DeclaredTarget(applied.tool, applied.target, applied.cluster, place) for place in places)

    @cached_property
    def _files_of_variants(self) -> frozenset[str]:
        """The files whose declaring objects overlays change in several ways, each for a cluster of its own."""
        seen: dict[tuple[str, ObjectRef], JsonObject] = {}
        found: set[str] = set()
        for applied in (one.applied for one in self._units):
            if applied.tool_object is not None:
                known = seen.setdefault((applied.reason.file, ref_of(applied.tool_object)), applied.tool_object)
                found |= set() if equal(known, applied.tool_object) else {applied.reason.file}
        return frozenset(found)

    @cached_property
    def _homes(self) -> Mapping[str, Sequence[int]]:
        """The units that apply each file which declares units, by its label; those of the layout alone are left out.

        The files of a unit that is rendered as its tool does it include the one that declares it.
        """
        declaring = {one.applied.reason.file for one in self._units if one.applied.tool_object is not None}
        found: dict[str, list[int]] = {}
        for rank, unit in enumerate(self._units):
            if unit.form is Form.KUSTOMIZATION or unit.applied.tool_object is not None:
                own = {unit.applied.reason.file} if unit.form is Form.RELEASE else set()
                for file in declaring.intersection(map(self._side.label, unit.files)) - own:
                    found.setdefault(file, []).append(rank)
        return found


class _TargetGroup:
    """The units of one target, with an index of their objects, which are read once a name of them is looked for."""

    def __init__(self, side: Side, documents: dict[int, Sequence[Document]], *, is_declared: bool) -> None:
        self.members: list[_TargetMember] = []
        self._is_declared = is_declared
        self._side = side
        self._documents = documents
        self._read: set[int] = set()
        self._objects: dict[tuple[str, str, str], list[tuple[str, _TargetMember, Document]]] = {}

    @cached_property
    def units(self) -> UnitGroup:
        """The units, each with whether the run examines it."""
        return tuple((one.unit, one.order is not None) for one in self.members)

    def has_others(self, unit: Unit) -> bool:
        """Return whether the group has a unit in another folder: units in one folder are alternatives."""
        folder = _folder_of(unit)
        others = (one.unit for one in self.members if _folder_of(one.unit) != folder)
        return any(self._is_as_read(one) and self._is_as_read(unit) for one in others)

    def _is_as_read(self, unit: Unit) -> bool:
        return not self._is_declared or _is_applied_unmodified(unit)

    def objects(self, ref: ObjectRef) -> Iterator[tuple[_TargetMember, Document]]:
        """Yield the objects of a kind and name, in its namespace if it has one."""
        for member in self._members_by_word.get(ref.name.encode(), ()):
            self._add(member)
        while self._unread_templates:
            self._add(self._unread_templates.pop())
        for namespace, member, document in self._objects.get((ref.group, ref.kind, ref.name), ()):
            if (not ref.namespace or namespace in ("", ref.namespace)) and self._is_as_read(member.unit):
                yield member, document

    @cached_property
    def _unread_templates(self) -> list[_TargetMember]:
        """The units with composed names that are not read yet."""
        return [one for one in self.members if one.unit.form in _COMPOSED]

    @cached_property
    def _members_by_word(self) -> Mapping[bytes, Sequence[_TargetMember]]:
        """The other units by the words of their files."""
        found: dict[bytes, list[_TargetMember]] = {}
        for member in self.members:
            if member.unit.form not in _COMPOSED:
                texts = self._side.contents(member.unit.files).values()
                for word in {word.rstrip(b":") for text in texts for word in _NAME.findall(text)}:
                    found.setdefault(word, []).append(member)
        return found

    def _add(self, member: _TargetMember) -> None:
        if member.rank in self._read:
            return
        self._read.add(member.rank)
        if member.rank not in self._documents:
            self._documents[member.rank] = _documents(self._side, member.unit)
        for one in self._documents[member.rank]:
            entry = (one.ref.namespace or member.unit.applied.namespace, member, one)
            self._objects.setdefault((one.ref.group, one.ref.kind, one.ref.name), []).append(entry)


@dataclass(frozen=True, slots=True)
class _TargetLookup:
    """Finds the objects of a unit in other units of its targets."""

    unit: Unit
    groups: Sequence[_TargetGroup]

    def __call__(self, documents: Sequence[Document]) -> Iterator[UnitDocuments]:
        found: dict[int, tuple[Unit, dict[int, Document]]] = {}
        refs = [document.ref for document in documents]
        every = (pair for group in self.groups for ref in refs for pair in group.objects(ref))
        for member, other in every:
            if self._is_other(member):
                found.setdefault(member.rank, (member.unit, {}))[1].setdefault(id(other), other)
        for _, (unit, others) in sorted(found.items(), key=lambda item: item[0]):
            yield UnitDocuments(unit, tuple(others.values()))

    def _is_other(self, member: _TargetMember) -> bool:
        """Return whether a unit is another one that is not examined after this one."""
        is_later = member.order is not None and member.order > _order(self.unit)
        return not is_later and _folder_of(member.unit) != _folder_of(self.unit)


def _order(unit: Unit) -> tuple[object, ...]:
    return unit.root, unit.values


def _is_applied_unmodified(unit: Unit) -> bool:
    """Return whether a tool applies the objects as they are read here; those of a HelmRelease are rendered."""
    if unit.form is Form.RELEASE:
        return True
    applier = Applier(unit.applied.tool)
    program = unit_program(applier)
    found = program.unit_of(applier, AskedApplier(applier), unit, "")
    return found is not None and not program.changes_objects(found)


def _folder_of(unit: Unit) -> str:
    return posixpath.dirname(unit.root) if unit.form is Form.FILE else unit.root


def _documents(side: Side, unit: Unit) -> Sequence[Document]:
    if not renders.is_rendered(unit):
        return side.read([path for path in sorted(unit.files) if path.endswith(EXTENSIONS)]).documents
    return renders.render_unit(side, unit).documents
