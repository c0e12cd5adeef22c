"""What another program than kubectl does differently: to one object, and to a set.

Each has one record, ``PROGRAM``, in the module ``program`` of its package in ``tools``. It is imported when a run is
about that program, so that others import nothing of it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Generic, TypeAlias, TypeVar

from kubectl_applylint.appliers.addressing import scoped
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
"""Tells why each field is what it is, from the object before and after."""
IsUnserved: TypeAlias = Callable[[ObjectRef], bool]


def _never(*_: object) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Writer:
    """How a program writes one object."""

    apply: Callable[[ApplyRequest, JsonObject | None, Ask], Attempt]
    explain: Explain
    sent: Callable[[ApplyRequest], ApplyRequest] = scoped
    """The request with the manifest as the program sends it."""
    is_skipped: Callable[[JsonObject, JsonObject | None], bool] = _never
    """Whether the program leaves an object alone, whatever its manifest says."""
    reads_as_kubectl: bool = True
    """Whether it rejects a manifest that kubectl cannot read or address."""


def _as_it_is(policy: P, documents: Sequence[Document], cluster: ClusterModel) -> tuple[P, Sequence[Document]]:
    return policy, documents


def _begins(policy: P, documents: Sequence[Document], cluster: ClusterModel, is_unserved: IsUnserved) -> None:
    return None


def _unsaid(policy: P) -> str:
    return ""


def _goes_on(policy: P, ref: ObjectRef, earlier: Iterable[Outcome]) -> None:
    return None


def _deletes_nothing(
    policy: P, targets: Callable[[], Iterable[ObjectRef]], outcomes: Sequence[Outcome]
) -> Iterator[ObjectRef]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Program(Generic[P]):
    """What a program does that has the policy ``P``; what is not given is as with kubectl."""

    name: str
    """What people call it."""
    writer: Writer
    predicting: Callable[[P, Schema], Predict]
    """What predicts what it does to one object."""
    checking: Callable[[P, Schema], Predict] | None = None
    """What predicts what it does about an object before it applies the first one."""
    process: Callable[[P, SetParts], Process] | None = None
    """How it goes through a set after such checks."""
    begun: Callable[[P, Sequence[Document], ClusterModel], tuple[P, Sequence[Document]]] = _as_it_is
    """What it goes by, and the set, once it has looked at what exists."""
    blocked: Callable[[P, Sequence[Document], ClusterModel, IsUnserved], FieldError | None] = _begins
    """Why it writes nothing at all."""
    remedy: Callable[[P], str] = _unsaid
    """What to do where it does not begin for its own state; empty where its reason says that."""
    stop: Callable[[P, ObjectRef, Iterable[Outcome]], ObjectRef | None] = _goes_on
    """The object at which it stops before it comes to another one."""
    deleted: Callable[[P, Callable[[], Iterable[ObjectRef]], Sequence[Outcome]], Iterator[ObjectRef]] = _deletes_nothing
    """What it deletes although an object is rejected."""
    is_deleted_before: Callable[[P, ObjectRef, ObjectRef], bool] = _never
    """Whether it deletes the first object before it comes to the second one."""


@cache
def program_of(applier: Applier) -> Program[ProgramPolicy]:
    """Return the record of one of ``TOOL_APPLIERS``."""
    program: Program[ProgramPolicy] = import_module(f"kubectl_applylint.tools.{applier.package}.program").PROGRAM
    return program
