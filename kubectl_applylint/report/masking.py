"""Takes what Secrets hold out of a report, before any renderer sees it.

Masked are ``data``, ``stringData`` and the last-applied annotation of every Secret, in outcomes and in excerpts, and
the same texts wherever a message about a Secret repeats them, or an environment variable of another object. All masks
have one length, so that they tell nothing.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from kubectl_applylint.location import Span
from kubectl_applylint.model import Document, Finding, Report
from kubectl_applylint.outcome import Change, Outcome, Write
from kubectl_applylint.paths import Field, Path, fields, get, leaves
from kubectl_applylint.report import literals
from kubectl_applylint.report.literals import Literals, hide_in_finding, hide_in_object, hide_in_outcome, variables
from kubectl_applylint.state import LAST_APPLIED, ObjectRef, Unknown, ref_of
from kubectl_applylint.values import MISSING, Json, JsonObject, Missing, equal, mapping

MASK = literals.MASK
_BEFORE, _AFTER = f"{MASK} (before)", f"{MASK} (after)"
_ANNOTATION = fields("metadata", "annotations", LAST_APPLIED)
_HOLDERS: tuple[Path, ...] = (fields("data"), fields("stringData"), _ANNOTATION)
# A shorter text may well be a part of some word, so that it is masked only where it stands by itself.
_LONG_ENOUGH = 8


class Scrub(Protocol):
    """Masks in a text whatever Secrets hold, but not the words that name the object or the file it comes from."""

    def __call__(self, text: str, ref: ObjectRef | None = None, file: str = "") -> str:
        """Return ``text`` without the values; one about an object that is no Secret is returned as it is."""


def is_secret(ref: ObjectRef) -> bool:
    """Tell whether the object is a Secret of the core group, whatever its version."""
    return ref.kind == "Secret" and ref.group == ""


def mask_report(report: Report, known: Iterable[JsonObject] = ()) -> Report:
    """Return the report without what Secrets hold; ``known`` are the objects whose values messages may repeat."""
    about = [d.object for d, _ in report.outcomes] + [o.result or o.intended or {} for _, o in report.outcomes]
    objects = [*known, *about]
    scrub = _scrubber(item for item in objects if is_secret(ref_of(item)))
    repeated = repeated_literals(objects)
    return replace(
        report,
        findings=tuple(_mask_finding(f, scrub, repeated) for f in report.findings),
        suppressed=tuple(
            replace(s, finding=_mask_finding(s.finding, scrub, repeated), reason=scrub(s.reason, s.finding.ref))
            for s in report.suppressed
        ),
        outcomes=tuple((d, _mask_any_outcome(o, scrub, repeated)) for d, o in report.outcomes),
        skips=tuple(replace(s, reason=scrub(s.reason, s.ref)) for s in report.skips),
        problems=tuple(replace(p, message=scrub(p.message), advice=scrub(p.advice)) for p in report.problems),
    )


def repeated_literals(objects: Sequence[JsonObject]) -> Literals:
    """Return what Secrets among the objects hold and environment variables of the others repeat."""
    secrets = [item for item in objects if is_secret(ref_of(item))]
    others = (item for item in objects if not is_secret(ref_of(item)))
    held = (text for text in _all_spellings(secrets) if len(text) >= _LONG_ENOUGH)
    return literals.literals(others, held) if secrets else frozenset()


def mask_outcome(outcome: Outcome, known: Iterable[JsonObject] = ()) -> Outcome:
    """Return an outcome without what Secrets hold; ``known`` are the objects whose values messages may repeat."""
    about = (outcome.result or {}, outcome.intended or {})
    return _mask_outcome(outcome, _scrubber(item for item in (*known, *about) if is_secret(ref_of(item))))


def mask_value(ref: ObjectRef, path: Path, value: Json | Unknown | Missing) -> Json:
    """Return the value that stands at ``path`` of an object, masked where a Secret holds it."""
    return _mask_at(path, value, MASK) if is_secret(ref) else value


def mask_change(ref: ObjectRef, change: Change) -> Change:
    """Return a change of an object, masked where a Secret holds what changes."""
    return _mask_change(change) if is_secret(ref) else change


def mask_sources(
    sources: Mapping[str, tuple[str, ...]], documents: Iterable[Document], repeated: Literals = frozenset()
) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of the files, each cut where a value of a Secret, or one of ``repeated``, begins in it."""
    cuts: dict[str, dict[int, int]] = {}
    for document in documents:
        if document.file in sources:
            columns = _hidden_columns(document, sources[document.file], repeated)
            _note(columns, cuts.setdefault(document.file, {}))
    return {file: _cut(lines, cuts.get(file, {})) for file, lines in sources.items()}


