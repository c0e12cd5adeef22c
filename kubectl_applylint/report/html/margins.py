"""The owners of each field of an object after the apply, for the colored margins of its lines."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from kubectl_applylint.core.outcome import Owner
from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index, Path, PathStep, child
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.values import Json, JsonObject, items, mapping
from kubectl_applylint.merge.fieldset import to_path
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.ownership.field_ownership import leaves_of, manager_of
from kubectl_applylint.report.html.sides import cut, readable
from kubectl_applylint.report.html.values import OwnedLines
from kubectl_applylint.report.objects.yaml_lines import yaml_lines

Owners: TypeAlias = Mapping[Path, tuple[str, ...]]
"""The names of the managers that own a leaf, by its path with list elements by position."""
NO_OWNER: Final = "no owner"
_LONGEST: Final = 200
"""The maximum number of characters of a line."""
_MARK: Final = "\0"
"""The start of the mark at the end of a line; no line of YAML contains it."""
_OF_NAMES: Final = " "
"""The owner of the fields that identify the object, which managedFields does not contain."""


def owners_of(after: JsonObject) -> Owners:
    """Return the owners of each leaf of an object; empty if its managedFields are unknown."""
    names: dict[Path, list[str]] = defaultdict(list)
    for entry in read(after).items():
        manager = manager_of(entry)
        name = one_line(str(Owner(manager.name, manager.operation, manager.subresource)))
        for leaf in leaves_of(entry[1].fields):
            names[positional_path(after, to_path(leaf))].append(name)
    return {path: tuple(dict.fromkeys(held)) for path, held in names.items()}


def positional_path(value: Json, path: Path) -> Path:
    """Return a path with positions instead of the keys and values of list elements, if they exist."""
    steps: list[PathStep] = []
    for step in path:
        inner = child(value, step)
        steps.append(_position(value, step, inner))
        value = inner
    return tuple(steps)


def _position(value: Json, step: PathStep, inner: Json) -> PathStep:
    if not isinstance(step, (ByKey, ByValue)):
        return step
    return next((Index(number) for number, one in enumerate(items(value)) if one is inner), step)


def owners_at(owners: Owners, path: Path) -> tuple[str, ...]:
    """Return the owners of the value at a path: those of the part around it, or else of everything below it."""
    around = owners_around(owners, path)
    below = (names for inner, names in owners.items() if inner[: len(path)] == path)
    return around or tuple(dict.fromkeys(name for names in below for name in names))


def owners_around(owners: Owners, path: Path) -> tuple[str, ...]:
    """Return the owners of a path or of the nearest part around it that is owned as a whole."""
    return next((owners[path[:end]] for end in range(len(path), 0, -1) if path[:end] in owners), ())


def owned_lines(after: JsonObject, owners: Owners) -> tuple[OwnedLines, ...]:
    """Return an object as YAML without managedFields, with lines of the same owners together."""
    marked = [
        line.partition(f"  {_MARK}")
        for line in yaml_lines(_without_managed_fields(after), lambda path: _mark(path, after, owners))
    ]
    runs = groupby(
        zip(_line_owners([(mark, names) for _, mark, names in marked]), marked, strict=True), key=lambda one: one[0]
    )
    return tuple(
        OwnedLines(tuple(names.split(_MARK)) if names.strip() else (), tuple(cut(line[0], _LONGEST) for _, line in run))
        for names, run in runs
    )


def _without_managed_fields(after: JsonObject) -> Json:
    """Return an object without its managedFields, for display."""
    metadata = {name: value for name, value in mapping(after.get("metadata")).items() if name != "managedFields"}
    return readable({**after, **({"metadata": metadata} if "metadata" in after else {})})


def _mark(path: Path, after: JsonObject, owners: Owners) -> str:
    """Return the mark of a line: names of owners, or nothing if the lines below it have the marks."""
    names = owners_around(owners, path)
    if not names and not _is_filled(after, path):
        names = (NO_OWNER,) if owners and not _is_name(path) else (_OF_NAMES,)
    return _MARK + _MARK.join(names)


def _is_filled(value: Json, path: Path) -> bool:
    for step in path:
        value = child(value, step)
    return isinstance(value, (dict, list)) and bool(value)


def _is_name(path: Path) -> bool:
    """Return whether a field identifies the object; no manager owns such a field."""
    names = [step.name for step in path if isinstance(step, Field)]
    return names in (["apiVersion"], ["kind"], ["metadata", "name"], ["metadata", "namespace"])


def _line_owners(marks: Sequence[tuple[str, str]]) -> list[str]:
    """Return the owners of each line: continuation lines have those above, opening lines those below."""
    down = list(_carry_down(marks))
    return list(_carry_down([("x" if names else "", names) for names in reversed(down)]))[::-1]


def _carry_down(marks: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the owners of each line: those of the last marked line above."""
    last = ""
    for mark, names in marks:
        last = names if mark else last
        yield last
