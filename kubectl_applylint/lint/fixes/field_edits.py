"""Edits of a manifest as values: a field is removed, set or renamed.

A check or a rule decides on the edits; ``sources.text_edits`` finds their places in a text.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias, assert_never

from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index, Path, PathStep, child, get
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.values import MISSING, Json, Missing


@dataclass(frozen=True, slots=True)
class RemoveField:
    """Remove the field or the list entry at ``path``."""

    path: Path


@dataclass(frozen=True, slots=True)
class SetValue:
    """Write ``value`` at ``path``; the parent object must exist, the field need not."""

    path: Path
    value: Json
    is_same_text: bool = False
    """Whether the value is the text that is already in the file and only has to be quoted."""


@dataclass(frozen=True, slots=True)
class RenameField:
    """Rename the field at ``path`` to ``name``; its value stays."""

    path: Path
    name: str


FieldEdit: TypeAlias = RemoveField | SetValue | RenameField


class NotEditableError(ValueError):
    """An edit that cannot be made in an object or a text; the message contains the reason."""


def positional_path(manifest: Json, path: Path) -> Path:
    """Return ``path`` with list entries by position; raise ``NotEditableError`` if nothing exists there.

    The last step may name a field that is missing.
    """
    steps: list[PathStep] = []
    for number, step in enumerate(path, start=1):
        own = _position(manifest, step) if isinstance(step, (ByKey, ByValue)) else step
        manifest = child(manifest, own)
        if manifest is MISSING and (number < len(path) or not isinstance(own, Field)):
            raise NotEditableError("the field is not in the manifest")
        steps.append(own)
    return tuple(steps)


def _position(value: Json, step: ByKey | ByValue) -> Index:
    """Return the position of the only list entry that a step names."""
    entries = value if isinstance(value, list) else []
    found = [number for number, entry in enumerate(entries) if child([entry], step) is not MISSING]
    if len(found) != 1:
        raise NotEditableError("no list entry, or more than one, is meant")
    return Index(found[0])


def ordered_edits(manifest: Json, edits: Iterable[FieldEdit]) -> tuple[FieldEdit, ...]:
    """Return the edits in an order in which none moves the target of a later one.

    The last positions and the innermost fields come first. Removals that would leave a map or a list empty become one
    removal of that. Raises ``NotEditableError`` for an edit of a missing field, or of one that another edit removes.
    """
    placed = [_edit_with_positions(manifest, edit) for edit in edits]
    removed = minimal_removals(manifest, [edit.path for edit in placed if isinstance(edit, RemoveField)])
    others = [edit for edit in placed if not isinstance(edit, RemoveField)]
    if any(edit.path[: len(path)] == path for edit in others for path in removed):
        raise NotEditableError("one edit removes what another one changes")
    every: list[FieldEdit] = [*map(RemoveField, removed), *others]
    return tuple(sorted(every, key=_rank, reverse=True))


def _edit_with_positions(manifest: Json, edit: FieldEdit) -> FieldEdit:
    """Return the edit with list entries by position."""
    path = positional_path(manifest, edit.path)
    if not path or (get(manifest, path) is MISSING and not isinstance(edit, SetValue)):
        raise NotEditableError("the field is not in the manifest")
    match edit:
        case RemoveField():
            return RemoveField(path)
        case SetValue():
            return replace(edit, path=path)
        case RenameField(name=name):
            return RenameField(path, name)
        case _:
            assert_never(edit)


def _rank(edit: FieldEdit) -> tuple[tuple[int, str], ...]:
    """Return the sort key of an edit: by place, a whole map or list before its contents."""
    return tuple((step.position, "") if isinstance(step, Index) else (-1, str(step)) for step in edit.path)


def minimal_removals(manifest: Json, paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return the paths to remove so that no map or list stays empty, which differs from an absent one.

    A list entry or the whole object is never removed only because all its fields are.
    """
    removed = set(paths)
    for path in sorted(removed, key=len, reverse=True):
        around = path[:-1]
        inside = get(manifest, around)
        if around and isinstance(around[-1], Field) and _is_emptied(inside, around, removed):
            removed.add(around)
            return minimal_removals(manifest, tuple(each for each in removed if each[:-1] != around))
    return tuple(each for each in removed if not any(each[:length] in removed for length in range(len(each))))


def _is_emptied(value: Json | Missing, path: Path, removed: set[Path]) -> bool:
    """Return whether all children of a map or list are removed."""
    if isinstance(value, dict):
        return all((*path, Field(name)) in removed for name in value)
    return isinstance(value, list) and all((*path, Index(number)) in removed for number in range(len(value)))


def apply_edits(manifest: Json, edits: Iterable[FieldEdit]) -> Json:
    """Return the manifest after the edits, given in any order; raise ``NotEditableError`` like ``ordered_edits``."""
    for edit in ordered_edits(manifest, edits):
        manifest = apply_edit(manifest, edit)
    return manifest


def apply_edit(manifest: Json, edit: FieldEdit) -> Json:
    """Return the manifest after one edit, whose path has list entries by position."""
    return _apply_at(manifest, edit.path, edit)


def _apply_at(value: Json, path: Path, edit: FieldEdit) -> Json:
    """Return a value after an edit at a path inside it."""
    step = path[0]
    if len(path) > 1:
        inner = _apply_at(child(value, step), path[1:], edit)
        return _set_child(value, step, inner)
    match edit:
        case RemoveField():
            return _without(value, step)
        case SetValue(value=wanted):
            return _set_child(value, step, wanted)
        case RenameField(name=name):
            return _rename_key(value, step, name)
        case _:
            assert_never(edit)


def _set_child(value: Json, step: PathStep, inner: Json) -> Json:
    """Return a map or list with one child replaced."""
    if isinstance(value, dict) and isinstance(step, Field):
        return {**value, step.name: inner}
    if isinstance(value, list) and isinstance(step, Index):
        return [*value[: step.position], inner, *value[step.position + 1 :]]
    raise NotEditableError("the field is not in a map")


def _without(value: Json, step: PathStep) -> Json:
    """Return a map or list without one child."""
    if isinstance(step, Index):
        return [entry for number, entry in enumerate(value) if number != step.position]
    return {name: inner for name, inner in value.items() if Field(name) != step}


def _rename_key(value: Json, step: PathStep, name: str) -> Json:
    """Return a map with one key renamed."""
    if not isinstance(step, Field) or name in value:
        raise NotEditableError("a field of the new name already exists")
    return {name if own == step.name else own: inner for own, inner in value.items()}