def _hidden_columns(document: Document, lines: Sequence[str], repeated: Literals) -> Iterator[tuple[int, int]]:
    """Yield line and column where something begins that may not be shown."""
    if not is_secret(document.ref):
        yield from _columns(document, _repeating(document.object, repeated))
        return
    yield from _columns(document, _held_paths(document.object))
    for holder in _HOLDERS[:2]:
        span = document.positions.value(holder)
        if span is not None:
            yield from _columns_of_entries(span, lines, mapping(get(document.object, holder)))


def _columns_of_entries(span: Span, lines: Sequence[str], held: JsonObject) -> Iterator[tuple[int, int]]:
    """Yield where values begin on the lines of a map: a key that is written twice has a value that nobody reads."""
    keys = "|".join(map(re.escape, sorted(held, key=lambda key: (-len(key), key)))) or "(?!)"
    entry = re.compile(rf"""[\s{{,]*["']?(?:{keys})["']?\s*:\s*""")
    for number in _lines_of(span):
        start = span.column - 1 if number == span.line else 0
        match = entry.match(lines[number - 1], start)
        if lines[number - 1][start:].strip():
            yield number, (match.end() if match else start) + 1


def _columns(document: Document, paths: Iterable[Path]) -> Iterator[tuple[int, int]]:
    for path in paths:
        span = document.positions.value(path) or document.locate(path).span
        for number in _lines_of(span):
            yield number, span.column if number == span.line else 1


def _lines_of(span: Span) -> range:
    # A block of text ends in front of the line that follows it.
    return range(span.line, span.end_line + 1 - (span.end_column == 1 and span.end_line > span.line))


def _note(columns: Iterable[tuple[int, int]], cuts: dict[int, int]) -> None:
    for line, column in columns:
        cuts[line] = min(column, cuts.get(line, column))


def _repeating(item: JsonObject, repeated: Literals) -> Iterator[Path]:
    return (
        (path for path, text in variables(item) if any(literal in text for literal in repeated))
        if repeated
        else iter(())
    )


def _cut(lines: tuple[str, ...], cuts: Mapping[int, int]) -> tuple[str, ...]:
    return tuple(line[: cuts[n] - 1] + MASK if n in cuts else line for n, line in enumerate(lines, start=1))


def _held_paths(secret: JsonObject) -> Iterator[Path]:
    for holder in _HOLDERS:
        held = get(secret, holder)
        if held is not MISSING:
            yield from (path for path, _ in leaves(held, holder))


def _mask_finding(finding: Finding, scrub: Scrub, repeated: Literals) -> Finding:
    if not is_secret(finding.ref):
        return hide_in_finding(finding, repeated) if repeated else finding
    clean = partial(scrub, ref=finding.ref, file=finding.location.file)
    related = tuple(replace(related, note=clean(related.note)) for related in finding.related)
    return replace(finding, message=clean(finding.message), fix=clean(finding.fix), related=related)


def _mask_any_outcome(outcome: Outcome, scrub: Scrub, repeated: Literals) -> Outcome:
    if repeated and not is_secret(outcome.ref):
        return hide_in_outcome(outcome, repeated)
    return _mask_outcome(outcome, scrub)


def _mask_outcome(outcome: Outcome, scrub: Scrub) -> Outcome:
    if not is_secret(outcome.ref):
        return outcome
    clean = partial(scrub, ref=outcome.ref)
    return replace(
        outcome,
        requests=tuple(map(_mask_write, outcome.requests)),
        result=outcome.result and mask_object(outcome.result),
        intended=outcome.intended and mask_object(outcome.intended),
        changes=tuple(map(_mask_change, outcome.changes)),
        causes=tuple(replace(cause, message=clean(cause.message)) for cause in outcome.causes),
        conflicts=tuple(replace(conflict, message=clean(conflict.message)) for conflict in outcome.conflicts),
        error=clean(outcome.error),
        warnings=tuple(map(clean, outcome.warnings)),
        remedy=clean(outcome.remedy),
        confidence=replace(outcome.confidence, reasons=tuple(map(clean, outcome.confidence.reasons))),
    )


