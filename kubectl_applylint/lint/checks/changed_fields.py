"""Fields that the apply changes or keeps for a given reason."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from kubectl_applylint.appliers.kubectl_client import MANAGER
from kubectl_applylint.core.outcome import Change, Why
from kubectl_applylint.core.paths import Path, as_written_in, fields, get, outermost_missing, parse
from kubectl_applylint.core.state import Unknown, last_applied, live_object
from kubectl_applylint.core.values import MISSING, Json, equal
from kubectl_applylint.lint.checks._owners import ANNOTATION_PATH, own_managers, writers
from kubectl_applylint.lint.model import Hit, Hits, Params, Rule, Scenario, Subject
from kubectl_applylint.lint.relations import kind_of
from kubectl_applylint.schema.lookup import at
from kubectl_applylint.schema.types import Shape

_PLAIN: Final = {(Shape.STRING, ""), (Shape.INTEGER, "int32"), (Shape.INTEGER, "int64"), (Shape.BOOLEAN, "")}
"""Shapes and formats that the server stores exactly as written."""
_EMPTY: Final[tuple[Json, ...]] = (None, "", [], {})


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each live field that matches all ``params``; of kept fields only the outermost.

    ``why``: ``set``, ``defaulted``, ``kept`` or ``released``, as in ``Why``. ``manifest``: the field is ``missing``
    there, or ``unchanged`` since the last apply. ``applied``: whether the last apply wrote it. ``owned``: the manager
    of
    the apply owns it. ``handed_over``: the apply takes over its owner. ``managers``: one of them keeps it. ``paths``:
    it
    is one of them. ``within``: it is inside. ``plain``: the server stores its type as written. ``filled``: it gets a
    value that is not empty. A rejected apply sets and defaults nothing. Facts: before, after, who (its managers but
    kubectl, or ``another client``), manager (of the apply), managers (those that keep it), owners (those that are taken
    over).
    """
    outcome, seen = subject.predict(Scenario.APPLY), set[Path]()
    tests = [(_TESTS[key], value) for key, value in params.items() if key in _TESTS]
    for change in () if outcome.refused and params["why"] in _WRITTEN else outcome.changes:
        if change.before is MISSING or isinstance(change.after, Unknown):
            continue
        if all(test(value, change, subject) for test, value in tests):
            path = (
                outermost_missing(subject.manifest, change.path) if change.provenance.why is Why.KEPT else change.path
            )
            if path not in seen:
                seen.add(path)
                yield Hit(path, _facts(change, subject, params))


def faults(rule: Rule) -> Iterator[str]:
    """Yield errors for unknown parameters and unknown reasons."""
    yield from (f"unknown key {key!r}; known are {', '.join(_TESTS)}" for key in rule.params if key not in _TESTS)
    if rule.params.get("why") not in _REASONS:
        yield f"why: is not one of {', '.join(_REASONS)}"


_REASONS: Final = {"set": Why.SET, "defaulted": Why.DEFAULTED, "kept": Why.KEPT, "released": Why.RELEASED}
_WRITTEN: Final = ("set", "defaulted")


def _in_manifest(wanted: Json, change: Change, subject: Subject) -> bool:
    value = get(subject.manifest, change.path)
    if wanted == "missing":
        return value is MISSING
    return equal(get(live_object(last_applied(subject.state.live)), change.path), value)


def _was_applied(wanted: Json, change: Change, subject: Subject) -> bool:
    applied = live_object(last_applied(subject.state.live))
    if applied is MISSING:
        return wanted is False
    places = (as_written_in(applied, change.path), *_in_string_data(change.path, subject))
    return any(get(applied, place) is not MISSING for place in places) is wanted


def _in_string_data(path: Path, subject: Subject) -> tuple[Path, ...]:
    """Return the second place of a Secret's value in a manifest, besides ``data``."""
    is_value = path[:1] == fields("data") and kind_of(subject.document) == "Secret."
    return ((*fields("stringData"), *path[1:]),) if is_value else ()


def _is_plain(wanted: Json, change: Change, subject: Subject) -> bool:
    """Return whether a field is of a plain type and not set to an empty text."""
    node = at(subject.kind.root, change.path) if subject.kind else None
    return node is not None and (node.shape, node.format) in _PLAIN and change.after not in (MISSING, "")


def _is_handed_over(wanted: Json, change: Change, subject: Subject) -> bool:
    return change.path != ANNOTATION_PATH and bool(_handed_over(subject))


def _handed_over(subject: Subject) -> list[str]:
    """Return the names of the managers whose fields the apply takes over."""
    return sorted({owner.name for owner in own_managers(subject) if owner.operation == "Update"})


_TESTS: Final[Mapping[str, Callable[[Json, Change, Subject], bool]]] = {
    "why": lambda wanted, change, subject: change.provenance.why is _REASONS[wanted],
    "paths": lambda wanted, change, subject: change.path in map(parse, wanted),
    "within": lambda wanted, change, subject: change.path[: len(parse(wanted))] == parse(wanted),
    "managers": lambda wanted, change, subject: not {*wanted}.isdisjoint(change.provenance.managers),
    "filled": lambda wanted, change, subject: change.after not in (MISSING, *_EMPTY),
    "manifest": _in_manifest,
    "applied": _was_applied,
    "plain": _is_plain,
    "handed_over": _is_handed_over,
    "owned": lambda wanted, change, subject: subject.flags.manager in writers(subject, change.path),
}
"""The test of each parameter; the most expensive ones come last."""


def _facts(change: Change, subject: Subject, params: Params) -> Mapping[str, Json]:
    """Return the facts about a change."""
    others = [name for name in writers(subject, change.path) if name != MANAGER]
    return {
        "before": change.before,
        "after": None if change.after is MISSING else change.after,
        "who": ", ".join(others) or "another client",
        "manager": subject.flags.manager,
        "managers": ", ".join(name for name in change.provenance.managers if name in params.get("managers", ())),
        "owners": ", ".join(_handed_over(subject)),
    }
