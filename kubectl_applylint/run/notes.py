"""Notes of a run about its input: skipped files, unknown kinds, and so on."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, TypeVar

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Field
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.schema.served import standing_in
from kubectl_applylint.schema.types import Gvk, Schema
from kubectl_applylint.sources.text.classify import SkipReason
from kubectl_applylint.sources.text.manifests import Input

_T = TypeVar("_T")
_MOST_KINDS: Final = 5


@dataclass(frozen=True, slots=True)
class Gaps:
    """The reasons of skipped files, one for each file, and the kinds without a definition."""

    skipped: tuple[SkipReason, ...] = ()
    kinds: tuple[tuple[Gvk, int], ...] = ()
    """The kinds without a definition, sorted, each with the number of its objects."""
    bundled: tuple[tuple[str, int], ...] = ()
    """The projects and versions of bundled definitions in use, sorted, each with the number of their objects."""

    @property
    def lines(self) -> Iterator[str]:
        """Yield one line for all skipped files, and one for all kinds without a definition."""
        numbers = Counter(self.skipped)
        if numbers:
            words = ", ".join(f"{number} × {why}" for why, number in sorted(numbers.items()))
            yield f"skipped non-manifests: {words}"
        if self.kinds:
            names = [f"{number} {kind} ({version})" for (version, kind), number in _most_first(self.kinds)]
            yield f"not validated, because no definition of the kind was found: {_first_names(names, 'kind')}"
        if self.bundled:
            names = [f"{number} of {project}" for project, number in _most_first(self.bundled)]
            projects = _first_names(names, "project")
            yield f"compared with bundled definitions, of which the cluster may have other versions: {projects}"


NO_GAPS: Final = Gaps()


def _most_first(numbers: Iterable[tuple[_T, int]]) -> list[tuple[_T, int]]:
    return sorted(numbers, key=lambda one: -one[1])


def _first_names(names: Sequence[str], noun: str) -> str:
    """Return the first names, and the number of the others."""
    more = len(names) - _MOST_KINDS
    return ", ".join(names[:_MOST_KINDS]) + (f" and {more} more {noun}{'s' * (more > 1)}" if more > 0 else "")


def join_gaps(gaps: Sequence[Gaps]) -> Gaps:
    """Return the gaps of several runs as one."""
    skipped = tuple(chain.from_iterable(each.skipped for each in gaps))
    return Gaps(skipped, _sum(each.kinds for each in gaps), _sum(each.bundled for each in gaps))


def _sum(parts: Iterable[Iterable[tuple[_T, int]]]) -> tuple[tuple[_T, int], ...]:
    """Return the sums of numbers by name, sorted."""
    numbers: Counter[_T] = Counter()
    for name, number in chain.from_iterable(parts):
        numbers[name] += number
    return tuple(sorted(numbers.items(), key=lambda one: str(one[0])))


def gaps_of(given: Input, schema: Schema, placed: Sequence[Document]) -> Gaps:
    """Return the gaps of a run over ``placed`` objects, which have their namespaces."""
    numbers = Counter((document.ref.api_version, document.ref.kind) for document in placed)
    undefined = ((gvk, number) for gvk, number in sorted(numbers.items()) if schema.kind(*gvk) is None)
    unknown = tuple(one for one in undefined if not standing_in(schema, one[0]).is_refused)
    kinds = ((schema.custom.get(gvk), number) for gvk, number in numbers.items())
    bundled = [(kind.bundled, number) for kind, number in kinds if kind is not None and kind.bundled]
    return Gaps(tuple(skipped.why for skipped in given.skipped), unknown, _sum([bundled]))


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
