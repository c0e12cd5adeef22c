"""The edits that rules propose for their hits: ``edit`` of ``rule.yaml``.

``run.proofs`` decides by prediction whether an edit helps and breaks nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.paths import Index, get
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import equal, int64, items, mapping
from kubectl_applylint.engine.errors import places_of_decode_error
from kubectl_applylint.lint.fixes.field_edits import FieldEdit, RemoveField, RenameField, SetValue
from kubectl_applylint.lint.model import Hit, Rule, Subject
from kubectl_applylint.schema.lookup import similar_field

EditsOf: TypeAlias = Callable[[Subject, Hit], Iterator[FieldEdit]]

_WORD: Final = regex(r"[\w.-]+")
_MIN_SIMILARITY: Final = 0.85
"""The minimum similarity of a name that was certainly meant."""
_BOOLEANS: Final = {"true": True, "false": False}


def wanted_edits(rule: Rule, subject: Subject, hit: Hit) -> tuple[FieldEdit, ...]:
    """Return the edits that a rule proposes for a hit, none for an object without a file."""
    if not rule.edit or not subject.document.has_manifest or not subject.document.locate(()).is_text:
        return ()
    return tuple(EDITS[rule.edit](subject, hit))


def _edits_of_check(subject: Subject, hit: Hit) -> Iterator[FieldEdit]:
    yield from hit.edits


def _removal(subject: Subject, hit: Hit) -> Iterator[FieldEdit]:
    """Yield the removal of the hit's path."""
    yield RemoveField(hit.path)


def _duplicate_removals(subject: Subject, hit: Hit) -> Iterator[FieldEdit]:
    """Yield the removal of list entries equal to an earlier one: all of a list, or those equal to the hit."""
    value = get(subject.manifest, hit.path)
    place, meant = (hit.path, items(value)) if isinstance(value, list) else (hit.path[:-1], [value])
    entries = items(get(subject.manifest, place))
    for position, entry in enumerate(entries):
        is_meant = any(equal(entry, one) for one in meant)
        if is_meant and any(equal(entry, other) for other in entries[:position]):
            yield RemoveField((*place, Index(position)))


def _renaming(subject: Subject, hit: Hit) -> Iterator[FieldEdit]:
    """Yield the renaming of an unknown field to the one declared name that resembles it."""
    name = similar_field(subject.kind.root, hit.path, likeness=_MIN_SIMILARITY) if subject.kind else ""
    if name and name not in mapping(get(subject.manifest, hit.path[:-1])):
        yield RenameField(hit.path, name)


def _type_changes(subject: Subject, hit: Hit) -> Iterator[FieldEdit]:
    """Yield quoted numbers and booleans, or unquoted texts, for values that the server cannot decode."""
    places = [*places_of_decode_error(str(hit.facts.get("message", "")), subject.manifest)]
    for path in places or [hit.path]:
        value = get(subject.manifest, path)
        if isinstance(value, (bool, int)):
            yield SetValue(path, encode(value), is_same_text=True)
        elif isinstance(value, str) and (value in _BOOLEANS or int64(value) is not None):
            yield SetValue(path, _BOOLEANS.get(value, int64(value)))


def _case_change(subject: Subject, hit: Hit) -> Iterator[FieldEdit]:
    """Yield the one supported value that differs only in case. ``supported`` is a fact of the rule's ``errors``."""
    value, supported = get(subject.manifest, hit.path), str(hit.facts.get("supported", ""))
    same = [word for word in _WORD.findall(supported) if str(value).lower() == word.lower()]
    if isinstance(value, str) and len(same) == 1:
        yield SetValue(hit.path, same[0])


EDITS: Final[Mapping[str, EditsOf]] = {
    "check": _edits_of_check,
    "remove": _removal,
    "remove-twins": _duplicate_removals,
    "rename": _renaming,
    "retype": _type_changes,
    "recase": _case_change,
}
"""The values of ``edit`` in a rule."""
