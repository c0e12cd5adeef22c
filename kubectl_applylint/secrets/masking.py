"""Masks the values of Secrets, and other credentials, in a report before it is rendered.

Of a Secret only the parts that ``secret_places`` knows to be harmless are kept, in outcomes and in excerpts. The same
texts are masked in every message and other object that repeats them (``literals``). All masks have one length, so that
they reveal nothing.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from typing import Final, Protocol

from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.outcome import Change, Outcome, Write, plain
from kubectl_applylint.core.paths import ByKey, ByValue, Path
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ObjectRef, Unknown, ref_of
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal
from kubectl_applylint.lint.model import Finding, Proof, Report, Skip
from kubectl_applylint.secrets.credential_forms import may_have_forms, without_forms
from kubectl_applylint.secrets.encrypted_values import show_encrypted
from kubectl_applylint.secrets.literals import Masker, make_masker, spellings
from kubectl_applylint.secrets.secret_places import MASK, is_secret, mask_at, mask_leaves, texts

_BEFORE, _AFTER = f"{MASK} (before)", f"{MASK} (after)"
# A shorter text may be part of a word, so it is masked only as a whole word.
_MIN_INSIDE_WORD = 8
_NO_MASKER: Final = Masker()
_POSITION: Final = regex(r":\d+")
"""The line or the column of a problem, after the name of its file."""


class TextMasker(Protocol):
    """Masks the values of Secrets in a text, except the names of the object or of its file."""

    def __call__(self, text: str, ref: ObjectRef | None = None, file: str = "") -> str:
        """Return ``text`` without the values; for objects other than Secrets names stay."""


@dataclass(frozen=True, slots=True)
class Masks:
    """Masks the values of a run's Secrets, and other credentials, in all output of a command."""

    hide: Masker
    scrub: TextMasker

    def value(self, ref: ObjectRef, path: Path, value: Json | Unknown | Missing) -> Json:
        """Return the masked value at ``path`` of an object."""
        return mask_value(ref, path, value, self.hide)

    def change(self, ref: ObjectRef, change: Change) -> Change:
        """Return a masked change of an object."""
        return mask_change(ref, change, self.hide)

    def outcome(self, outcome: Outcome) -> Outcome:
        """Return a masked outcome."""
        return _mask_outcome(outcome, self.scrub, self.hide)


def masks(objects: Sequence[JsonObject], shown: Sequence[str], files: Iterable[str] = ()) -> Masks:
    """Return the masks for the Secrets among the objects; ``shown`` and ``files`` are those of ``make_masker``."""
    hide = make_masker(objects, shown, files)
    return Masks(hide, _text_masker(objects, hide))


def mask_report(report: Report, known: Iterable[JsonObject] = ()) -> Report:
    """Return the report without values of Secrets; ``known`` are the objects whose values messages may repeat."""
    about = [d.object for d, _ in report.outcomes] + [o.result or o.intended or {} for _, o in report.outcomes]
    objects = _each_once((*known, *about))
    files = {*(finding.location.file for finding in report.findings), *(d.file for d, _ in report.outcomes)}
    files |= {root for finding in report.findings for root in finding.units}
    outcome_texts = {id(outcome): outcome_text(outcome) for _, outcome in report.outcomes}
    of_all = masks(objects, [report_text(report), *outcome_texts.values()], files)
    hide, scrub = of_all.hide, of_all.scrub
    about_secrets = {d.file for d, _ in report.outcomes if is_secret(d.ref)}
    # Thousands of rules and objects are skipped for a handful of reasons.
    reasons = {reason: hide.clean(reason) for reason in {skip.reason for skip in report.skips}}
    return replace(
        report,
        findings=tuple(_mask_finding(f, scrub) for f in report.findings),
        suppressed=tuple(
            replace(s, finding=_mask_finding(s.finding, scrub), reason=scrub(s.reason, s.finding.ref))
            for s in report.suppressed
        ),
        outcomes=tuple((d, _without_credentials(o, outcome_texts[id(o)], scrub, hide)) for d, o in report.outcomes),
        skips=tuple(_mask_skip(skip, reasons, scrub) for skip in report.skips),
        problems=tuple(
            _mask_problem(p, scrub if _is_about_secret(p, about_secrets) else hide.clean) for p in report.problems
        ),
        notes=tuple(map(hide.clean, report.notes)),
        remarks=tuple(replace(remark, message=hide.clean(remark.message)) for remark in report.remarks),
        units=tuple(
            replace(unit, reason=hide.clean(unit.reason), holes=_mask_holes(unit.holes, hide)) for unit in report.units
        ),
        holes=_mask_holes(report.holes, hide),
    )


def _is_about_secret(problem: Problem, secrets: Collection[str]) -> bool:
    """Return whether a problem is about a Secret or its file: only there, short values are masked as well."""
    where = {problem.where, *(problem.where[: found.start()] for found in _POSITION.finditer(problem.where))}
    return not where.isdisjoint(secrets) or problem.where.casefold().startswith("secret/")


def _mask_problem(problem: Problem, clean: Callable[[str], str]) -> Problem:
    return replace(problem, message=clean(problem.message), advice=clean(problem.advice))