def mask_objects(objects: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
    """Return objects without what Secrets among them hold and the variables of others repeat."""
    repeated = repeated_literals(objects)
    return tuple(mask_object(o) if is_secret(ref_of(o)) else hide_in_object(o, repeated) for o in objects)


def mask_object(secret: JsonObject) -> JsonObject:
    """Return a Secret with all that it holds masked."""
    masked: JsonObject = _mask_at((), secret, MASK)
    return masked


def _mask_write(write: Write) -> Write:
    if isinstance(write.body, list):  # The operations of a JSON patch, each of which names its place itself.
        return replace(write, body=[_mask_operation(operation) for operation in write.body])
    return replace(write, body=_mask_at((), write.body, MASK))


def _mask_operation(operation: Json) -> Json:
    is_harmless = "value" not in operation or str(operation.get("path")).startswith("/metadata/managedFields")
    return operation if is_harmless else {**operation, "value": _mask_leaves(operation["value"], MASK)}


def _mask_change(change: Change) -> Change:
    same = change.before is MISSING or change.after is MISSING or equal(change.before, change.after)
    before, after = (MASK, MASK) if same else (_BEFORE, _AFTER)
    return replace(
        change,
        before=_mask_at(change.path, change.before, before),
        after=_mask_at(change.path, change.after, after),
    )


def _mask_at(path: Path, value: Json | Unknown | Missing, mask: str) -> Json:
    """Return the value that stands at ``path`` of a Secret with all that it holds masked."""
    for holder in _HOLDERS:
        if path[: len(holder)] == holder:
            return _mask_leaves(value, mask)
        if holder[: len(path)] == path:
            value = _mask_inside(value, holder[len(path) :], mask)
    return value


def _mask_inside(value: Json, rest: Path, mask: str) -> Json:
    match rest:
        case (Field(name), *deeper) if isinstance(value, Mapping) and name in value:
            return {**value, name: _mask_inside(value[name], tuple(deeper), mask)}
        case ():
            return _mask_leaves(value, mask)
        case _:
            return value


def _mask_leaves(value: Json | Unknown | Missing, mask: str) -> Json:
    """Return ``value`` with every scalar masked; null stays, since it says that a key goes, and tells no more."""
    if isinstance(value, Mapping):
        return {key: _mask_leaves(item, mask) for key, item in value.items()}
    if isinstance(value, list):
        return [_mask_leaves(item, mask) for item in value]
    return value if value is None or value is MISSING or isinstance(value, Unknown) else mask


def _scrubber(secrets: Iterable[JsonObject]) -> Scrub:
    spellings = sorted(spelling for spelling in _all_spellings(secrets) if spelling.strip())

    def scrub(text: str, ref: ObjectRef | None = None, file: str = "") -> str:
        if ref is not None and not is_secret(ref):
            return text
        # A pattern of all values of all Secrets takes longer to compile than everything else together.
        found = {spelling: _alone(spelling) for spelling in spellings if spelling in text}
        names = {name: re.escape(name) for name in _names(ref, file)}
        longest_first = sorted(found | names, key=lambda known: (-len(known), known))
        pattern = "|".join((found | names)[known] for known in longest_first)
        return re.sub(pattern, lambda match: match[0] if match[0] in names else MASK, text) if found else text

    return scrub


def _all_spellings(secrets: Iterable[JsonObject]) -> set[str]:
    return {spelling for secret in secrets for text in _texts(secret) for spelling in _spellings(text)}


def _names(ref: ObjectRef | None, file: str) -> Iterator[str]:
    if file:
        yield file
    if ref is not None:
        yield from (str(ref), f"Secret/{ref.name}", f"-n {ref.namespace}")


def _alone(text: str) -> str:
    escaped = re.escape(text)
    return escaped if len(text) >= _LONG_ENOUGH else rf"(?<!\w){escaped}(?!\w)"


def _texts(secret: JsonObject) -> Iterator[str]:
    for holder in _HOLDERS:
        held = get(secret, holder)
        yield from (_text(value) for _, value in leaves(held) if value not in (None, "", [], {}, MISSING))
    annotation = get(secret, _ANNOTATION)
    if isinstance(annotation, str):
        yield from _texts_of_annotation(annotation)


def _texts_of_annotation(annotation: str) -> Iterator[str]:
    try:
        last = json.loads(annotation)
    except (ValueError, RecursionError):
        return
    if isinstance(last, dict):
        yield from _texts({key: last[key] for key in ("data", "stringData") if key in last})


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _spellings(text: str) -> Iterator[str]:
    """Yield a text as it stands, inside quotes, line by line, and in and out of base64."""
    yield text
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield base64.b64encode(text.encode(errors="surrogatepass")).decode()
    yield from (line for line in text.splitlines() if len(line) >= _LONG_ENOUGH)
    try:
        decoded = base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
        return
    yield from (decoded, json.dumps(decoded)[1:-1], *(x for x in decoded.splitlines() if len(x) >= _LONG_ENOUGH))
