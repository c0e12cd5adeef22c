"""The sources of derived defaults, to explain the value of a field."""

from functools import cache

from kubectl_applylint.core.paths import Field, Path
from kubectl_applylint.schema.lookup import at
from kubectl_applylint.schema.types import Kind, Shape
from kubectl_applylint.server.defaults import minor_of
from kubectl_applylint.server.defaults.tables import entries


def sources_of(path: Path, kind: Kind, version: str) -> tuple[Path, ...]:
    """Return the fields from which the default of the field at ``path`` is derived, in the same object.

    ``spec.template.spec.containers[0].imagePullPolicy`` is derived from ``image`` of the same container. Empty for
    constant defaults, and for fields without a default. The field may still have been written explicitly.
    """
    names = {step.name for step in path if isinstance(step, Field)}
    if kind.custom or names.isdisjoint(_derived_fields(minor_of(version))):
        return ()
    for length in range(len(path) - 1, -1, -1):
        found = _sources_below(path, length, kind, minor_of(version))
        if found:
            return found
    return ()


@cache
def _derived_fields(minor: int) -> frozenset[str]:
    """Return the names of all fields with derived defaults, without their parents."""
    rules = (rule for entry in entries(minor).values() for rule in entry.derived)
    return frozenset(name.rpartition(".")[2] for rule in rules for name in rule.fields)


def _sources_below(path: Path, length: int, kind: Kind, minor: int) -> tuple[Path, ...]:
    """Return the sources by the rules of the struct at the first ``length`` steps of ``path``."""
    names = [step.name for step in path[length:] if isinstance(step, Field)]
    known = entries(minor)
    found = (
        _sibling(path, length, source)
        for place in _places(path[:length], kind)
        for rule in (known[place].derived if place in known else ())
        if any(names[: field.count(".") + 1] == field.split(".") for field in rule.fields)
        for source in rule.source
    )
    return tuple(dict.fromkeys(found))


def _places(path: Path, kind: Kind) -> tuple[str, ...]:
    """Return the names of the struct at ``path`` in the tables: its type, and its place in the types around it."""
    node = at(kind.root, path)
    if node is None or node.shape is not Shape.OBJECT or not node.struct:
        return ()
    places, below = [node.struct], ""
    for length in range(len(path) - 1, -1, -1):
        step, parent = path[length], at(kind.root, path[:length])
        if not isinstance(step, Field) or parent is None or not parent.struct:
            break
        below = f".{step.name}{below}"
        places.append(parent.struct + below)
    return tuple(places)


def _sibling(path: Path, length: int, source: str) -> Path:
    """Return the path of ``source`` below the first ``length`` steps, in the same list elements as ``path``."""
    steps, rest = list(path[:length]), list(path[length:])
    for name in source.split("."):
        steps.append(Field(name))
        rest = rest[1:] if rest and rest[0] == Field(name) else []
        while rest and not isinstance(rest[0], Field):
            steps.append(rest.pop(0))
    return tuple(steps)
