"""The behavior of a server for the objects of one kind, by phase."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.server.default_rules import Defaults

Change: TypeAlias = Callable[[JsonObject], JsonObject]
"""Takes an object and returns the changed one."""
Update: TypeAlias = Callable[[JsonObject, JsonObject | None], JsonObject]
"""Takes the new object and the stored one, if any, and returns the new one as it is stored."""
StatusUpdate: TypeAlias = Callable[[JsonObject, JsonObject], JsonObject]
"""Takes the object with the written status and the stored one, and returns the first as it is stored."""
Clashes: TypeAlias = Callable[[JsonObject, Iterable[JsonObject]], Iterable[FieldError]]
"""Takes an object and the others of its kind, and yields errors for values that others have."""
Prepare: TypeAlias = Callable[[JsonObject, JsonObject | None, int], JsonObject]
"""Takes the arguments of ``Update`` and a minor of Kubernetes (36)."""


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
    """The specifics of a kind in each phase of a write; the defaults are those of every other kind.

    The phases, in their order: defaults, the conversion to the internal form, the strategy's preparation, allocation,
    validation, and reading.
    """

    gvk: Gvk = ("", "")
    """API version and kind: ``("apps/v1", "Deployment")``."""
    defaults: Defaults | None = None
    """The defaults of its fields, and of types that only it uses."""
    convert: Change = _same
    """The conversion of a defaulted object to the internal form of the server and back."""
    prepare: Prepare = _as_written
    """``PrepareForCreate`` and ``PrepareForUpdate`` of its strategy."""
    generation: tuple[str, ...] | None = None
    """The fields whose change adds one to ``metadata.generation``, in dots; ``None`` without a generation."""
    generation_since: int = 0
    """The first minor with a generation."""
    prepare_status: StatusUpdate = _status_as_written
    """``PrepareForUpdate`` of the strategy of its status."""
    status_keeps: tuple[str, ...] = ()
    """Metadata of the stored object that a write to the status cannot change."""
    resets: tuple[tuple[str, ...], ...] | None = None
    """Fields that writers of the main resource never own (``GetResetFields``); ``None``: the status, if any."""
    status_resets: tuple[tuple[str, ...], ...] | None = None
    """Fields that writers of the status never own (``GetResetFields``); ``None``: the spec."""
    allocate: Update = _as_asked
    """Sets ``Unknown`` for values that the server chooses."""
    clashes: Clashes = _none
    """Finds values that other objects have already."""
    read: Change = _same
    """Returns a stored object as clients read it."""
    validation: tuple[str, ...] = ()
    """The modules of its validation rules, whose ``KINDS`` hold them; imported on demand."""
