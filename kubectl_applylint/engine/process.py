"""How an applier goes through a set that it does not apply object by object, and where it stops.

kubectl goes on after a failure, and Helm stops at the next creation; what others do stands in a module of theirs.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, PredictionError, Verdict
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import Identity, ObjectRef, State
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.schema.types import Schema


class Process(Protocol):
    """One apply of a set by such an applier."""

    def cut_short(self, position: int) -> Outcome | None:
        """Return what becomes of an object that is not applied because of others or of its check, else ``None``."""

    def gone_before(self, position: int) -> frozenset[Identity]:
        """Return the objects that are deleted before the one at a position is applied."""

    def pruned(self, prunable: Iterable[ObjectRef]) -> tuple[ObjectRef, ...]:
        """Return those that are deleted of the objects that would be if nothing failed."""

    def beside(self, pruned: Iterable[ObjectRef]) -> Iterable[Outcome]:
        """Return what becomes of objects that are neither applied nor ``pruned``, and that are written all the same."""


@dataclass(frozen=True, slots=True)
class SetParts:
    """A set in the order of its applier, and what is known of each of its objects by position."""

    documents: Sequence[Document]
    cluster: ClusterModel = field(repr=False)
    """As it is before."""
    schema: Schema = field(repr=False)
    predict: Predict = field(repr=False)
    check: Predict = field(repr=False)
    """What is done about an object before the first one is applied, of the set or of a stage of it."""
    state_at: Callable[[int, int], State] = field(repr=False)
    """The state of an object when all before another position have been applied."""
    among_others: Callable[[int, Outcome, State, int], Outcome] = field(repr=False)
    """What becomes of an outcome for what is around the object then."""
    told: Callable[[int], Outcome | PredictionError] = field(repr=False)
    """What becomes of an object in the end."""
    is_unserved: Callable[[ObjectRef], bool] = field(repr=False)
    """Whether the server has no such kind before."""


def is_unready(found: Outcome | PredictionError) -> bool:
    """Tell whether an object is left alone that does not exist: Flux skips it, and waits for it in vain."""
    return isinstance(found, Outcome) and found.verdict is Verdict.UNCHANGED and found.result is None


def fails(found: Outcome | PredictionError) -> bool:
    """Tell whether an object is known to be refused."""
    return isinstance(found, Outcome) and found.refused
