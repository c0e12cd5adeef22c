"""The plans of one repository for several targets, grouped by object, effect and cause."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.outcome import Outcome, Owner, Why
from kubectl_applylint.core.paths import Path, render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json
from kubectl_applylint.report.comparison import Place, effect_of
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.order import Impact, impact
from kubectl_applylint.report.ownership.owners import object_title
from kubectl_applylint.report.ownership.pages import json_page, name_json, text_page
from kubectl_applylint.report.words import count, paint, wrap

_REFUSED: Final = (Impact.REJECTED, Impact.CONFLICT)
QUIET: Final = (Impact.UNCHANGED,)
"""The impacts that are not listed."""
_MOST_NAMES: Final = 8
_MOST_FIELDS: Final = 4
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class TargetEffect:
    """The effect on one object in one target."""

    unit: str
    ref: ObjectRef
    impact: Impact
    kind: str
    """A text that is the same for the same cause, whatever the values are in each target."""
    cause: str
    """Why an apply is rejected, or which fields change and who loses them, in one line."""


@dataclass(frozen=True, slots=True)
class TargetReport:
    """The plan of one target, with its labels (``env=prod``): of each object only its effect."""

    name: str
    labels: tuple[str, ...] = ()
    effects: tuple[TargetEffect, ...] = ()
    refused: int = 0
    """The number of applies that would be rejected."""
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def worst(self) -> Impact | None:
        """The worst impact in it, ``None`` if nothing was planned."""
        return min((one.impact for one in self.effects), key=lambda one: one.rank, default=None)

    @property
    def is_held(self) -> bool:
        """Whether it should wait: an apply is rejected, or something could not be read."""
        return bool(self.problems or self.refused)

    @property
    def units(self) -> dict[str, Impact]:
        """The worst impact in each unit, by its root."""
        found: dict[str, Impact] = {}
        for one in self.effects:
            found[one.unit] = min(one.impact, found.get(one.unit, Impact.UNCHANGED), key=lambda each: each.rank)
        return found


def effects_of(unit: str, outcomes: Iterable[Outcome]) -> tuple[TargetEffect, ...]:
    """Return the effects of a unit, which is named by its root; none for a single apply."""
    return tuple(TargetEffect(unit, one.ref, impact(one), *_cause(one)) for one in outcomes)


@dataclass(frozen=True, slots=True)
class TargetGroup:
    """The effect on an object in some targets, for one cause."""

    impact: Impact
    cause: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TargetObject:
    """An object of a unit with its effects, the worst first."""

    unit: str
    ref: ObjectRef
    groups: tuple[TargetGroup, ...]

    @property
    def name(self) -> str:
        """The display name of the object: ``deployment.apps/web in shop``."""
        return object_title(self.ref)

    @property
    def number(self) -> int:
        """The number of targets that apply it."""
        return sum(len(group.targets) for group in self.groups)

    def share_words(self, group: TargetGroup) -> str:
        """Return how many of the targets have an effect: ``2 of 4 targets``."""
        return f"{len(group.targets)} of {count(self.number, 'target')}"

    @property
    def rank(self) -> tuple[int, int]:
        """The sort key of objects: the worst impact, then the number of targets."""
        return (self.groups[0].impact.rank, -len(self.groups[0].targets))


def rollout(reports: Sequence[TargetReport]) -> tuple[str, ...]:
    """Return the targets in the rollout order of a change: those that would fail come last."""
    return tuple(one.name for one in sorted(reports, key=lambda one: one.is_held))


def group_objects(reports: Sequence[TargetReport]) -> tuple[TargetObject, ...]:
    """Return all objects, the worst first, each with the targets grouped by effect and cause."""
    found: dict[Place, dict[tuple[Impact, str], list[tuple[str, TargetEffect]]]] = {}
    for one in reports:
        for effect in one.effects:
            groups = found.setdefault((effect.unit, effect.ref.identity), {})
            groups.setdefault((effect.impact, effect.kind), []).append((one.name, effect))
    return tuple(sorted(map(_object, found.values()), key=lambda one: one.rank))


def _object(groups: dict[tuple[Impact, str], list[tuple[str, TargetEffect]]]) -> TargetObject:
    effects = [
        TargetGroup(what, members[0][1].cause, tuple(name for name, _ in members))
        for (what, _), members in groups.items()
    ]
    ordered = sorted(effects, key=lambda group: (group.impact.rank, -len(group.targets)))
    first = next(iter(groups.values()))[0][1]
    return TargetObject(first.unit, first.ref, tuple(ordered))


def _cause(outcome: Outcome) -> tuple[str, str]:
    """Return a key that is equal for the same cause, and the cause in words."""
    words = cause_of(outcome)
    fields = {f"{cause.field} {cause.reason}" for cause in outcome.errors}
    return "\n".join(sorted(fields)) or words, words


def cause_of(outcome: Outcome) -> str:
    """Return why an apply is rejected, or which fields change, in one line."""
    if outcome.errors:
        return _cut("; ".join(dict.fromkeys(_error(one.field, one.message) for one in outcome.errors)))
    if outcome.conflicts:
        owners = sorted({f"{render(one.path)} is owned by {one.owner}" for one in outcome.conflicts})
        return _cut("; ".join(owners))
    if outcome.refused:
        return _cut(outcome.error)
    changes = effect_of(outcome).changes
    written = [path for path, change in changes.items() if change.provenance.why is not Why.DEFAULTED]
    return _cut("; ".join(filter(None, [_path_list(written or [*changes]), *_losses(outcome)])))


def _path_list(paths: Sequence[Path]) -> str:
    """Return the first paths, separated by commas, and the number of the others."""
    more = len(paths) - _MOST_FIELDS
    words = [*map(render, paths[:_MOST_FIELDS]), *([count(more, "more field")] if more > 0 else [])]
    return ", ".join(words)


def _losses(outcome: Outcome) -> Iterator[str]:
    """Yield what each other manager loses to the apply."""
    lost: dict[Owner, list[Path]] = {}
    for change in outcome.owner_changes:
        for owner in change.lost if change.gained else ():
            lost.setdefault(owner, []).append(change.path)
    for owner, paths in sorted(lost.items(), key=lambda item: str(item[0])):
        yield f"{owner} loses {_path_list(paths)}"


def _error(field: str, message: str) -> str:
    return f"{field}: {message}" if field and field not in message else message


def _cut(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def targets_text(reports: Sequence[TargetReport], context: Context, missing: Sequence[Problem] = ()) -> str:
    """Return the number of targets, their rollout order, and the objects that differ, by cause.

    ``missing`` are the reports that other machines have not delivered, here as in every renderer of targets.
    """
    shown = [one for one in group_objects(reports) if context.verbose or one.groups[0].impact not in QUIET]
    order = f"rollout order: {', '.join(map(one_line, rollout(reports)))}"
    head = [wrap(summary(reports), context, indent="  "), wrap(order, context, indent="  ")]
    blocks = ["\n".join(_lines(one, len(reports), context)) for one in shown]
    return text_page(["\n".join(head), *blocks], [*problems_of(reports), *missing], context)


def problems_of(reports: Sequence[TargetReport]) -> list[Problem]:
    """Return the problems with the names of the targets."""
    return [replace(fault, where=f"{one.name}: {fault.where}") for one in reports for fault in one.problems]


def summary(reports: Sequence[TargetReport]) -> str:
    """Return the summary line: the number of targets with each worst impact."""
    numbers = Counter(one.worst for one in reports if one.worst and not one.problems)
    words = [f"{numbers[one]} {one.value}" for one in Impact if numbers[one]]
    broken = sum(bool(one.problems) for one in reports)
    words += [f"{broken} incomplete"] if broken else []
    return f"{count(len(reports), 'target')}: {', '.join(words) or 'no objects'}"


def _lines(one: TargetObject, total: int, context: Context) -> Iterator[str]:
    unit = f" ({one_line(one.unit)})" if one.unit else ""
    yield paint("place", f"{one.name}{unit}", context)
    for group in one.groups:
        role = "error" if group.impact in _REFUSED else "changed"
        cause = f": {group.cause}" if group.cause else ""
        words = f"{paint(role, group.impact.value, context)} in {one.share_words(group)}{one_line(cause)}"
        yield wrap(f"  {words}", context, indent="    ")
        if one.number > 1 or total > 1:
            yield wrap(f"    {target_list(group.targets, context)}", context, indent="    ")


def target_list(targets: Sequence[str], context: Context) -> str:
    """Return the names of targets; of many, the first and the number of the others."""
    limit = len(targets) if context.verbose or len(targets) <= _MOST_NAMES + 1 else _MOST_NAMES
    more = len(targets) - limit
    return one_line(", ".join([*targets[:limit], *([f"{more} more (-v to list)"] if more else [])]))


def targets_json(reports: Sequence[TargetReport], context: Context, missing: Sequence[Problem] = ()) -> str:
    """Return the targets as versioned JSON."""
    order = rollout(reports)
    targets = [
        {
            "name": one.name,
            "labels": [*one.labels],
            "worst": one.worst and one.worst.value,
            "order": order.index(one.name) + 1,
            "units": {unit: what.value for unit, what in one.units.items()},
            "notes": [*one.notes],
        }
        for one in reports
    ]
    problems = [*problems_of(reports), *missing]
    return json_page("targets", [_object_json(one) for one in group_objects(reports)], problems, targets=targets)


def _object_json(one: TargetObject) -> Json:
    groups = [{"impact": group.impact.value, "cause": group.cause, "targets": [*group.targets]} for group in one.groups]
    return {**name_json(one.ref), "unit": one.unit, "groups": groups}
