"""ApplicationSets of Argo CD whose Applications are not known, or not all of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.run.sides.side import UNEXAMINED_ADVICE
from kubectl_applylint.tools.argocd.application_sets import REJECTED_SET
from kubectl_applylint.tools.argocd.generators import TOO_MANY
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.pairs import Pair

_REJECTED_ADVICE = "argocd appset generate FILE shows the error of Argo CD"


def rejected_problem(unit: Unit) -> Problem | None:
    """Return the problem of an ApplicationSet that Argo CD rejects, ``None`` for other units."""
    applied = unit.applied
    if not applied.gap.startswith(REJECTED_SET):
        return None
    return Problem(applied.reason.place, f"{unit.root}: {applied.gap}", _REJECTED_ADVICE, reason=applied.gap)


def unknown_applications(changed: Iterable[Unit], units: Iterable[Unit]) -> Iterator[Problem]:
    """Yield a problem for each ApplicationSet of ``changed`` units that generates more Applications than are known."""
    applied = [unit.applied for unit in changed]
    generators = {(one.cluster, one.generated_by) for one in applied if one.generated_by}
    for one in (unit.applied for unit in units):
        if one.gap == TOO_MANY and (one.cluster, one.declared_by) in generators:
            message = f"{one.reason.text} may change other Applications, which are not rendered: {one.gap}"
            yield Problem(one.reason.place, message, UNEXAMINED_ADVICE, reason=one.gap)


def without_uncertain_applications(
    pairs: Iterable[Pair], before: Iterable[Unit], after: Iterable[Unit]
) -> Iterator[Pair]:
    """Yield pairs, without Applications of sets that are only in one revision, and that the other one may have.

    That is so if generators are not evaluated there which are evaluated in the revision with the Application, or which
    it does not have. The unit of such a generator is a problem of the change.
    """
    unknown = (_unknown_generators(before), _unknown_generators(after))
    for pair in pairs:
        one = next((unit for unit in pair if unit), None)
        own, other = unknown if pair[0] else reversed(unknown)
        name = _set_of(one) if one and None in pair and not one.applied.gap else None
        if not name or other[name] <= own[name]:
            yield pair


def _set_of(unit: Unit) -> object:
    """Return the set that generates an Application, ``None`` for other units."""
    applied = unit.applied
    return (applied.cluster, applied.generated_by) if applied.generated_by else None


def _unknown_generators(units: Iterable[Unit]) -> Mapping[object, set[str]]:
    """Return why Applications of sets are not known."""
    found: dict[object, set[str]] = defaultdict(set)
    for unit in units:
        applied = unit.applied
        generator = applied.generated_by or applied.declared_by
        if applied.gap and generator and generator.kind == "ApplicationSet":
            found[applied.cluster, generator].add(applied.gap)
    return found
