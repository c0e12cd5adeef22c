"""Applications of Argo CD that declare each other in a circle."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.state import Identity, ref_of
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL
from kubectl_applylint.units.model import Form, Unit

_MOST_NAMED: Final = 5


def circle_notes(units: Sequence[Unit], label: Callable[[str], str], runs: Iterable[LoadedUnit] = ()) -> Iterator[str]:
    """Yield a line with the Applications that declare each other, by their files or as they are rendered.

    ``label`` returns the displayed name of a file. An Application that contains itself is usual, and is left out.
    """
    edges: dict[Identity, set[Identity]] = {}
    every = [unit for unit in units if unit.applied.tool == ARGO_TOOL and unit.applied.tool_object]
    declared: dict[str, set[Identity]] = {}
    for unit in every:
        declared.setdefault(unit.applied.reason.file, set()).add(_identity(unit))
    for unit in every:
        # The files of a unit that is rendered as Argo CD does it include the one that declares it.
        own = unit.applied.reason.file if unit.form is Form.RELEASE else None
        files = (name for path in unit.files if (name := label(path)) != own)
        edges.setdefault(_identity(unit), set()).update(*(declared.get(name, ()) for name in files))
    for run in runs:
        if run.unit and run.unit.applied.tool_object:
            edges.setdefault(_identity(run.unit), set()).update(map(_identity, run.declares))
    edges = _with_one_identity(edges)
    names = sorted(f"{one[2]}/{one[3]}".lstrip("/") for one in _in_circles(edges))
    if names:
        shown = first_names(names, _MOST_NAMED)
        yield f"Applications declare each other in a circle, and each is examined once: {shown}"


def _with_one_identity(edges: Mapping[Identity, Collection[Identity]]) -> dict[Identity, set[Identity]]:
    """Return the edges with one identity for an Application that is also read where its namespace is not known."""
    placed: dict[Identity, set[Identity]] = {}
    for one in edges:
        if one[2]:
            placed.setdefault((*one[:2], "", one[3]), set()).add(one)
    same = {name: next(iter(found)) for name, found in placed.items() if len(found) == 1}
    merged: dict[Identity, set[Identity]] = {}
    for one, others in edges.items():
        merged.setdefault(same.get(one, one), set()).update(same.get(other, other) for other in others)
    return merged


def _identity(unit: Unit) -> Identity:
    return ref_of(unit.applied.tool_object or {}).identity


def _in_circles(edges: Mapping[Identity, Collection[Identity]]) -> frozenset[Identity]:
    """Return what is left without all that nothing leads to, and all that leads to nothing."""
    left = frozenset(edges)
    while True:
        inner = {name: left.intersection(edges[name]) - {name} for name in left}
        ends = frozenset().union(*inner.values())
        kept = frozenset(name for name in left if inner[name] and name in ends)
        if kept == left:
            return left
        left = kept
