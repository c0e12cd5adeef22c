"""Merges the problems of several units that have the same reason."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace

_FAILED: Final = "it cannot be rendered: "
"""The beginning of what a program that renders reports."""
_MOST_ROOTS: Final = 5
"""The most units that a merged problem names."""


def merge_by_reason(found: Iterable[tuple[str, Problem]]) -> Iterator[Problem]:
    """Yield each problem once; ``found`` are problems with the roots of their units.

    Problems of several units with the same ``reason``, or with the same error of a renderer, become one, at the
    place of the first, that names the units.
    """
    groups: dict[Problem | str, list[tuple[str, Problem]]] = {}
    for root, problem in found:
        groups.setdefault(_common_text(problem) or problem, []).append((root, problem))
    for each in groups.values():
        first = each[0][1]
        roots = [*dict.fromkeys(root for root, _ in each)]
        if first.reason and len(roots) > 1:
            yield replace(first, message=f"{len(roots)} units are not rendered: {first.reason} ({_join_roots(roots)})")
        elif _common_text(first) and len(roots) > 1:
            yield replace(first, message=f"{first.message}; the same in {_join_roots(roots[1:])}")
        else:
            yield from dict.fromkeys(problem for _, problem in each)


def _common_text(problem: Problem) -> str:
    """Return the text that problems of several units have in common, empty if each is reported by itself."""
    return problem.reason or (problem.message if problem.message.startswith(_FAILED) else "")


def _join_roots(roots: Sequence[str]) -> str:
    more = len(roots) - _MOST_ROOTS
    return ", ".join(roots[:_MOST_ROOTS]) + (f" and {more} more" if more > 0 else "")
