"""Who owns which field of an object after the apply, for the coloured margins of its lines."""

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
"""The names of the managers that own a leaf, by its path in which elements of lists stand by position."""
NO_OWNER: Final = "no owner"
_LONGEST: Final = 200
"""Characters of a line that are shown."""
_MARK: Final = "\0"
"""Begins the mark at the end of a line, for no line of YAML has it."""
_OF_NAMES: Final = " "
"""Stands for the owner of what says which object it is: managedFields does not tell."""


def owners_of(after: JsonObject) -> Owners:
    """Return who owns each leaf of an object; empty where its managedFields are not known."""
    names: dict[Path, list[str]] = defaultdict(list)
    for entry in read(after).items():
        manager = manager_of(entry)
        name = one_line(str(Owner(manager.name, manager.operation, manager.subresource)))
        for leaf in leaves_of(entry[1].fields):
            names[positional_path(after, to_path(leaf))].append(name)
    return {path: tuple(dict.fromkeys(held)) for path, held in names.items()}


def positional_path(value: Json, path: Path) -> Path:
    """Return a path with the positions of elements of lists for their keys and values, as far as they are there."""
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
    """Return who owns what stands at a path: the owners of what it is a part of, else of all that is below it."""
    around = owners_around(owners, path)
    below = (names for inner, names in owners.items() if inner[: len(path)] == path)
    return around or tuple(dict.fromkeys(name for names in below for name in names))


def owners_around(owners: Owners, path: Path) -> tuple[str, ...]:
    """Return who owns a path or the nearest part around it that is owned as a whole."""
    return next((owners[path[:end]] for end in range(len(path), 0, -1) if path[:end] in owners), ())


def owned_lines(after: JsonObject, owners: Owners) -> tuple[OwnedLines, ...]:
    """Return an object as YAML, the lines that have the same owners together; without its managedFields."""
    marked = [
        line.partition(f"  {_MARK}") for line in yaml_lines(_shown(after), lambda path: _mark(path, after, owners))
    ]
    runs = groupby(
        zip(_line_owners([(mark, names) for _, mark, names in marked]), marked, strict=True), key=lambda one: one[0]
    )
    return tuple(
        OwnedLines(tuple(names.split(_MARK)) if names.strip() else (), tuple(cut(line[0], _LONGEST) for _, line in run))
        for names, run in runs
    )


def _shown(after: JsonObject) -> Json:
    metadata = {name: value for name, value in mapping(after.get("metadata")).items() if name != "managedFields"}
    return readable({**after, **({"metadata": metadata} if "metadata" in after else {})})


def _mark(path: Path, after: JsonObject, owners: Owners) -> str:
    """Return the mark of a line: names of owners, or nothing where the lines below it tell."""
    names = owners_around(owners, path)
    if not names and not _is_filled(after, path):
        names = (NO_OWNER,) if owners and not _is_name(path) else (_OF_NAMES,)
    return _MARK + _MARK.join(names)


def _is_filled(value: Json, path: Path) -> bool:
    for step in path:
        value = child(value, step)
    return isinstance(value, (dict, list)) and bool(value)


def _is_name(path: Path) -> bool:
    """Tell whether a field says which object it is, which no manager owns."""
    names = [step.name for step in path if isinstance(step, Field)]
    return names in (["apiVersion"], ["kind"], ["metadata", "name"], ["metadata", "namespace"])


def _line_owners(marks: Sequence[tuple[str, str]]) -> list[str]:
    """Return the names for each line: what continues a text has those above it, what opens a part those below."""
    down = list(_carry_down(marks))
    return list(_carry_down([("x" if names else "", names) for names in reversed(down)]))[::-1]


def _carry_down(marks: Sequence[tuple[str, str]]) -> Iterator[str]:
    last = ""
    for mark, names in marks:
        last = names if mark else last
        yield last
