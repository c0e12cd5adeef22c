"""The text of a plan: verdict, changes with their cause, what stays and from whom."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.doubts import doubt_lines, doubts_of
from kubectl_applylint.report.ending import ending_line
from kubectl_applylint.report.headings import page, summary_with_units, units_line
from kubectl_applylint.report.objects.hazard_lines import hazard_lines
from kubectl_applylint.report.objects.sections import PlannedObject, Section, join_similar, merge_sections, object_of
from kubectl_applylint.report.order import Impact, impact, impacts, units_worst_first
from kubectl_applylint.report.text import incomplete_words, problem_lines
from kubectl_applylint.report.words import noun_count, paint, place, translate, verdict_word, wrap

_ROLES = {
    Verdict.CREATED: "good",
    Verdict.CONFIGURED: "changed",
    Verdict.SERVERSIDE_APPLIED: "changed",
    Verdict.UNCHANGED: "quiet",
    Verdict.KEPT: "quiet",
    Verdict.PRUNED: "gone",
    Verdict.MAY_BE_REMOVED: "gone",
    Verdict.REJECTED: "error",
    Verdict.CONFLICT: "error",
    Verdict.UNKNOWN: "problem",
}
_MOST_ALIKE = 5
"""The number of objects with the same lines that are named."""
_MOST_PLAIN = 10
"""The number of objects without further lines that are named, if none of them is destroyed."""
_NOT_DESTROYED = (Impact.CREATED, Impact.MAY_BE_REMOVED, Impact.ORPHANED, Impact.UNCHANGED)
_MOST_PLACES = 2


def last_applies(outcomes: Iterable[tuple[Document, Outcome]]) -> tuple[tuple[Document, Outcome], ...]:
    """Return one outcome per object: if files describe one twice, the later apply decides what is stored."""
    latest = {outcome.ref.identity: (document, outcome) for document, outcome in outcomes}
    return tuple(latest.values())


def plan_text(report: Report, context: Context) -> str:
    """Return the summary line, the objects, unit by unit, the worst first, and the reason of the exit code."""
    doubts = doubts_of([outcome for _, outcome in report.outcomes])
    sections = join_similar(merge_sections(units_worst_first(report), doubts, context, findings=report.findings))
    blocks = ["\n".join(_section_lines(section, report, context)) for section in sections if section.entries]
    ending = ending_line(report, context)
    tail = [*doubt_lines(doubts, context), *problem_lines(report, context), *([ending] if ending else [])]
    return page(summary_with_units(plan_summary(report, context), report, context), blocks, tail)


def _section_lines(section: Section, report: Report, context: Context) -> Iterator[str]:
    """Yield the heading of units, then their objects; objects with the same lines are joined."""
    if len(report.units) > 1:
        yield units_line([unit for unit in section.units if unit], context)
    for same in section.groups:
        if len(same) > 1 and same[0].has_noise_only:
            yield _noise_line(same, context)
            continue
        yield from entry_lines(same, context)
        is_shared = len(same) > 1 or len(same[0].places) > 1
        yield from hazard_lines(same[0].hazards, context, is_shared=is_shared)
        yield from same[0].words if len(same) > 1 else same[0].lines


def _noise_line(same: Sequence[PlannedObject], context: Context) -> str:
    """Return the line for all objects with noise only; those whose pods restart are named."""
    objects = noun_count(len(same), "object", context)
    if same[0].outcome.restarts:
        words = translate(
            "only chart labels, checksums and CA bundles change in {objects}, whose pods restart: {names}",
            context,
            objects=objects,
            names=", ".join(map(entry_name, same)),
        )
    else:
        words = translate(
            "only chart labels, checksums and CA bundles change in {objects} (-v to list): {kinds}",
            context,
            objects=objects,
            kinds=one_line(kind_counts(same)),
        )
    return wrap(words, context, indent="    ")


def kind_counts(entries: Sequence[PlannedObject]) -> str:
    """Return the number of objects of each kind, the most frequent first."""
    numbers = Counter(entry.outcome.ref.kind for entry in entries).most_common()
    return ", ".join(f"{number} × {kind}" for kind, number in numbers)


def entry_lines(same: Sequence[PlannedObject], context: Context) -> Iterator[str]:
    """Yield the heading of objects with the same lines, and the number of those that do not fit."""
    limit = _limit(same, context)
    for entry in same[:limit]:
        yield wrap(entry_line(entry, context), context, indent="    ")
    yield from _rest_line(same[limit:], context)


def _limit(same: Sequence[PlannedObject], context: Context) -> int:
    """Return how many of several similar objects are named; destroyed ones always are."""
    can_be_many = same[0].words or impact(same[0].outcome) in _NOT_DESTROYED
    most = _MOST_ALIKE if same[0].words else _MOST_PLAIN
    return most if can_be_many and not context.verbose and len(same) > most + 1 else len(same)


def _rest_line(entries: Sequence[PlannedObject], context: Context) -> Iterator[str]:
    """Yield the line with the number of unnamed objects by kind."""
    if entries:
        objects, kinds = noun_count(len(entries), "more object", context), kind_counts(entries)
        yield paint(
            "quiet",
            translate("{objects} (-v to list): {kinds}", context, objects=objects, kinds=one_line(kinds)),
            context,
        )


def headline(document: Document, outcome: Outcome, context: Context) -> str:
    """Return the heading of an object with its verdict."""
    return entry_line(object_of(document, outcome), context)


def entry_line(entry: PlannedObject, context: Context) -> str:
    """Return the heading of an object in its namespaces with its verdict."""
    outcome = entry.outcome
    more = len(entry.places) - _MOST_PLACES
    shown = [*entry.places[:_MOST_PLACES], *([noun_count(more, "more place", context)] if more > 0 else [])]
    places = [f"{', '.join(place(one, context) for one in shown)}: "] if shown else []
    verdict = paint(_ROLES[outcome.verdict], verdict_word(outcome.verdict), context)
    return f"{''.join(places)}{entry_name(entry)}: {verdict}{entry_words(entry, context)}"


def entry_name(entry: PlannedObject) -> str:
    """Return the name of an object with its namespaces."""
    return _ref_name(replace(entry.outcome.ref, namespace=entry.namespace_names))


def entry_words(entry: PlannedObject, context: Context) -> str:
    """Return the words behind the verdict in the heading of an object."""
    outcome = entry.outcome
    stays = (
        translate(": removed from the files, stays in the cluster", context) if outcome.verdict is Verdict.KEPT else ""
    )
    status = f" (HTTP {outcome.status})" if outcome.status else ""
    further = "".join(translate(", {text}", context, text=text) for text in extras(outcome, context))
    new = one_line(entry.created and f": {entry.created}")
    return f"{stays}{status}{further}{new}"


def object_name(outcome: Outcome) -> str:
    """Return the display name of the object: ``deployment.apps/web in shop``."""
    return _ref_name(outcome.ref)


def _ref_name(ref: ObjectRef) -> str:
    return one_line(f"{ref} in {ref.namespace}" if ref.namespace else str(ref))


def extras(outcome: Outcome, context: Context) -> Iterator[str]:
    """Yield additions to the verdict: restarts, a possible rejection, an earlier name, that nothing is stored."""
    if outcome.restarts and not outcome.refused:
        yield translate("its pods restart", context)
    if outcome.possible_errors:
        yield translate("may be rejected", context)
    if outcome.renamed_from:
        yield translate("was {name}", context, name=_former_name(outcome.ref, outcome.renamed_from))
    if outcome.refused:
        yield translate("after it was created" if _is_created_first(outcome) else "not stored", context)


def _former_name(ref: ObjectRef, former: ObjectRef) -> str:
    """Return the earlier name of an object, with the namespace if the object was in another one."""
    return one_line(str(former)) if former.namespace == ref.namespace else _ref_name(former)


def _is_created_first(outcome: Outcome) -> bool:
    """Return whether the object is created before a later write is rejected."""
    methods = [write.method for write in outcome.requests]
    return outcome.result is not None and methods[:1] == ["POST"] and len(methods) > 1


def plan_summary(report: Report, context: Context) -> str:
    """Return the summary line of a plan, the worst first; as in kubectl, each document counts."""
    words = [f"{number} {one.words}" for one, number in impacts(outcome for _, outcome in report.outcomes)]
    numbers = Counter(finding.severity for finding in report.findings)
    found = ", ".join(noun_count(numbers[one], one.value, context) for one in Severity if numbers[one])
    incomplete = incomplete_words(report, context)
    is_complete_change = context.revision and not incomplete
    nothing = translate("no changes", context) if is_complete_change else translate("no objects", context)
    objects = ", ".join(words) or nothing
    return f"{objects}{found and f'; {found}'}{incomplete}"
