"""What a server does to the objects of one kind, phase by phase."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.server.default_rules import Defaults

Change: TypeAlias = Callable[[JsonObject], JsonObject]
"""Takes an object and returns what becomes of it."""
Update: TypeAlias = Callable[[JsonObject, JsonObject | None], JsonObject]
"""Takes the new object and the stored one, if there is one, and returns what becomes of the new one."""
StatusUpdate: TypeAlias = Callable[[JsonObject, JsonObject], JsonObject]
"""Takes the object with the status that is written and the stored one, and returns what becomes of the first."""
Clashes: TypeAlias = Callable[[JsonObject, Iterable[JsonObject]], Iterable[FieldError]]
"""Takes an object and the others of its kind, and yields what it cannot have because they have it."""
Prepare: TypeAlias = Callable[[JsonObject, JsonObject | None, int], JsonObject]
"""Takes a minor of Kubernetes (36) beside what ``Update`` takes."""


def _same(new: JsonObject) -> JsonObject:
    return new


def _status_as_written(new: JsonObject, old: JsonObject) -> JsonObject:
    return new


def _none(new: JsonObject, others: Iterable[JsonObject]) -> Iterable[FieldError]:
    return iter(())


def _as_asked(new: JsonObject, old: JsonObject | None) -> JsonObject:
    return new


def _as_written(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    return new


@dataclass(frozen=True, slots=True)
class KindBehaviour:
    """What a kind has of its own in each phase of a write; what is not given is as for every other kind.

    The phases, in their order: defaults, the conversion to the internal form, the strategy's preparation, allocation,
    validation, and what clients read afterwards.
    """

    gvk: Gvk = ("", "")
    """API version and kind: ``("apps/v1", "Deployment")``."""
    defaults: Defaults | None = None
    """The defaults of its fields, and of the types that only it has."""
    convert: Change = _same
    """What becomes of a defaulted object on its way through the internal form of the server."""
    prepare: Prepare = _as_written
    """``PrepareForCreate`` and ``PrepareForUpdate`` of its strategy."""
    generation: tuple[str, ...] | None = None
    """The fields whose change adds one to ``metadata.generation``, in dots; ``None`` if nothing is counted."""
    generation_since: int = 0
    """The first minor that counts."""
    prepare_status: StatusUpdate = _status_as_written
    """``PrepareForUpdate`` of the strategy of its status."""
    status_keeps: tuple[str, ...] = ()
    """Metadata of the stored object that a write to the status cannot change."""
    resets: tuple[tuple[str, ...], ...] | None = None
    """Fields that writers of the main resource never own (``GetResetFields``); ``None``: a status that it has."""
    status_resets: tuple[tuple[str, ...], ...] | None = None
    """Fields that writers of the status never own (``GetResetFields``); ``None``: the spec."""
    allocate: Update = _as_asked
    """Puts ``Unknown`` where the server chooses the value."""
    clashes: Clashes = _none
    """What was allocated to other objects already."""
    read: Change = _same
    """What clients get to see of a stored object."""
    validation: tuple[str, ...] = ()
    """The modules of its rules of validation, whose ``KINDS`` hold them; imported when an object of the group comes."""