def _mask_holes(holes: Iterable[Hole], hide: Masker) -> tuple[Hole, ...]:
    return tuple(replace(hole, what=hide.clean(hole.what)) for hole in holes)


def has_masked_text(report: Report, known: Sequence[JsonObject]) -> bool:
    """Return whether masking changes a report; ``known`` are all objects, or none if no object has credentials."""
    if not known and not report.outcomes and not may_have_forms(report_text(report)):
        return False
    return mask_report(report, known) != report


def _each_once(objects: Iterable[JsonObject]) -> list[JsonObject]:
    return list({id(item): item for item in objects}.values())


def report_text(report: Report) -> str:
    """Return all texts that a report may show, except those of outcomes."""
    parts: list[object] = [report.notes, [remark.message for remark in report.remarks]]
    for finding in (*report.findings, *(item.finding for item in report.suppressed)):
        notes = [related.note for related in finding.related]
        applies = [applicability.condition for applicability in finding.applies]
        edits = [*(edit.text for edit in finding.edits), *chain.from_iterable(one.changes for one in _proofs(finding))]
        parts.append([finding.message, finding.fix, finding.remedy, notes, applies, edits])
    parts += [[problem.message, problem.advice] for problem in report.problems]
    parts += [hole.what for hole in report.holes]
    parts += [*(item.reason for item in report.suppressed), *(skip.reason for skip in report.skips)]
    return "\n".join(map(_as_text, parts))


def _proofs(finding: Finding) -> Iterator[Proof]:
    if finding.proof:
        yield finding.proof
    yield from (proof for _, proof in finding.command_proofs)


def _as_text(part: object) -> str:
    return part if isinstance(part, str) else "\n".join(map(_as_text, part)) if isinstance(part, (list, tuple)) else ""


def outcome_text(outcome: Outcome) -> str:
    """Return all texts of an outcome, objects as JSON."""
    values: list[Json | Unknown | Missing] = [outcome.result, outcome.intended]
    if is_secret(outcome.ref):
        values = [mask_at((), value) for value in values]
    else:
        values += [write.body for write in outcome.requests]
        values += [side for change in outcome.changes for side in (change.before, change.after)]
    words = [outcome.error, outcome.remedy, *outcome.warnings, *outcome.confidence.reasons]
    words += [*(cause.message for cause in outcome.causes), *(conflict.message for conflict in outcome.conflicts)]
    known = [None if value is MISSING else plain(value) for value in values]
    return "\n".join([json.dumps(known, ensure_ascii=False), *words, *_path_texts(outcome.changes)])


