"""The objects of a plan in reading order: unit by unit, the worst first, equal effects once."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.outcome import Change, Outcome
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.problem import Compared
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Identity
from kubectl_applylint.lint.model import Finding
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.doubts import Doubts, own_lines
from kubectl_applylint.report.objects.change_lines import parts_for
from kubectl_applylint.report.objects.changes import has_noise_only, is_new, visible_changes
from kubectl_applylint.report.objects.created import created_words
from kubectl_applylint.report.objects.hazard_lines import common_causes, hazards_of, without_repeated_warnings
from kubectl_applylint.report.objects.object_details import details, note
from kubectl_applylint.report.order import Apply, Impact, UnitApplies, impact, worst_first
from kubectl_applylint.report.words import show, translate

_UnitEntries: TypeAlias = "tuple[UnitReport | None, tuple[PlannedObject, ...]]"
_MOST_NAMESPACES: Final = 10
_CHANGED: Final = (Impact.CONFIGURED, Impact.SERVERSIDE_APPLIED)


@dataclass(frozen=True, slots=True)
class PlannedObject:
    """One object: its places and namespaces, its summary if it is new, and the lines about it."""

    document: Document
    """The first of its documents, without positions if it is in several places."""
    outcome: Outcome
    places: tuple[str, ...]
    namespaces: tuple[str, ...]
    created: str
    lines: tuple[str, ...]
    words: tuple[str, ...]
    """The lines without places."""
    changes: tuple[str, ...] = ()
    """All its changes in full, for comparison with other units, since lines may be cut."""
    beside: tuple[str, ...] = ()
    """Those of the lines that are not about its fields: its other documents, and its confidence."""
    hazards: tuple[Finding, ...] = ()
    """The findings about the object, the most severe first."""
    units: int = 1
    """The number of units that have the object."""
    has_noise_only: bool = False
    """Whether nothing changes but chart labels, checksums and CA bundles; never with ``-v``, which lists them."""

    @property
    def namespace_names(self) -> str:
        """The names of its namespaces, of many the first; empty for a cluster-scoped object."""
        return first_names([*filter(None, self.namespaces)], _MOST_NAMESPACES)

    @property
    def matter(self) -> tuple[object, ...]:
        """What an object has in common in several environments: everything except its place and its namespace."""
        ref = self.outcome.ref
        effects = (self.outcome.verdict, self.created, self.words, self.changes, common_causes(self.hazards))
        return (ref.api_version, ref.kind, ref.name, *effects)

    @property
    def cause(self) -> tuple[object, ...]:
        """What several objects of a unit have in common."""
        effect = (impact(self.outcome), self.outcome.verdict, common_causes(self.hazards))
        return effect if self.has_noise_only else (*effect, self.words, self.changes)


@dataclass(frozen=True, slots=True)
class Section:
    """Units with the same effects, with their objects."""

    units: tuple[UnitReport | None, ...]
    entries: tuple[PlannedObject, ...]

    @property
    def groups(self) -> list[list[PlannedObject]]:
        """The objects, grouped by their lines, in the order of the first of each group."""
        groups: dict[tuple[object, ...], list[PlannedObject]] = {}
        for entry in self.entries:
            groups.setdefault(entry.cause, []).append(entry)
        return list(groups.values())


def merge_sections(
    units: Iterable[UnitApplies],
    doubts: Doubts,
    context: Context,
    *,
    findings: Sequence[Finding] = (),
    with_unchanged: bool = False,
) -> list[Section]:
    """Return the objects of each unit, with units that have the same effects joined.

    Unchanged objects without ``findings`` are left out, except with ``with_unchanged`` or ``-v``.
    """
    every = list(units)
    changed = {
        (outcome.ref.kind, outcome.ref.name) for _, applies in every for _, outcome in applies if _is_changed(outcome)
    }
    is_whole = with_unchanged or context.verbose
    entry_of = partial(_entry, doubts=doubts, most=parts_for(len(changed)), context=context)
    shown = [
        (unit, tuple(_entries(applies, hazards, entry_of, is_whole=is_whole)))
        for (unit, applies), hazards in zip(every, _hazards_of_units(every, findings), strict=True)
    ]
    groups: dict[frozenset[tuple[object, int]], list[Section]] = {}
    for unit, entries in _with_declarations(shown, context):
        effects = frozenset(Counter(entry.matter for entry in entries).items())
        groups.setdefault(effects, []).append(Section((unit,), entries))
    return [_join_sections(group) for group in groups.values()]


def _hazards_of_units(
    every: Sequence[UnitApplies], findings: Sequence[Finding]
) -> Iterator[Mapping[object, tuple[Finding, ...]]]:
    """Yield the findings about the objects of each unit; an Application that replaces another one has the same root."""
    roots = [unit.root if unit else "" for unit, _ in every]
    counts = Counter(roots)
    for root, (_, applies) in zip(roots, every, strict=True):
        files = frozenset(document.file for document, _ in applies) if counts[root] > 1 else None
        yield hazards_of(findings, root, files)


def _entries(
    applies: Sequence[Apply],
    hazards: Mapping[object, tuple[Finding, ...]],
    entry_of: Callable[[Apply, "_Twins | None"], PlannedObject],
    *,
    is_whole: bool,
) -> Iterator[PlannedObject]:
    """Yield the objects of a unit, the worst first; with ``is_whole`` also those without changes."""
    unchanged = set(hazards) - {outcome.ref.identity for _, outcome in applies if _is_shown(outcome)}
    twins = dict(zip(map(id, applies), _twins(applies), strict=True))
    for one in worst_first(applies):
        identity = one[1].ref.identity
        if is_whole or _is_shown(one[1]) or identity in unchanged:
            found = hazards.get(identity, ())
            yield replace(entry_of(_without_repeats(one, found), twins[id(one)]), hazards=found)


def _with_declarations(units: Sequence[_UnitEntries], context: Context) -> list[_UnitEntries]:
    """Return units with their objects, each with the changed object that declares it, above what that changes.

    The unit that applies that object does not have it any more. If nothing of a unit changes, a line says so.
    """
    changed = [
        (unit.cluster, entry)
        for unit, entries in units
        if unit
        for entry in entries
        if entry.changes and impact(entry.outcome) in _CHANGED
    ]
    moved: dict[int, PlannedObject] = {}
    for number, (unit, entries) in enumerate(units):
        if unit and unit.declared_by and unit.compared is Compared.YES and not unit.is_suspended:
            found = _declaring_entry(unit, changed)
            if found and not any(entry is found for entry in (*entries, *moved.values())):
                moved[number] = found
    gone = {id(entry) for entry in moved.values()}
    rest = [(unit, tuple(one for one in entries if id(one) not in gone)) for unit, entries in units]
    return [
        (unit, (_declaration(moved[number], entries, context), *entries) if number in moved else entries)
        for number, (unit, entries) in enumerate(rest)
    ]


def _declaring_entry(unit: UnitReport, changed: Sequence[tuple[str, PlannedObject]]) -> PlannedObject | None:
    """Return the changed object that declares a unit: of its cluster, else in its file.

    Several objects of one name are in clusters of their own, which the units that apply these objects do not know.
    """
    identity = unit.declared_by.identity if unit.declared_by else None
    named = [(cluster, entry) for cluster, entry in changed if entry.outcome.ref.identity == identity]
    of_cluster = [entry for cluster, entry in named if cluster == unit.cluster]
    file = unit.location.rpartition(":")[0]
    return next(iter(of_cluster), None) or next((one for _, one in named if one.document.file == file), None)


def _declaration(entry: PlannedObject, declared: Sequence[PlannedObject], context: Context) -> PlannedObject:
    """Return the object that declares a unit, with a line if nothing of the unit changes."""
    if any(_is_changed(one.outcome) for one in declared):
        return entry
    line = note(translate("no object changes", context), context)
    return replace(
        entry,
        lines=(*entry.lines, line),
        words=(*entry.words, line),
        beside=(*entry.beside, line),
        has_noise_only=False,
    )


def join_similar(sections: Iterable[Section]) -> list[Section]:
    """Return sections with those joined whose objects change alike, whatever their names.

    An example is a component that each application has with its own name.
    """
    groups: dict[object, list[Section]] = {}
    for section in sections:
        kinds = tuple((entry.outcome.ref.api_version, entry.outcome.ref.kind, entry.cause) for entry in section.entries)
        is_change = any(entry.changes for entry in section.entries)
        groups.setdefault(kinds if is_change else id(section), []).append(section)
    return [
        Section(
            tuple(unit for section in same for unit in section.units),
            tuple(entry for section in same for entry in section.entries),
        )
        for same in groups.values()
    ]


def _join_sections(sections: Sequence[Section]) -> Section:
    """Return several sections with the same effects as one, in the order of the first: each tool has its own."""
    order = [entry.matter for entry in sections[0].entries]
    entries = zip(*(_sorted_by_matter(section.entries, order) for section in sections), strict=True)
    return Section(tuple(section.units[0] for section in sections), tuple(map(_join_objects, entries)))


def _sorted_by_matter(entries: Iterable[PlannedObject], order: Iterable[tuple[object, ...]]) -> list[PlannedObject]:
    by_matter: dict[tuple[object, ...], deque[PlannedObject]] = {}
    for entry in entries:
        by_matter.setdefault(entry.matter, deque()).append(entry)
    return [by_matter[matter].popleft() for matter in order]


def _join_objects(entries: Sequence[PlannedObject]) -> PlannedObject:
    """Return one object of several environments."""
    places = dict.fromkeys(place for entry in entries for place in entry.places)
    spaces = dict.fromkeys(space for entry in entries for space in entry.namespaces)
    first = entries[0]
    if len(places) > 1:
        first = replace(first, document=replace(first.document, positions=InCluster()), lines=first.words)
    return replace(first, places=tuple(places), namespaces=tuple(spaces), units=len(entries))


def _is_changed(outcome: Outcome) -> bool:
    return impact(outcome) is not Impact.UNCHANGED


def _is_shown(outcome: Outcome) -> bool:
    """Return whether an object has changes or warnings."""
    return _is_changed(outcome) or bool(outcome.warnings)


def _without_repeats(apply: Apply, findings: tuple[Finding, ...]) -> Apply:
    return apply[0], without_repeated_warnings(apply[1], findings)


def _entry(apply: Apply, twins: "_Twins | None", doubts: Doubts, most: int, context: Context) -> PlannedObject:
    """Return one object with the lines about it; a changed value takes ``most`` of them."""
    document, outcome = apply
    twin, own = tuple(_twin_line(twins, context)), tuple(own_lines(outcome, doubts, context))
    lines, words = (
        (*twin, *details(one, outcome, context, most), *own)
        for one in (document, replace(document, positions=InCluster()))
    )
    visible = visible_changes(outcome, verbose=context.verbose)
    return replace(
        object_of(document, outcome),
        lines=lines,
        words=words,
        changes=tuple(map(_change_in_full, visible)),
        beside=(*twin, *own),
        has_noise_only=not (twin or own or context.verbose) and has_noise_only(outcome, visible),
    )


def _change_in_full(change: Change) -> str:
    before, after = (show(side, whole=True) for side in (change.before, change.after))
    return f"{render(change.path)}: {before} → {after} {change.provenance}"


def object_of(document: Document, outcome: Outcome) -> PlannedObject:
    """Return one object of a plan, without lines."""
    location = document.locate(())
    new = created_words(outcome.ref, outcome.after or {}) if is_new(outcome) and not outcome.refused else ""
    places = (str(location),) if location.is_text else ()
    return PlannedObject(document, outcome, places, (outcome.ref.namespace,), new, (), ())


@dataclass(frozen=True, slots=True)
class _Twins:
    """The position of a document among those of one object in a run, and the places of the others."""

    position: int
    count: int
    others: str


def _twins(outcomes: Sequence[Apply]) -> list[_Twins | None]:
    """Return for each apply the documents of its object in other places, ``None`` if it has none."""
    groups: dict[Identity, list[int]] = {}
    for position, (_, outcome) in enumerate(outcomes):
        groups.setdefault(outcome.ref.identity, []).append(position)
    places = [str(document.locate(())) for document, _ in outcomes]
    found: list[_Twins | None] = [None] * len(places)
    for group in groups.values():
        for number, position in enumerate(group if len(group) > 1 else (), start=1):
            others = dict.fromkeys(places[other] for other in group if places[other] != places[position])
            found[position] = _Twins(number, len(group), ", ".join(others)) if others else None
    return found


def _twin_line(twins: _Twins | None, context: Context) -> Iterator[str]:
    if twins is not None:
        words = translate(
            "document {number} of {count} for this object, see {others}",
            context,
            number=str(twins.position),
            count=str(twins.count),
            others=twins.others,
        )
        yield note(words, context)
