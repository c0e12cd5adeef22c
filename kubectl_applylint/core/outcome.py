"""What an apply does to one object: verdict, requests, what is stored afterwards, and why each field changed."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Literal

from kubectl_applylint.core.paths import Path, render
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing


class PredictionError(Exception):
    """The outcome of an apply cannot be predicted; the text gives the reason.

    ``is_fault`` is whether it is a fault of the program, with the traceback ``frames``, and not a stated bound.
    """

    def __init__(self, reason: str, *, is_fault: bool = False, frames: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.is_fault = is_fault
        self.frames = frames

    @property
    def message(self) -> str:
        """What people are told."""
        return f"{'not predicted' if self.is_fault else 'cannot be predicted'}: {self}"


class Verdict(StrEnum):
    """The word for the whole object; the first four are kubectl's own."""

    CREATED = "created"
    CONFIGURED = "configured"
    UNCHANGED = "unchanged"
    SERVERSIDE_APPLIED = "serverside-applied"
    REJECTED = "rejected"
    CONFLICT = "conflict"
    PRUNED = "pruned"
    KEPT = "kept"
    UNKNOWN = "unknown"
    """Somebody looked for the live object and could not read it, so that nothing can be said."""


class Why(StrEnum):
    """Why a field has the value that it has after the apply."""

    SET = "set by the manifest"
    DELETED = "deleted because last-applied had it"
    RELEASED = "removed because no other manager owns it"
    KEPT = "kept from live"
    SHARED = "kept because it is shared"
    DEFAULTED = "defaulted by the server"
    MERGED = "merged by key"
    REPLACED = "list replaced"
    NULLED = "dropped by null"
    WIPED = "wiped by the server"
    ANNOTATED = "written by kubectl"
    LEFT_BY_REVERT = "left by revert"
    LEFT_BY_COMMIT = "left by an intermediate commit"
    NOTED = "written by Metacontroller"
    REMEMBERED = "written by kapp"
    LEFT_OUT = "removed because the manifest leaves it out"


@dataclass(frozen=True, slots=True)
class Cause:
    """The provenance of a change: ``detail`` names the manager, the merge key or the rule behind ``why``."""

    why: Why
    detail: str = ""
    managers: tuple[str, ...] = ()
    """Who else keeps the field, sorted."""

    def __str__(self) -> str:
        return f"{self.why} {self.detail}".rstrip()


@dataclass(frozen=True, slots=True)
class Change:
    """One field that differs afterwards. ``MISSING`` stands for "not there"."""

    path: Path
    before: Json | Unknown | Missing
    after: Json | Unknown | Missing
    cause: Cause


@dataclass(frozen=True, slots=True)
class Write:
    """One request that changes something: HTTP method, content type, parsed body."""

    method: Literal["POST", "PATCH", "PUT", "DELETE"]
    content_type: str
    body: Json
    query: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FieldError:
    """One reason why the apply fails: field as the server spells it, machine-readable reason, message."""

    field: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True, order=True)
class Owner:
    """One manager of managedFields, whatever the versions are in which it wrote."""

    name: str
    operation: str
    """``Apply`` for server-side apply, ``Update`` for every other way to write."""
    subresource: str = ""

    def __str__(self) -> str:
        """Return the name alone for who applies; others may bear the same name: ``kubectl (update of scale)``."""
        if self.operation == "Apply":
            return self.name
        return f"{self.name} (update of {self.subresource})" if self.subresource else f"{self.name} (update)"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field that somebody else owns with another value; the message is the server's."""

    path: Path
    owner: Owner
    message: str


@dataclass(frozen=True, slots=True)
class OwnerChange:
    """A field that is there after the apply and that others own than before; owners are sorted."""

    path: Path
    before: tuple[Owner, ...]
    """Who owned it; empty where it belonged to nobody or was not there."""
    after: tuple[Owner, ...]
    """Who owns it; empty where it became nobody's: then no apply removes it any more."""

    @property
    def lost(self) -> tuple[Owner, ...]:
        """Who does not own it any more."""
        return tuple(owner for owner in self.before if owner not in self.after)

    @property
    def gained(self) -> tuple[Owner, ...]:
        """Who owns it now and did not before."""
        return tuple(owner for owner in self.after if owner not in self.before)

    @property
    def is_orphaned(self) -> bool:
        """Whether it became nobody's."""
        return not self.after


