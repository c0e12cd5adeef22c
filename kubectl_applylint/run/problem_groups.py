"""Merges the problems of several units that have the same reason."""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace

_FAILED: Final = "it cannot be rendered: "
"""The beginning of what a program that renders reports."""
_MOST_NAMES: Final = 5
"""The most units or places that a merged problem names."""


def merge_by_reason(found: Iterable[tuple[str, Problem]]) -> Iterator[Problem]:
    """Yield each problem once; ``found`` are problems with the roots of their units.

    Problems of several units with the same ``reason``, or with the same error of a renderer, become one, at the
    place of the first, that names the units, or the places of units with the same root.
    """
    groups: dict[Problem | str, list[tuple[str, Problem]]] = {}
    for root, problem in found:
        groups.setdefault(_common_text(problem) or problem, []).append((root, problem))
    for each in groups.values():
        first = each[0][1]
        roots, places = [*dict.fromkeys(root for root, _ in each)], [*dict.fromkeys(one.where for _, one in each)]
        if first.reason and len(roots) > 1:
            what = "compared" if first.is_hole else "rendered"
            names = first_names(roots, _MOST_NAMES)
            yield replace(first, message=f"{len(roots)} units are not {what}: {first.reason} ({names})")
        elif first.is_hole and len(each) > 1:
            yield replace(first, message=f"{first.message}, and {len(each) - 1} more")
        elif _common_text(first) and len(roots) > 1:
            yield replace(first, message=f"{first.message}; the same in {first_names(roots[1:], _MOST_NAMES)}")
        elif first.reason and len(places) > 1 and all(one.message == first.message for _, one in each):
            yield replace(first, message=f"{first.message}; the same in {first_names(places[1:], _MOST_NAMES)}")
        else:
            yield from dict.fromkeys(problem for _, problem in each)


def _common_text(problem: Problem) -> str:
    """Return the text that problems of several units have in common, empty if each is reported by itself."""
    return problem.reason or (problem.message if problem.message.startswith(_FAILED) else "")
