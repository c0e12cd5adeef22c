"""Problems of a unit that both revisions of a change have: the change does not alter what is applied there."""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.text.manifests import Input, is_applied_with_damage

_FOLDERS: Final = regex(r"[^\s'\"(]*/")
"""The folders of a path, after the name of the revision that it belongs to."""


def compare_failures(was: Input, now: Input, revision: str, *, is_rendered: bool) -> tuple[Input, Input]:
    """Return the objects of a unit before and after a change, with failures that are the same marked as unchanged.

    Only errors of a program that read the whole content count: other problems say nothing about what is applied. The
    earlier objects of the ``revision`` have no such problem anymore. If a unit ``is_rendered`` as a whole and has no
    objects, that failure is its only problem: what else is missing has no effect.
    """
    earlier = {_error(one, revision) for one in was.problems if _is_certain(one)}
    same = [one for one in now.problems if _is_certain(one) and _error(one, revision) in earlier]
    if not same:
        return was, now
    errors = {_error(one, revision) for one in same}
    others = [one for one in was.problems if _error(one, revision) not in errors]
    marked = [_unchanged_failure(one, revision) if one in same else one for one in now.problems]
    if is_rendered and not now.documents:
        others, marked = [], [one for one in marked if one.is_unchanged]
    return replace(was, problems=tuple(others)), replace(now, problems=tuple(marked))


def problems_only_before(before: Iterable[Problem], now: Input, revision: str) -> Iterator[Problem]:
    """Yield the problems of the earlier ``revision``, except those that the later one has as well, at any place."""
    known = {one.reason or _error(one, revision) for one in now.problems}
    return (one for one in before if (one.reason or _error(one, revision)) not in known)


def _is_certain(problem: Problem) -> bool:
    return problem.is_fatal or (problem.is_refused and not is_applied_with_damage(problem))


def _unchanged_failure(problem: Problem, revision: str) -> Problem:
    message = f"{problem.message}; {revision} fails in the same way, so nothing changes here"
    return replace(problem, message=message, is_unchanged=True)


def _error(problem: Problem, revision: str) -> str:
    """Return the error of a problem without the names of folders, which have the name of the revision before them."""
    return _FOLDERS.sub("", problem.message).replace(f"{revision.partition(' ')[0]}:", "")
