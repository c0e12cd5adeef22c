"""What an apply does to one object: verdict, requests, what is stored afterwards, and why each field changed."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Literal

from kubectl_applylint.core.paths import Path, render
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing


class PredictionError(Exception):
    """The outcome of an apply cannot be predicted; the text is the reason.

    ``is_fault`` is true for a defect of the program, with the traceback ``frames``, and false for a documented limit.
    """

    def __init__(self, reason: str, *, is_fault: bool = False, frames: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.is_fault = is_fault
        self.frames = frames

    @property
    def message(self) -> str:
        """The message for users."""
        return f"{'not predicted' if self.is_fault else 'cannot be predicted'}: {self}"


class Verdict(StrEnum):
    """The verdict on the whole object; the first four are kubectl's own words."""

    CREATED = "created"
    CONFIGURED = "configured"
    UNCHANGED = "unchanged"
    SERVERSIDE_APPLIED = "serverside-applied"
    REJECTED = "rejected"
    CONFLICT = "conflict"
    PRUNED = "pruned"
    KEPT = "kept"
    MAY_BE_REMOVED = "may be removed"
    """The object left the manifests, and parts of these that were not rendered may contain it."""
    UNKNOWN = "unknown"
    """The live object could not be read, so nothing can be predicted."""


class Why(StrEnum):
    """Why a field has its value after the apply."""

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
class Provenance:
    """The provenance of a change: ``detail`` names the manager, the merge key or the rule behind ``why``."""

    why: Why
    detail: str = ""
    managers: tuple[str, ...] = ()
    """The other managers of the field, sorted."""

    def __str__(self) -> str:
        return f"{self.why} {self.detail}".rstrip()


@dataclass(frozen=True, slots=True)
class Change:
    """One field that differs after the apply. ``MISSING`` means that the field is absent."""

    path: Path
    before: Json | Unknown | Missing
    after: Json | Unknown | Missing
    provenance: Provenance

    @property
    def is_reset(self) -> bool:
        """Whether the server replaces a value by its default, as for a line that leaves the manifest."""
        return self.provenance.why is Why.DEFAULTED and MISSING not in (self.before, self.after)


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
    """One manager of managedFields, in whatever version it wrote."""

    name: str
    operation: str
    """``Apply`` for server-side apply, ``Update`` for all other writes."""
    subresource: str = ""

    def __str__(self) -> str:
        """Return the name, with the operation if it is an update: ``kubectl (update of scale)``."""
        if self.operation == "Apply":
            return self.name
        return f"{self.name} (update of {self.subresource})" if self.subresource else f"{self.name} (update)"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field that another manager owns with another value; the message is the server's."""

    path: Path
    owner: Owner
    message: str


@dataclass(frozen=True, slots=True)
class OwnerChange:
    """A field whose owners differ after the apply; owners are sorted."""

    path: Path
    before: tuple[Owner, ...]
    """The owners before; empty if the field was absent or had no owner."""
    after: tuple[Owner, ...]
    """The owners afterwards; empty if it has no owner any more, so that no later apply removes it."""

    @property
    def lost(self) -> tuple[Owner, ...]:
        """The owners before that do not own it afterwards."""
        return tuple(owner for owner in self.before if owner not in self.after)

    @property
    def gained(self) -> tuple[Owner, ...]:
        """The owners afterwards that did not own it before."""
        return tuple(owner for owner in self.after if owner not in self.before)

    @property
    def is_orphaned(self) -> bool:
        """Whether the field has no owner afterwards."""
        return not self.after


