"""One finding for what has one cause at many places."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from kubectl_applylint.lint.model import Finding, Related


def gathered(findings: Iterable[Finding], rules: Collection[str]) -> tuple[Finding, ...]:
    """Return the findings in their order; those of ``rules`` that say the same are one, with the places of all."""
    found: dict[tuple[str, str] | int, Finding] = {}
    for number, finding in enumerate(findings):
        key = (finding.rule, finding.message) if finding.rule in rules else number
        first = found.get(key)
        found[key] = finding if first is None else _joined(first, finding)
    return tuple(found.values())


def _joined(first: Finding, other: Finding) -> Finding:
    place = Related(other.location, str(other.ref))
    more = (one for one in other.related if one not in first.related)
    return replace(first, related=(*first.related, place, *more))
