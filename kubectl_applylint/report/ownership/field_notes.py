"""Notes on a field of a manifest for editors: its default, the defaults inside it, and what units apply instead."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.paths import Path, get, render
from kubectl_applylint.core.values import MISSING, Json, equal
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.address import address
from kubectl_applylint.ownership.field_history import without
from kubectl_applylint.report.words import show
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.defaults.explain import Default, with_defaults
from kubectl_applylint.server.faults import DecodeError

_MOST: Final = 20
"""The number of defaults that are listed."""


def default_notes(subject: Subject, path: Path) -> Iterator[str]:
    """Yield the default of the field at a path of a manifest, with list positions, and the defaults inside it."""
    kind = subject.kind
    if kind is None or not path:
        return
    version, written = subject.schema.version, get(subject.manifest, path)
    own = _own_default(subject, path, kind)
    if own is not MISSING and not isinstance(own, (dict, list)):
        yield (
            f"its value is the server's default, {show(own)}"
            if equal(own, written)
            else f"the server's default is {show(own)}"
        )
    try:
        defaults = with_defaults(subject.manifest, kind, version).defaults
    except DecodeError:
        return
    inside = [one for one in defaults if one.path[: len(path)] == path]
    yield from (_inner_note(one, path) for one in inside[:_MOST])
    if len(inside) > _MOST:
        yield f"{len(inside) - _MOST} more defaults"


def _own_default(subject: Subject, path: Path, kind: Kind) -> Json:
    """Return the value that the server sets if the manifest leaves the field out, ``MISSING`` without one."""
    try:
        return get(with_defaults(without(subject.manifest, path), kind, subject.schema.version).object, path)
    except DecodeError:
        return MISSING


def _inner_note(default: Default, path: Path) -> str:
    inner = render(default.path[len(path) :])
    if default.replaces is not MISSING:
        stored = f"the server stores {show(default.value)} instead of {show(default.replaces)}"
        return f"{inner}: {stored}" if inner else stored
    because = f", from {', '.join(map(render, default.sources))}" if default.sources else ""
    return f"default: {inner} is {show(default.value)}{because}"


def rendered_note(subject: Subject, unit: str, path: Path, written: Json) -> str:
    """Return the value that a unit applies in place of the written one, and the place that sets it.

    The path has the positions of the file; the result is empty if the unit applies the written value.
    """
    document = subject.document
    if document.source is None or isinstance(written, (dict, list)):
        return ""
    root = subject.kind.root if subject.kind else None
    place = address(path, root, document.source) if root else None
    applied = address(place.path, root, subject.manifest) if place and root else None
    if applied is None or equal(applied.value, written):
        return ""
    setter = document.set_at(applied.positions)
    return f"{unit} applies {show(applied.value)}{f', set by {setter}' if setter else ''}"


def note_list(lines: Sequence[str]) -> str:
    """Return notes as a list in Markdown."""
    return "\n".join(f"- {line}" for line in dict.fromkeys(lines))
