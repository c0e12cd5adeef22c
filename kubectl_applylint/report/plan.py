"""What an apply would do to each object, for people: verdict, changes with their cause, what stays and from whom."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kubectl_applylint.errors import said
from kubectl_applylint.model import Document, Report
from kubectl_applylint.outcome import Change, Confidence, Level, Outcome, Owner, OwnerChange, Verdict, Why
from kubectl_applylint.paths import ByKey, Field, Path, get, render, written
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.text import incomplete, trouble
from kubectl_applylint.report.words import clean, count, paint, show, wrap
from kubectl_applylint.values import MISSING

_ROLES = {
    Verdict.CREATED: "good",
    Verdict.CONFIGURED: "changed",
    Verdict.SERVERSIDE_APPLIED: "changed",
    Verdict.UNCHANGED: "quiet",
    Verdict.KEPT: "quiet",
    Verdict.PRUNED: "gone",
    Verdict.REJECTED: "error",
    Verdict.CONFLICT: "error",
}
_STAYS = (Why.KEPT, Why.SHARED)
_FEW = 3
"""How many of the fields that somebody loses are named at once."""
_FROM_FILE = (Why.SET, Why.MERGED, Why.REPLACED, Why.NULLED)


def last_applies(report: Report) -> tuple[tuple[Document, Outcome], ...]:
    """Return one outcome an object: where files describe one twice, the later apply decides what is stored."""
    latest = {outcome.ref.identity: (document, outcome) for document, outcome in report.outcomes}
    return tuple(latest.values())


def plan_text(report: Report, context: Context) -> str:
    """Return a block for every object, then problems and a line that sums up."""
    applies = last_applies(report)
    common = _common_doubt([outcome for _, outcome in applies])
    blocks = ["\n".join(_object(document, outcome, common, context)) for document, outcome in applies]
    tail = [*_doubt(common, context), *trouble(report, context), plan_summary(report, context)]
    return "\n\n".join([*blocks, "\n".join(tail)]) + "\n"


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
        text = f"{indent}confidence: {confidence.level.value}{reasons and f' ({reasons})'}"
        yield wrap(clean(text), context, indent=f"{indent}  ")


def _object(document: Document, outcome: Outcome, common: Confidence, context: Context) -> Iterator[str]:
    yield headline(document, outcome, context)
    yield from details(document, outcome, context)
    yield from _doubt(_own_doubt(outcome.confidence, common), context, indent="    ")


def details(document: Document, outcome: Outcome, context: Context) -> Iterator[str]:
    """Yield what there is to say of an object beside its verdict, a line each."""
    for cause in () if outcome.conflicts else outcome.causes:
        yield _note(f"refused: {said(cause, whole=context.verbose)}", context)
    for conflict in outcome.conflicts:
        yield _note(f"{conflict.message}: {render(conflict.path)}", context)
    if outcome.remedy:
        yield _note(f"way out: {outcome.remedy}", context)
    yield from _changes(document, outcome, context)
    yield from _losses(outcome, context)
    for warning in outcome.warnings:
        yield _note(f"warning: {warning}", context)


def _own_doubt(confidence: Confidence, common: Confidence) -> Confidence:
    """Return what is left to say of one object after what holds for all has been said."""
    own = tuple(reason for reason in confidence.reasons if reason not in common.reasons)
    return replace(confidence, reasons=own) if own or confidence.level is not common.level else Confidence()


def _note(text: str, context: Context) -> str:
    return wrap(f"    {clean(text)}", context, indent="      ")


def headline(document: Document, outcome: Outcome, context: Context) -> str:
    """Return the line that names an object and tells its verdict."""
    location = document.locate(())
    place = f"{paint('place', clean(str(location)), context)}: " if location.is_text else ""
    verdict = paint(_ROLES[outcome.verdict], outcome.verdict.value, context)
    status = f" (HTTP {outcome.status})" if outcome.status else ""
    extras = "".join(f", {text}" for text in _extras(outcome))
    return f"{place}{object_name(outcome)}: {verdict}{status}{extras}"


def object_name(outcome: Outcome) -> str:
    """Return how people call the object: ``deployment.apps/web in shop``."""
    ref = outcome.ref
    return clean(f"{ref} in {ref.namespace}" if ref.namespace else str(ref))


def _extras(outcome: Outcome) -> Iterator[str]:
    if outcome.restarts and not outcome.refused:
        yield "its pods restart"
    if outcome.renamed_from:
        yield f"was {outcome.renamed_from}"
    if outcome.refused:
        yield "nothing of it is stored"
    if outcome.verdict is Verdict.KEPT:
        yield "it left the files, and nothing deletes it"


def _changes(document: Document, outcome: Outcome, context: Context) -> Iterator[str]:
    shown = [change for change in outcome.changes if context.verbose or _matters(change, outcome)]
    if shown and outcome.refused:
        yield "    would have changed:"
    for change in shown:
        yield wrap(f"    {_change(document, change, context)}", context, indent="        ")
    hidden = len(outcome.changes) - len(shown)
    if hidden:
        yield paint("quiet", f"    and {count(hidden, 'field')} more as expected (-v names them)", context)


def _matters(change: Change, outcome: Outcome) -> bool:
    """Whether a change tells something that the file and the verdict do not: of a new object hardly any does."""
    if change.cause.why in (Why.ANNOTATED, Why.NOTED) or (change.cause.why in _STAYS and _is_merge_key(change.path)):
        return False
    is_new = outcome.verdict is Verdict.CREATED or (outcome.refused and outcome.result is None)
    return not is_new or change.cause.why not in (Why.SET, Why.DEFAULTED)


def _is_merge_key(path: Path) -> bool:
    """Whether the path leads to the field by which the list element around it is known, so that it names itself."""
    match path[-2:]:
        case (ByKey(keys), Field(name)):
            return name in dict(keys)
        case _:
            return False


def _change(document: Document, change: Change, context: Context) -> str:
    path, whole = clean(render(change.path)), context.verbose
    before, after = (clean(show(side, whole=whole)) for side in (change.before, change.after))
    why = paint("quiet", f"({clean(_cause(document, change))})", context)
    if change.cause.why in _STAYS:
        return f"{paint('quiet', '=', context)} {path}: {after} {why}"
    if change.before is MISSING:
        return f"{paint('good', '+', context)} {path}: {after} {why}"
    if change.after is MISSING:
        return f"{paint('gone', '-', context)} {path}: {before} {why}"
    return f"{paint('changed', '~', context)} {path}: {before} → {after} {why}"


def _cause(document: Document, change: Change) -> str:
    path, detail = written(document.object, change.path), change.cause.detail
    place = document.locate(path)
    cause = f"{change.cause.why}, {detail.strip('()')}" if detail.startswith("(") else str(change.cause)
    is_written = change.cause.why in _FROM_FILE and get(document.object, path) is not MISSING
    return f"{cause}, line {place.span.line}" if is_written and place.is_text else cause


def _losses(outcome: Outcome, context: Context) -> Iterator[str]:
    """Yield a line for every manager that loses fields, by those who have them afterwards."""
    lost: dict[tuple[Owner, str], list[Path]] = {}
    for change in () if outcome.refused else outcome.owner_changes:
        for owner in change.lost:
            lost.setdefault((owner, _fate(change)), []).append(change.path)
    for (owner, fate), paths in lost.items():
        yield wrap(clean(f"    {owner} loses {_listed(paths, context)}{fate}"), context, indent="        ")


def _fate(change: OwnerChange) -> str:
    if change.gained:
        return f" to {_names(change.gained)}"
    if change.is_orphaned:
        return " to nobody: no apply removes it any more"
    return f", which {_names(change.after)} keeps"


def _names(owners: Sequence[Owner]) -> str:
    return ", ".join(map(str, owners))


def _listed(paths: Sequence[Path], context: Context) -> str:
    shown = paths if context.verbose else paths[:_FEW]
    more = len(paths) - len(shown)
    return ", ".join(map(render, shown)) + (f" and {count(more, 'field')} more" if more else "")


def plan_summary(report: Report, context: Context) -> str:
    """Return the line that sums up a plan."""
    numbers = Counter(outcome.verdict for _, outcome in last_applies(report))
    words = [paint(_ROLES[v], f"{numbers[v]} {v.value}", context) for v in Verdict if numbers[v]]
    return (", ".join(words) or "no objects") + incomplete(report)