def _path_texts(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the keys of list elements in the paths of changes."""
    for change in changes:
        for step in change.path:
            if isinstance(step, (ByKey, ByValue)):
                yield f'"{step}"'


def mask_value(ref: ObjectRef, path: Path, value: Json | Unknown | Missing, hide: Masker = _NO_MASKER) -> Json:
    """Return the value at ``path`` of an object, masked if it is in a Secret or a credential."""
    return hide.at(path, mask_at(path, value) if is_secret(ref) else value)


def mask_change(ref: ObjectRef, change: Change, hide: Masker = _NO_MASKER) -> Change:
    """Return a change of an object, masked if it is in a Secret or of a credential."""
    shown = _mask_change(change) if is_secret(ref) else change
    before, after = hide.at(shown.path, shown.before), hide.at(shown.path, shown.after)
    return show_encrypted(change, replace(shown, path=hide.path(shown.path), before=before, after=after))


def mask_objects(objects: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
    """Return objects without the values of the Secrets among them, also in other objects."""
    hide = make_masker(objects, [json.dumps(plain(item), ensure_ascii=False) for item in objects])
    return tuple(hide.value(mask_object(item) if is_secret(ref_of(item)) else item) for item in objects)


def mask_object(secret: JsonObject) -> JsonObject:
    """Return a Secret with all its values masked."""
    masked: JsonObject = mask_at((), secret)
    return masked


def _mask_skip(skip: Skip, cleaned: Mapping[str, str], scrub: TextMasker) -> Skip:
    reason = scrub(skip.reason, skip.ref) if is_secret(skip.ref) else cleaned[skip.reason]
    return skip if reason == skip.reason else replace(skip, reason=reason)


def _mask_finding(finding: Finding, scrub: TextMasker) -> Finding:
    """Return a finding with its texts masked, without edits that contain a masked text."""
    clean = partial(scrub, ref=finding.ref, file=finding.location.file)
    # A mask in a file would destroy the value, and a part of the edits is not a fix.
    is_shown = all(clean(edit.text) == edit.text for edit in finding.edits)
    proof = finding.proof and _clean_proof(finding.proof, clean)
    return replace(
        finding,
        message=clean(finding.message),
        fix=clean(finding.fix),
        remedy=clean(finding.remedy),
        related=tuple(replace(related, note=clean(related.note)) for related in finding.related),
        edits=finding.edits if is_shown else (),
        proof=proof if is_shown else None,
        command_proofs=tuple((number, _clean_proof(one, clean)) for number, one in finding.command_proofs),
        applies=tuple(
            replace(applicability, condition=clean(applicability.condition)) for applicability in finding.applies
        ),
    )


def _clean_proof(proof: Proof, clean: Callable[[str], str]) -> Proof:
    """Return a proof with its paths masked."""
    return replace(proof, changes=tuple(map(clean, proof.changes)))


def _without_credentials(outcome: Outcome, text: str, scrub: TextMasker, hide: Masker) -> Outcome:
    """Return an outcome with the text ``text`` without credentials; most need no masking."""
    if hide.pattern is None and not is_secret(outcome.ref) and not may_have_forms(text):
        return outcome
    return _mask_outcome(outcome, scrub, hide)


def _mask_outcome(outcome: Outcome, scrub: TextMasker, hide: Masker) -> Outcome:
    clean = partial(scrub, ref=outcome.ref)
    of_secret = is_secret(outcome.ref)
    in_object = partial(_in_object, hide=hide, of_secret=of_secret)
    return replace(
        outcome,
        requests=tuple(
            replace(w, body=hide.value(_body(w)) if of_secret else hide.value(w.body)) for w in outcome.requests
        ),
        result=in_object(outcome.result),
        intended=in_object(outcome.intended),
        changes=tuple(mask_change(outcome.ref, change, hide) for change in outcome.changes),
        errors=tuple(replace(cause, message=clean(cause.message)) for cause in outcome.errors),
        possible_errors=tuple(replace(cause, message=clean(cause.message)) for cause in outcome.possible_errors),
        conflicts=tuple(replace(conflict, message=clean(conflict.message)) for conflict in outcome.conflicts),
        error=clean(outcome.error),
        warnings=tuple(map(clean, outcome.warnings)),
        remedy=clean(outcome.remedy),
        confidence=replace(outcome.confidence, reasons=tuple(map(clean, outcome.confidence.reasons))),
    )


def _in_object(value: JsonObject | None, hide: Masker, *, of_secret: bool) -> JsonObject | None:
    """Return an object of an outcome masked."""
    if value is None:
        return None
    shown: JsonObject = hide.value(mask_at((), value) if of_secret else value)
    return shown


def _body(write: Write) -> Json:
    """Return the body of a write to a Secret masked."""
    if isinstance(write.body, list):  # The operations of a JSON patch, each with a place of its own.
        return [_mask_operation(operation) for operation in write.body]
    return mask_at((), write.body)


def _mask_operation(operation: Json) -> Json:
    """Return an operation of a JSON patch with its value masked."""
    is_harmless = "value" not in operation or str(operation.get("path")).startswith("/metadata/managedFields")
    return operation if is_harmless else {**operation, "value": mask_leaves(operation["value"], MASK)}


def _mask_change(change: Change) -> Change:
    """Return a change of a Secret with both values masked."""
    same = change.before is MISSING or change.after is MISSING or equal(change.before, change.after)
    before, after = (MASK, MASK) if same else (_BEFORE, _AFTER)
    return replace(
        change, before=mask_at(change.path, change.before, before), after=mask_at(change.path, change.after, after)
    )


def _text_masker(objects: Sequence[JsonObject], hide: Masker) -> TextMasker:
    """Return a function that masks the values of the Secrets in a text, except in longer names of objects."""
    secrets = [item for item in objects if is_secret(ref_of(item))]
    every = {spelling for secret in secrets for text in texts(secret) for spelling in spellings(text)}
    of_objects = {ref_of(item).name for item in objects} - {""} if every else set()
    known = sorted(spelling for spelling in every if spelling.strip())

    @cache
    def held_in(text: str) -> Sequence[str]:
        # A pattern of all values of all Secrets takes longer to compile than everything else together.
        return [spelling for spelling in known if spelling in text]

    @cache
    def names_in(text: str) -> frozenset[str]:
        return frozenset(name for name in of_objects if name in text)

    def scrub(text: str, ref: ObjectRef | None = None, file: str = "") -> str:
        if ref is not None and not is_secret(ref):
            return hide.clean(text)
        found = {spelling: _word_pattern(spelling) for spelling in held_in(text)}
        if not found:
            return without_forms(text)
        names = {name: re.escape(name) for name in (*_names(ref, file), *(names_in(text) - found.keys()))}
        longest_first = sorted(found | names, key=lambda known: (-len(known), known))
        pattern = "|".join((found | names)[known] for known in longest_first)
        return without_forms(re.sub(pattern, lambda match: match[0] if match[0] in names else MASK, text))

    return scrub


def _names(ref: ObjectRef | None, file: str) -> Iterator[str]:
    """Yield the names that stay in messages about an object and a file."""
    if file:
        yield file
    if ref is not None:
        yield from (str(ref), f"Secret/{ref.name}", f"-n {ref.namespace}")


def _word_pattern(text: str) -> str:
    """Return a pattern for a text; short texts only match as whole words."""
    escaped = re.escape(text)
    return escaped if len(text) >= _MIN_INSIDE_WORD else rf"(?<!\w){escaped}(?!\w)"
