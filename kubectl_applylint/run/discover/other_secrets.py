"""The Secrets of units that other shards examine: reports of this shard may repeat their values."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.secrets.secret_places import is_secret
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.pairs import Pair

SECRETS: Final = ("Secret",)
"""The words that occur in files with Secrets."""


def secrets_of_pairs(found: Revisions, pairs: Sequence[Pair]) -> Iterator[JsonObject]:
    """Yield the Secrets of both sides in changed units that other shards examine."""
    for number, side in enumerate(found.sides):
        yield from secrets_in(side, filter(None, (pair[number] for pair in pairs)))


def secrets_in(side: Side, units: Iterable[Unit]) -> Iterator[JsonObject]:
    """Yield the Secrets in the files of units of other shards, whose values units of this shard may repeat.

    Secrets that only exist after rendering are not included.
    """
    files = frozenset(chain.from_iterable(unit.files for unit in units))
    named = sorted(files & side.mentioning(SECRETS)) if files else []
    yield from (document.object for document in side.read(named).documents if is_secret(document.ref))
