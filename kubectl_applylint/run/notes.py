"""Notes of a run about its input: skipped files, unknown kinds, and so on."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Field
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.schema.served import standing_in
from kubectl_applylint.schema.types import Gvk, Schema
from kubectl_applylint.sources.text.classify import SkipReason
from kubectl_applylint.sources.text.manifests import Input

_MOST_KINDS: Final = 5


@dataclass(frozen=True, slots=True)
class Gaps:
    """The reasons of skipped files, one for each file, and the kinds without a definition."""

    skipped: tuple[SkipReason, ...] = ()
    kinds: tuple[tuple[Gvk, int], ...] = ()
    """The kinds without a definition, sorted, each with the number of its objects."""

    @property
    def lines(self) -> Iterator[str]:
        """Yield one line for all skipped files, and one for all kinds without a definition."""
        numbers = Counter(self.skipped)
        if numbers:
            words = ", ".join(f"{number} × {why}" for why, number in sorted(numbers.items()))
            yield f"skipped non-manifests: {words}"
        if self.kinds:
            most_first = sorted(self.kinds, key=lambda one: -one[1])
            names = [f"{number} {kind} ({version})" for (version, kind), number in most_first]
            more = len(names) - _MOST_KINDS
            words = ", ".join(names[:_MOST_KINDS]) + (f" and {more} more kind{'s' * (more > 1)}" if more > 0 else "")
            yield f"not validated, because no definition of the kind was found: {words}"


NO_GAPS: Final = Gaps()


def join_gaps(gaps: Sequence[Gaps]) -> Gaps:
    """Return the gaps of several runs as one."""
    skipped = tuple(chain.from_iterable(each.skipped for each in gaps))
    numbers: Counter[Gvk] = Counter()
    for gvk, number in chain.from_iterable(each.kinds for each in gaps):
        numbers[gvk] += number
    return Gaps(skipped, tuple(sorted(numbers.items())))


def gaps_of(given: Input, schema: Schema, placed: Sequence[Document]) -> Gaps:
    """Return the gaps of a run over ``placed`` objects, which have their namespaces."""
    numbers = Counter((document.ref.api_version, document.ref.kind) for document in placed)
    undefined = ((gvk, number) for gvk, number in sorted(numbers.items()) if schema.kind(*gvk) is None)
    unknown = tuple(one for one in undefined if not standing_in(schema, one[0]).is_refused)
    return Gaps(tuple(skipped.why for skipped in given.skipped), unknown)


def remarks(given: Input, schema: Schema, unselected: int) -> Iterator[str]:
    """Yield the notes besides gaps: remarks on files, unselected objects, and a replaced schema version."""
    yield from (f"{file}: {words}" for file, words in given.remarks)
    if unselected:
        yield f"skipped, not matching the selector: {unselected} object{'s' * (unselected > 1)}"
    if schema.version != schema.asked:
        yield f"no schema for Kubernetes {schema.asked}, using {schema.version}"


def unserved_kinds(placed: Sequence[Document], unserved: Mapping[Gvk, str]) -> Iterator[Problem]:
    """Yield a problem for each kind that the cluster does not serve, at its first object.

    ``unserved`` are these kinds, each with advice.
    """
    for gvk, advice in unserved.items():
        found = [document for document in placed if (document.ref.api_version, document.ref.kind) == gvk]
        if found:
            more = f" ({len(found)} objects)" if len(found) > 1 else ""
            message = f"the cluster has no kind {gvk[1]} in {gvk[0]}, so kubectl apply rejects it{more}"
            yield Problem(str(found[0].locate((Field("kind"),))), message, advice)