class Level(StrEnum):
    """How much a prediction can be trusted."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Confidence:
    """How much to trust an outcome, with the reasons unless it is high."""

    level: Level = Level.HIGH
    reasons: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    """Those of the reasons that are expressions and policies which may reject the apply and were not evaluated."""

    def with_doubts(self, *reasons: str) -> "Confidence":
        """Return the confidence with more reasons, which is at most medium if there are any."""
        if not reasons:
            return self
        level = Level.MEDIUM if self.level is Level.HIGH else self.level
        return Confidence(level, (*self.reasons, *reasons), self.open)


CERTAIN: Final = Confidence()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one apply does to one object.

    ``result`` is the object that is stored afterwards (``None`` if there is none), ``intended`` the one that would have
    been stored if the apply had not been rejected. ``status`` is the HTTP status of a rejection, ``None`` if kubectl
    itself fails before it sends a request.
    """

    ref: ObjectRef
    verdict: Verdict
    requests: tuple[Write, ...] = ()
    result: JsonObject | None = None
    intended: JsonObject | None = None
    changes: Sequence[Change] = ()
    errors: tuple[FieldError, ...] = ()
    status: int | None = None
    conflicts: tuple[Conflict, ...] = ()
    owner_changes: tuple[OwnerChange, ...] = ()
    """Fields whose owners differ afterwards, without removed fields and the fields of new objects."""
    error: str = ""
    """The message that the applier prints when it fails because of conflicts."""
    warnings: tuple[str, ...] = ()
    restarts: bool | None = None
    """Whether the pod template changes, so that pods restart; ``None`` for kinds without one."""
    unmapped: FieldError | None = None
    """The error of kubectl for the object if the whole set is applied at once and all kinds are looked up first."""
    remedy: str = ""
    renamed_from: ObjectRef | None = None
    confidence: Confidence = CERTAIN
    validated: bool = True
    """Whether the object was compared with a definition of its kind; without one, the server may reject it."""
    bundled_definition: str = ""
    """The project and version of the bundled definition that was used because no other one is known, else empty."""
    possible_errors: tuple[FieldError, ...] = ()
    """The errors for which the server rejects the apply if it has the bundled definition; the verdict is the one if
    it has another."""

    @property
    def refused(self) -> bool:
        """Whether the apply fails for this object."""
        return self.verdict in (Verdict.REJECTED, Verdict.CONFLICT)

    @property
    def causes(self) -> tuple[FieldError, ...]:
        """The errors for which the apply is rejected, or may be rejected."""
        return self.errors or self.possible_errors

    @property
    def after(self) -> JsonObject | None:
        """The object as the apply makes it, whether or not it is rejected; ``None`` if that is unknown."""
        return self.intended if self.refused else self.result

    def to_json(self) -> dict[str, Json]:
        """Return the outcome as plain JSON; an unknown value is written as ``{"$unknown": why}``."""
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
            "causes": list(map(_cause_json, self.errors)),
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
            "validated": self.validated,
            "bundledDefinition": self.bundled_definition or None,
            "possibleCauses": list(map(_cause_json, self.possible_errors)),
        }


def plain(value: Json | Unknown) -> Json:
    """Return ``value`` with every ``Unknown`` written as ``{"$unknown": why}``."""
    if type(value) is dict:
        return {key: item if type(item) in _LEAVES else plain(item) for key, item in value.items()}
    if type(value) is list:
        return [item if type(item) in _LEAVES else plain(item) for item in value]
    return {"$unknown": value.reason} if isinstance(value, Unknown) else value


_LEAVES: Final = frozenset({str, int, float, bool, type(None)})


def _cause_json(cause: FieldError) -> dict[str, Json]:
    return {"field": cause.field, "reason": cause.reason, "message": cause.message}


def _write_json(write: Write) -> dict[str, Json]:
    return {"method": write.method, "contentType": write.content_type, "body": plain(write.body)}


def _change_json(change: Change) -> dict[str, Json]:
    cause = change.provenance
    return {
        "path": render(change.path),
        **({} if change.before is MISSING else {"before": plain(change.before)}),
        **({} if change.after is MISSING else {"after": plain(change.after)}),
        "cause": {"why": cause.why.value, "detail": cause.detail, "managers": list(cause.managers)},
        **({"toDefault": True} if change.is_reset else {}),
    }


def _owner_change_json(change: OwnerChange) -> dict[str, Json]:
    sides = {"before": change.before, "after": change.after}
    return {"path": render(change.path), **{side: list(map(_owner_json, owners)) for side, owners in sides.items()}}


def _owner_json(owner: Owner) -> dict[str, Json]:
    return {"manager": owner.name, "operation": owner.operation, "subresource": owner.subresource}
