"""What an apply would do to each object, for people: verdict, changes with their cause, what stays and from whom."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Confidence, Level, Outcome, Owner, OwnerChange, Verdict, Why
from kubectl_applylint.core.paths import Path, render
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import Identity
from kubectl_applylint.engine.errors import said
from kubectl_applylint.lint.model import Report, UnitReport
from kubectl_applylint.report.change_lines import change_lines
from kubectl_applylint.report.changes import is_new
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.created import created_words
from kubectl_applylint.report.text import incomplete, trouble
from kubectl_applylint.report.words import counted, paint, tell, verdict_word, wrap

_ROLES = {
    Verdict.CREATED: "good",
    Verdict.CONFIGURED: "changed",
    Verdict.SERVERSIDE_APPLIED: "changed",
    Verdict.UNCHANGED: "quiet",
    Verdict.KEPT: "quiet",
    Verdict.PRUNED: "gone",
    Verdict.REJECTED: "error",
    Verdict.CONFLICT: "error",
    Verdict.UNKNOWN: "problem",
}
_STAYS = (Why.KEPT, Why.SHARED)
_FEW = 3
"""How many of the fields that somebody loses are named at once."""
_FROM_FILE = (Why.SET, Why.MERGED, Why.REPLACED, Why.NULLED)


def last_applies(outcomes: Iterable[tuple[Document, Outcome]]) -> tuple[tuple[Document, Outcome], ...]:
    """Return one outcome an object: where files describe one twice, the later apply decides what is stored."""
    latest = {outcome.ref.identity: (document, outcome) for document, outcome in outcomes}
    return tuple(latest.values())


def plan_text(report: Report, context: Context) -> str:
    """Return a block for every document that is applied, unit by unit, then problems and a line that sums up."""
    common = _common_doubt([outcome for _, outcome in report.outcomes])
    blocks = [block for unit, outcomes in _groups(report) for block in _group(unit, outcomes, common, report, context)]
    tail = [*_doubt(common, context), *trouble(report, context), plan_summary(report, context)]
    return "\n\n".join([*blocks, "\n".join(tail)]) + "\n"


def _groups(report: Report) -> Iterator[tuple[UnitReport | None, Sequence[tuple[Document, Outcome]]]]:
    """Yield the outcomes of each unit, or all of one apply that somebody named."""
    if not report.units:
        yield None, report.outcomes
    yield from report.by_unit


def _group(
    unit: UnitReport | None,
    outcomes: Sequence[tuple[Document, Outcome]],
    common: Confidence,
    report: Report,
    context: Context,
) -> Iterator[str]:
    """Yield the blocks of a unit, the first below a line that names it where a reader could take it for another."""
    twins = _twins(outcomes)
    start = [unit_line(unit, context)] if unit and _is_named(unit, report) else []
    for position, (document, outcome) in enumerate(outcomes):
        yield "\n".join([*start, *_object(document, outcome, common, twins[position], context)])
        start = []


def _is_named(unit: UnitReport, report: Report) -> bool:
    return len(report.units) > 1 or bool(unit.namespace or unit.target)


def unit_line(unit: UnitReport, context: Context) -> str:
    """Return the line that names a unit: its root, what it is, and who applies it where."""
    parts = [
        tell(unit.form, context),
        *([tell("applied by {tool}", context, tool=unit.tool)] if unit.tool != "kubectl" else []),
        *([tell("namespace {name}", context, name=unit.namespace)] if unit.namespace else []),
        *([tell("target {name}", context, name=unit.target)] if unit.target else []),
    ]
    return wrap(one_line(f"{paint('place', unit.root, context)} ({', '.join(parts)})"), context, indent="  ")


@dataclass(frozen=True, slots=True)
class _Twins:
    """Which of the documents of one object in a run it is, and where the others are."""

    position: int
    count: int
    others: str


def _twins(outcomes: Sequence[tuple[Document, Outcome]]) -> list[_Twins | None]:
    """Return for each apply what there is to say of other documents of its object, ``None`` where it has no other."""
    groups: dict[Identity, list[int]] = {}
    for position, (_, outcome) in enumerate(outcomes):
        groups.setdefault(outcome.ref.identity, []).append(position)
    places = [str(document.locate(())) for document, _ in outcomes]
    found: list[_Twins | None] = [None] * len(places)
    for group in groups.values():
        for number, position in enumerate(group if len(group) > 1 else (), start=1):
            others = ", ".join(places[other] for other in group if other != position)
            found[position] = _Twins(number, len(group), others)
    return found


def _common_doubt(outcomes: Sequence[Outcome]) -> Confidence:
    """Return the doubts that all of several outcomes share, to be told once, with the lowest level that none is above.

    Without any it is the highest confidence, which needs no words.
    """
    every = [outcome.confidence for outcome in outcomes if outcome.verdict is not Verdict.KEPT]
    shared = [reason for reason in every[0].reasons if all(reason in one.reasons for one in every)] if every else []
    if len(every) < 2 or not shared:
        return every[0] if len(set(every)) == 1 and len(every) > 1 else Confidence()
    best = min((one.level for one in every), key=list(Level).index)
    return Confidence(best, tuple(shared))


def _doubt(confidence: Confidence, context: Context, indent: str = "") -> Iterator[str]:
    if confidence.level is not Level.HIGH:
        reasons = "; ".join(confidence.reasons)
        text = tell("confidence: {level}", context, level=tell(confidence.level.value, context))
        yield wrap(one_line(f"{indent}{text}{reasons and f' ({reasons})'}"), context, indent=f"{indent}  ")


def _object(
    document: Document, outcome: Outcome, common: Confidence, twins: _Twins | None, context: Context
) -> Iterator[str]:
    yield headline(document, outcome, context)
    if twins is not None:
        words = tell(
            "document {number} of {count} for this object, see {others}",
            context,
            number=str(twins.position),
            count=str(twins.count),
            others=twins.others,
        )
        yield _note(words, context)
    yield from details(document, outcome, context)
    yield from _doubt(_own_doubt(outcome.confidence, common), context, indent="    ")


def details(document: Document, outcome: Outcome, context: Context) -> Iterator[str]:
    """Yield what there is to say of an object beside its verdict, a line each."""
    for cause in () if outcome.conflicts else outcome.causes:
        yield _note(tell("reason: {why}", context, why=said(cause, whole=context.verbose)), context)
    for conflict in outcome.conflicts:
        yield _note(f"{conflict.message}: {render(conflict.path)}", context)
    if outcome.remedy:
        yield _note(tell("remedy: {remedy}", context, remedy=outcome.remedy), context)
    yield from change_lines(document, outcome, context)
    yield from _losses(outcome, context)
    for warning in outcome.warnings:
        yield _note(tell("warning: {words}", context, words=warning), context)


def _own_doubt(confidence: Confidence, common: Confidence) -> Confidence:
    """Return what is left to say of one object after what holds for all has been said."""
    own = tuple(reason for reason in confidence.reasons if reason not in common.reasons)
    return replace(confidence, reasons=own) if own or confidence.level is not common.level else Confidence()


def _note(text: str, context: Context) -> str:
    return wrap(f"    {one_line(text)}", context, indent="      ")


def headline(document: Document, outcome: Outcome, context: Context) -> str:
    """Return the line that names an object and tells its verdict."""
    location = document.locate(())
    place = f"{paint('place', one_line(str(location)), context)}: " if location.is_text else ""
    verdict = paint(_ROLES[outcome.verdict], verdict_word(outcome.verdict), context)
    stays = tell(": removed from the files, stays in the cluster", context) if outcome.verdict is Verdict.KEPT else ""
    status = f" (HTTP {outcome.status})" if outcome.status else ""
    extras = "".join(tell(", {text}", context, text=text) for text in _extras(outcome, context))
    new = created_words(outcome.ref, outcome.after or {}) if is_new(outcome) and not outcome.refused else ""
    is_what = one_line(new and f": {new}")
    return f"{place}{object_name(outcome)}: {verdict}{stays}{status}{extras}{is_what}"


def object_name(outcome: Outcome) -> str:
    """Return how people call the object: ``deployment.apps/web in shop``."""
    ref = outcome.ref
    return one_line(f"{ref} in {ref.namespace}" if ref.namespace else str(ref))


def _extras(outcome: Outcome, context: Context) -> Iterator[str]:
    if outcome.restarts and not outcome.refused:
        yield tell("its pods restart", context)
    if outcome.renamed_from:
        yield tell("was {name}", context, name=one_line(str(outcome.renamed_from)))
    if outcome.refused:
        yield tell("not stored", context)


def _losses(outcome: Outcome, context: Context) -> Iterator[str]:
    """Yield a line for every manager that loses fields, by those who have them afterwards."""
    lost: dict[tuple[Owner, str], list[Path]] = {}
    for change in () if outcome.refused else outcome.owner_changes:
        for owner in change.lost:
            lost.setdefault((owner, _fate(change, context)), []).append(change.path)
    for (owner, fate), paths in lost.items():
        text = tell("{owner} loses {fields}{fate}", context, owner=owner, fields=_listed(paths, context), fate=fate)
        yield wrap(one_line(f"    {text}"), context, indent="        ")


def _fate(change: OwnerChange, context: Context) -> str:
    if change.gained:
        return tell(" to {owners}", context, owners=_names(change.gained))
    if change.is_orphaned:
        return tell(" to no owner: no later apply will remove it", context)
    return tell(", still owned by {owners}", context, owners=_names(change.after))


def _names(owners: Sequence[Owner]) -> str:
    return ", ".join(map(str, owners))


def _listed(paths: Sequence[Path], context: Context) -> str:
    shown = paths if context.verbose else paths[:_FEW]
    more = len(paths) - len(shown)
    rest = tell(" and {fields} more", context, fields=counted(more, "field", context)) if more else ""
    return ", ".join(map(render, shown)) + rest


def plan_summary(report: Report, context: Context) -> str:
    """Return the line that sums up a plan: as kubectl tells it, each document counts."""
    numbers = Counter(outcome.verdict for _, outcome in report.outcomes)
    words = [paint(_ROLES[v], f"{numbers[v]} {verdict_word(v)}", context) for v in Verdict if numbers[v]]
    return (", ".join(words) or tell("no objects", context)) + incomplete(report, context)
