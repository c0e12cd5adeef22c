"""Compares one change under several appliers: the objects whose result depends on the applier."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from kubectl_applylint.core.outcome import Change, Outcome, Verdict, plain
from kubectl_applylint.core.paths import Path, fields, render
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import LAST_APPLIED, Identity
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.objects.changes import is_new
from kubectl_applylint.report.ownership.pages import json_page, name_json, text_page
from kubectl_applylint.report.plan import object_name
from kubectl_applylint.report.words import count, paint, show, wrap
from kubectl_applylint.tools.kapp.own_annotations import OF_KAPP

_NOT_APPLIED: Final = "not applied"
_WORDS: Final = {Verdict.PRUNED: "deleted", Verdict.KEPT: "stays in the cluster"}
_OF_TOOLS: Final = (
    fields("metadata", "managedFields"),
    *(fields("metadata", "annotations", name) for name in (LAST_APPLIED, *OF_KAPP)),
)
"""The fields that each applier writes for itself."""
_MOST_CHANGES: Final = 6
_MOST_NAMES: Final = 5

Place: TypeAlias = tuple[str, Identity]
"""An object, with the root of the unit that applies it."""


@dataclass(frozen=True, slots=True)
class ComparedEffect:
    """The effect on an object: ``word`` for the whole, the changed fields, and the reasons of a rejection."""

    word: str
    changes: Mapping[Path, Change] = field(default_factory=dict)
    causes: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """The key by which equal effects are found."""
        sides = [(render(path), show(one.before), show(one.after)) for path, one in self.changes.items()]
        return self.word, "" if self.causes else repr(sorted(sides))


@dataclass(frozen=True, slots=True)
class ComparedObject:
    """An object with its effect under each applier, and an outcome with its name."""

    unit: str
    outcome: Outcome
    effects: Mapping[str, ComparedEffect]

    @property
    def groups(self) -> Sequence[tuple[Sequence[str], ComparedEffect]]:
        """The appliers in their order, grouped by equal effects."""
        order = [*dict.fromkeys(effect.key for effect in self.effects.values())]
        ranked = sorted(self.effects.items(), key=lambda item: order.index(item[1].key))
        same = (list(members) for _, members in groupby(ranked, key=lambda item: item[1].key))
        return [([applier for applier, _ in members], members[0][1]) for members in same]


def compare_reports(reports: Mapping[str, Report]) -> tuple[ComparedObject, ...]:
    """Return all objects of the plans of several appliers, in the order of their first occurrence."""
    plans = {applier: dict(placed_outcomes(report)) for applier, report in reports.items()}
    places: dict[Place, Outcome] = {}
    for plan in plans.values():
        places = {**plan, **places}
    return tuple(
        ComparedObject(place[0], outcome, {applier: effect_of(plan.get(place)) for applier, plan in plans.items()})
        for place, outcome in places.items()
    )


def placed_outcomes(report: Report) -> Iterator[tuple[Place, Outcome]]:
    """Yield the outcomes of a plan, each with its unit and its object."""
    if not report.units:
        yield from ((("", outcome.ref.identity), outcome) for _, outcome in report.outcomes)
    for unit, outcomes in report.by_unit:
        yield from (((unit.root, outcome.ref.identity), outcome) for _, outcome in outcomes)


def effect_of(outcome: Outcome | None) -> ComparedEffect:
    """Return the effect on an object, in words that are the same for all appliers."""
    if outcome is None:
        return ComparedEffect(_NOT_APPLIED)
    if outcome.refused:
        causes = [cause.message for cause in outcome.errors] or [outcome.error]
        return ComparedEffect(outcome.verdict.value, {}, tuple(dict.fromkeys(filter(None, causes))))
    if is_new(outcome):
        return ComparedEffect(Verdict.CREATED.value)
    if outcome.verdict not in (Verdict.CONFIGURED, Verdict.SERVERSIDE_APPLIED, Verdict.UNCHANGED):
        return ComparedEffect(_WORDS.get(outcome.verdict, outcome.verdict.value))
    changes = {change.path: change for change in outcome.changes if _is_visible(change)}
    return ComparedEffect("configured" if changes else "unchanged", changes)


def _is_visible(change: Change) -> bool:
    is_own = any(change.path[: len(path)] == path for path in _OF_TOOLS)
    return not is_own and show(change.before, whole=True) != show(change.after, whole=True)


def comparison_text(reports: Mapping[str, Report], context: Context) -> str:
    """Return a block for each object whose result depends on the applier, after a summary line."""
    every = compare_reports(reports)
    differing = [one for one in every if len(one.groups) > 1]
    names = " and ".join(", ".join(reports).rsplit(", ", 1))
    number = f"{len(differing)} of {count(len(every), 'object')}"
    head = f"{number} differ between {names}, each as if it had also applied the earlier revision"
    alike: dict[str, list[ComparedObject]] = {}
    for one in differing:
        alike.setdefault("\n".join(_object_lines(one, context)), []).append(one)
    blocks = ["\n".join([*_names(same, context), lines]) for lines, same in alike.items()]
    problems = dict.fromkeys(problem for report in reports.values() for problem in report.problems)
    return text_page([wrap(head, context, indent="  "), *blocks], [*problems], context)


def _names(same: Sequence[ComparedObject], context: Context) -> Iterator[str]:
    """Yield the names of objects with the same effects."""
    shown = same if context.verbose else same[:_MOST_NAMES]
    for one in shown:
        unit = f" ({one.unit})" if one.unit else ""
        yield paint("place", one_line(f"{object_name(one.outcome)}{unit}"), context)
    if len(same) > len(shown):
        yield f"{count(len(same) - len(shown), 'more object')} (-v to list)"


def _object_lines(one: ComparedObject, context: Context) -> Iterator[str]:
    """Yield the lines of one object: the effect under each group of appliers."""
    groups = one.groups
    common = frozenset.intersection(*(frozenset(map(_change_key, effect.changes.values())) for _, effect in groups))
    width = max(len(", ".join(appliers)) for appliers, _ in groups)
    for appliers, effect in groups:
        yield one_line(f"  {', '.join(appliers):{width}}  {effect.word}")
        yield from (wrap(one_line(f"    {cause}"), context, indent="      ") for cause in effect.causes)
        own = [change for change in effect.changes.values() if _change_key(change) not in common]
        shown = own if context.verbose else own[:_MOST_CHANGES]
        yield from (wrap(one_line(f"    {_change(change)}"), context, indent="      ") for change in shown)
        if len(own) > len(shown):
            yield f"    {count(len(own) - len(shown), 'more field')} (-v to list)"


def _change_key(change: Change) -> tuple[str, str, str]:
    """Return what two equal changes have in common: path and both values."""
    return render(change.path), show(change.before, whole=True), show(change.after, whole=True)


def _change(change: Change) -> str:
    return f"{render(change.path)}: {show(change.before)} → {show(change.after)}"


def comparison_json(reports: Mapping[str, Report], context: Context) -> str:
    """Return the same as JSON, as ``schemas/comparison-v1.json`` describes it."""
    problems = dict.fromkeys(problem for report in reports.values() for problem in report.problems)
    return json_page("comparison", [*map(_object_json, compare_reports(reports))], [*problems], appliers=[*reports])


def _object_json(one: ComparedObject) -> Json:
    return {
        **name_json(one.outcome.ref),
        "unit": one.unit,
        "differs": len(one.groups) > 1,
        "effects": [{"appliers": [*appliers], **_effect_json(effect)} for appliers, effect in one.groups],
    }


def _effect_json(effect: ComparedEffect) -> dict[str, Json]:
    return {
        "effect": effect.word,
        "causes": [*effect.causes],
        "changes": [
            {
                "path": render(change.path),
                **({} if change.before is MISSING else {"before": plain(change.before)}),
                **({} if change.after is MISSING else {"after": plain(change.after)}),
            }
            for change in effect.changes.values()
        ],
    }