class Level(StrEnum):
    """How far a prediction can be trusted."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Confidence:
    """How far to trust an outcome, with the reasons when it is not high."""

    level: Level = Level.HIGH
    reasons: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    """The expressions and policies among the reasons that may refuse the apply and that nobody evaluated."""


CERTAIN: Final = Confidence()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one apply does to one object.

    ``result`` is the object that is stored afterwards (``None`` when there is none), ``intended`` the one that would
    have been stored had the apply not been refused. ``status`` is the HTTP status of a refusal, ``None`` when kubectl
    itself fails before it sends anything.
    """

    ref: ObjectRef
    verdict: Verdict
    requests: tuple[Write, ...] = ()
    result: JsonObject | None = None
    intended: JsonObject | None = None
    changes: Sequence[Change] = ()
    causes: tuple[FieldError, ...] = ()
    status: int | None = None
    conflicts: tuple[Conflict, ...] = ()
    owner_changes: tuple[OwnerChange, ...] = ()
    """Fields that others own afterwards than before; what is removed and what a new object gets is left out."""
    error: str = ""
    """What the applier prints when it fails because of conflicts."""
    warnings: tuple[str, ...] = ()
    restarts: bool | None = None
    """Whether the pod template changes, so that pods restart; ``None`` for kinds without one."""
    unmapped: FieldError | None = None
    """What kubectl says of the object where it is given all of the set at once, and looks up all kinds first."""
    remedy: str = ""
    renamed_from: ObjectRef | None = None
    confidence: Confidence = CERTAIN

    @property
    def refused(self) -> bool:
        """Whether the apply fails for this object."""
        return self.verdict in (Verdict.REJECTED, Verdict.CONFLICT)

    @property
    def after(self) -> JsonObject | None:
        """The object as the apply makes it, whether or not it is refused; ``None`` where that cannot be said."""
        return self.intended if self.refused else self.result

    def to_json(self) -> dict[str, Json]:
        """Return the outcome as plain JSON; ``{"$unknown": why}`` stands for a value that only the server can know."""
        result = plain(self.result)
        return {
            "apiVersion": self.ref.api_version,
            "kind": self.ref.kind,
            "namespace": self.ref.namespace,
            "name": self.ref.name,
            "verdict": self.verdict.value,
            "status": self.status,
            "requests": [_write_json(write) for write in self.requests],
            "result": result,
            "intended": plain(self.intended),
            "changes": [_change_json(change) for change in self.changes],
            "owners": (result or {}).get("metadata", {}).get("managedFields", []),
            "causes": [{"field": c.field, "reason": c.reason, "message": c.message} for c in self.causes],
            "conflicts": [
                {"path": render(c.path), **_owner_json(c.owner), "message": c.message} for c in self.conflicts
            ],
            "ownerChanges": [_owner_change_json(change) for change in self.owner_changes],
            "error": self.error or None,
            "warnings": list(self.warnings),
            "restarts": self.restarts,
            "remedy": self.remedy or None,
            "renamedFrom": str(self.renamed_from) if self.renamed_from else None,
            "confidence": {"level": self.confidence.level.value, "reasons": list(self.confidence.reasons)},
        }


def plain(value: Json | Unknown) -> Json:
    """Return ``value`` with every ``Unknown`` written as ``{"$unknown": why}``."""
    if type(value) is dict:
        return {key: item if type(item) in _LEAVES else plain(item) for key, item in value.items()}
    if type(value) is list:
        return [item if type(item) in _LEAVES else plain(item) for item in value]
    return {"$unknown": value.reason} if isinstance(value, Unknown) else value


_LEAVES: Final = frozenset({str, int, float, bool, type(None)})


def _write_json(write: Write) -> dict[str, Json]:
    return {"method": write.method, "contentType": write.content_type, "body": plain(write.body)}


def _change_json(change: Change) -> dict[str, Json]:
    cause = change.cause
    return {
        "path": render(change.path),
        **({} if change.before is MISSING else {"before": plain(change.before)}),
        **({} if change.after is MISSING else {"after": plain(change.after)}),
        "cause": {"why": cause.why.value, "detail": cause.detail, "managers": list(cause.managers)},
    }


def _owner_change_json(change: OwnerChange) -> dict[str, Json]:
    sides = {"before": change.before, "after": change.after}
    return {"path": render(change.path), **{side: list(map(_owner_json, owners)) for side, owners in sides.items()}}


def _owner_json(owner: Owner) -> dict[str, Json]:
    return {"manager": owner.name, "operation": owner.operation, "subresource": owner.subresource}
