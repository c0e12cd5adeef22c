"""Merges findings of one cause at many places."""

from collections.abc import Collection, Iterable

from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.model import Finding, Related


def merge_repeated(findings: Iterable[Finding], rules: Collection[str]) -> tuple[Finding, ...]:
    """Return the findings in order; findings of ``rules`` with equal messages become one with all places."""
    found: dict[tuple[str, str] | int, Finding] = {}
    for number, finding in enumerate(findings):
        key = (finding.rule, finding.message) if finding.rule in rules else number
        first = found.get(key)
        found[key] = finding if first is None else _merge_pair(first, finding)
    return tuple(found.values())


def _merge_pair(first: Finding, other: Finding) -> Finding:
    """Return the first finding with the places of the other one."""
    place = Related(other.location, str(other.ref))
    more = (one for one in other.related if one not in first.related)
    return replace(first, related=(*first.related, place, *more))
