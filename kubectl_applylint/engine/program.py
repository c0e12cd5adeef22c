"""What a tool other than kubectl does differently: to one object, and to a set.

Each tool has one record, ``PROGRAM``, in the module ``program`` of its package in ``tools``. It is imported only when a
run is about that tool.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Generic, TypeAlias, TypeVar

from kubectl_applylint.appliers.addressing import with_scope
from kubectl_applylint.appliers.attempt import Ask, Attempt
from kubectl_applylint.appliers.flags import ProgramPolicy
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Change, FieldError, Outcome
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.process import Process, SetParts
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.schema.types import Kind, Schema

P = TypeVar("P", bound=ProgramPolicy)
Explain: TypeAlias = Callable[
    [ApplyRequest, JsonObject | None, JsonObject, Kind | None, ManagedFieldsCodec], tuple[Change, ...]
]
"""Returns the explained changes from the object before to the object after."""
IsUnserved: TypeAlias = Callable[[ObjectRef], bool]


def _never(*_: object) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Writer:
    """How a program writes one object."""

    apply: Callable[[ApplyRequest, JsonObject | None, Ask], Attempt]
    explain: Explain
    sent: Callable[[ApplyRequest], ApplyRequest] = with_scope
    """Returns the request with the manifest as the program sends it."""
    is_skipped: Callable[[JsonObject, JsonObject | None], bool] = _never
    """Returns whether the program never writes an object."""
    reads_as_kubectl: bool = True
    """Whether it rejects a manifest that kubectl cannot read or address."""


def _as_it_is(policy: P, documents: Sequence[Document], cluster: ClusterModel) -> tuple[P, Sequence[Document]]:
    return policy, documents


def _begins(policy: P, documents: Sequence[Document], cluster: ClusterModel, is_unserved: IsUnserved) -> None:
    return None


def _no_text(policy: P) -> str:
    return ""


def _goes_on(policy: P, ref: ObjectRef, earlier: Iterable[Outcome]) -> None:
    return None


def _deletes_nothing(
    policy: P, targets: Callable[[], Iterable[ObjectRef]], outcomes: Sequence[Outcome]
) -> Iterator[ObjectRef]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Program(Generic[P]):
    """The behavior of a program with the policy ``P``; defaults are those of kubectl."""

    name: str
    """The display name."""
    writer: Writer
    predicting: Callable[[P, Schema], Predict]
    """Returns the prediction of its write of one object."""
    checking: Callable[[P, Schema], Predict] | None = None
    """Returns the prediction of its check of an object before it applies the first one."""
    process: Callable[[P, SetParts], Process] | None = None
    """Returns how it processes a set after such checks."""
    begun: Callable[[P, Sequence[Document], ClusterModel], tuple[P, Sequence[Document]]] = _as_it_is
    """Returns its policy, and the set, after it has read what exists."""
    blocked: Callable[[P, Sequence[Document], ClusterModel, IsUnserved], FieldError | None] = _begins
    """Returns why it writes nothing at all."""
    remedy: Callable[[P], str] = _no_text
    """Returns what to do if its own state prevents the apply; empty if the error includes it."""
    stop: Callable[[P, ObjectRef, Iterable[Outcome]], ObjectRef | None] = _goes_on
    """Returns the object at which it stops before it reaches another one."""
    deleted: Callable[[P, Callable[[], Iterable[ObjectRef]], Sequence[Outcome]], Iterator[ObjectRef]] = _deletes_nothing
    """Returns the objects that it deletes although an object is rejected."""
    is_deleted_before: Callable[[P, ObjectRef, ObjectRef], bool] = _never
    """Returns whether it deletes the first object before it applies the second one."""


@cache
def program_of(applier: Applier) -> Program[ProgramPolicy]:
    """Return the record of one of ``TOOL_APPLIERS``."""
    program: Program[ProgramPolicy] = import_module(f"kubectl_applylint.tools.{applier.package}.program").PROGRAM
    return program
