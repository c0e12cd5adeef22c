"""The text of a fix, without the parts that do not apply in a case."""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.outcome import PredictionError
from kubectl_applylint.core.paths import Field, Path, PathStep, child
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Absent, Knowledge, last_applied, live_object
from kubectl_applylint.core.values import MISSING, Json, Missing, items
from kubectl_applylint.lint.fixes.alternatives import parts
from kubectl_applylint.lint.model import Scenario, Subject
from kubectl_applylint.schema.lookup import similar_field

CONDITIONAL: Final = frozenset(
    (
        "existing",
        "new",
        "recreated",
        "pointer",
        "remembered",
        "keyed",
        "twins",
        "differing",
        "suggestion",
        "wave",
        "phase",
        "ignored_managers",
        "removed_unit",
        "remaining_unit",
    )
)
"""The placeholders and facts that are empty if the part of the fix with them does not apply."""
_PLAIN: Final = regex(r"[\w.~-]+\Z")
"""A name that needs no quotes, in a shell or in JSON."""


def fix_text(template: str, words: Mapping[str, str]) -> str:
    """Return the text of a fix without the parts that contain an empty placeholder of ``CONDITIONAL``.

    All commands below such a comment are left out with it.
    """
    names = [f"{{{name}}}" for name in CONDITIONAL if words.get(name) == ""]
    kept: list[str] = []
    is_under_absent = False
    for part in parts(template):
        is_absent = any(name in part for name in names)
        if part.startswith("#"):
            is_under_absent = is_absent
        if not (is_absent or is_under_absent):
            kept.append(part)
    return "\n".join([*kept, *([""] if template.endswith("\n") else [])]).format_map(words)


def _suggestion(subject: Subject, path: Path) -> str:
    """Return the question about the declared field that resembles an undeclared one; empty if none does."""
    name = similar_field(subject.kind.root, path) if subject.kind else ""
    return f" (did you mean {name}?)" if name else ""


def conditional_words(subject: Subject, path: Path, resource: str, template: str) -> Mapping[str, str]:
    """Return the placeholders of a ``template`` (message and fix) that do not apply in every case, empty if not.

    ``existing`` is ``resource`` if the object may exist, ``new`` the same if it does not exist yet, ``recreated`` if
    the manifest is not rejected after a deletion of the object, ``suggestion`` the question about the declared field
    that an undeclared one resembles, ``pointer`` the JSON pointer of ``path`` in the live object, ``remembered`` in the
    last-applied annotation.
    """
    live = subject.state.live
    is_new = isinstance(live, Absent)
    return {
        "existing": "" if is_new else resource,
        "new": resource if is_new else "",
        "recreated": resource if "{recreated}" in template and _can_be_recreated(subject) else "",
        "suggestion": _suggestion(subject, path) if "{suggestion}" in template else "",
        "pointer": _pointer(live, path),
        "remembered": _pointer(last_applied(live), path),
    }


def _can_be_recreated(subject: Subject) -> bool:
    """Return whether the manifest is accepted if the object does not exist."""
    try:
        return not subject.predict(Scenario.FRESH).refused
    except PredictionError:
        return False


def _pointer(known: Knowledge, path: Path) -> str:
    """Return the JSON pointer of a path in a known value, empty if there is none or it needs quotes."""
    value: Json | Missing = live_object(known)
    names: list[str] = []
    for step in path:
        found = child(value, step) if value is not MISSING else MISSING
        names.append(_name(value, step, found))
        value = found
    is_plain = all(map(_PLAIN.match, names))
    return "".join(f"/{name}" for name in names) if path and value is not MISSING and is_plain else ""


def _name(value: Json | Missing, step: PathStep, found: Json | Missing) -> str:
    """Return a step as in a JSON pointer: a key, or the position of an element."""
    if isinstance(step, Field):
        return step.name.replace("~", "~0").replace("/", "~1")
    return str(next((at for at, item in enumerate(items(value)) if item is found), ""))
