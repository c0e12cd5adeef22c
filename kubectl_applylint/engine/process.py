"""How an applier processes a set that it does not apply object by object, and where it stops.

kubectl continues after a failure, and Helm stops at the next creation; other tools define this in their own modules.
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
    """The apply of a set by an applier that checks the set or applies it in stages."""

    def cut_short(self, position: int) -> Outcome | None:
        """Return the outcome of an object that is not applied because of other objects or its check, else ``None``."""

    def deleted_before(self, position: int) -> frozenset[Identity]:
        """Return the objects that are deleted before the object at a position is applied."""

    def deletions(self, prunable: Iterable[ObjectRef]) -> tuple[ObjectRef, ...]:
        """Return the objects of ``prunable`` that are deleted although objects may fail."""

    def beside(self, pruned: Iterable[ObjectRef]) -> Iterable[Outcome]:
        """Return the outcomes of objects that are written although they are neither applied nor pruned."""


@dataclass(frozen=True, slots=True)
class SetParts:
    """A set in the order of its applier, with functions that return the state of each object by position."""

    documents: Sequence[Document]
    cluster: ClusterModel = field(repr=False)
    """The cluster before the apply."""
    schema: Schema = field(repr=False)
    predict: Predict = field(repr=False)
    check: Predict = field(repr=False)
    """Predicts the check of an object before the first object of the set, or of its stage, is applied."""
    state_at: Callable[[int, int], State] = field(repr=False)
    """Returns the state of an object when all objects before another position are applied."""
    among_others: Callable[[int, Outcome, State, int], Outcome] = field(repr=False)
    """Returns an outcome adjusted to the objects around it."""
    outcome: Callable[[int], Outcome | PredictionError] = field(repr=False)
    """Returns the final outcome of an object."""
    is_unserved: Callable[[ObjectRef], bool] = field(repr=False)
    """Whether the server does not serve the kind before the apply."""


def is_unready(found: Outcome | PredictionError) -> bool:
    """Return whether an object is skipped and does not exist, so that Flux waits for it until the timeout."""
    return isinstance(found, Outcome) and found.verdict is Verdict.UNCHANGED and found.result is None


def is_rejected(found: Outcome | PredictionError) -> bool:
    """Return whether an object is known to be rejected."""
    return isinstance(found, Outcome) and found.refused
