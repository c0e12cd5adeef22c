"""Secrets whose variables a unit begins or stops to use, while other units read them in both revisions."""

from collections.abc import Iterable

from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.pairs import Pair


def with_shared_secrets(found: Revisions, pair: Pair, was: Input, now: Input) -> Input:
    """Return the earlier input of a unit with the Secrets of the later one that are no part of the change.

    These are Secrets that units of the same cluster read with the same values in the other revision. Their values are
    not known, but nothing of them differs.
    """
    earlier, later = ({_key(one) for one in given.holes} for given in (was, now))
    if earlier == later:
        return was
    before, after = (_secrets_of_cluster(units, pair) for units in found.units)
    kept = (one for one in was.holes if _key(one) in later or _key(one) not in after)
    added = (one for one in now.holes if _key(one) in before and _key(one) not in earlier)
    return replace(was, holes=(*kept, *added))


def _secrets_of_cluster(units: Iterable[Unit], pair: Pair) -> frozenset[tuple[str, str]]:
    """Return the keys of the Secrets from which units of the cluster of a pair read variables."""
    clusters = {unit.applied.cluster for unit in pair if unit}
    own = (unit for unit in units if unit.applied.cluster in clusters)
    return frozenset(_key(hole) for unit in own for _, hole in unit.applied.variables.secrets)


def _key(hole: Hole) -> tuple[str, str]:
    return hole.identity, hole.digest
