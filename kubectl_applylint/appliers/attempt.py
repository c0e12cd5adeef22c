"""The requests of an applier and the server's answer, before the changes are explained field by field."""

from typing import Final, Protocol

from kubectl_applylint.appliers import object_meta
from kubectl_applylint.core.outcome import CERTAIN, Confidence, FieldError, Verdict, Write
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import MISSING, JsonObject, dig, mapping
from kubectl_applylint.schema.served import standing_in
from kubectl_applylint.schema.types import Gvk, Schema
from kubectl_applylint.server.write import Answer, Refused, Stored

UNMAPPED: Final = "NoKindMatch"
"""The reason of a rejection if kubectl finds no such kind (``NoKindMatchError`` of apimachinery)."""


class Ask(Protocol):
    """Sends a write to the server, with the live object that it meets (``None``: none).

    ``settled`` states that the live object is the server's answer to an earlier write of the same apply.
    """

    def __call__(self, write: Write, live: JsonObject | None, /, *, settled: bool = False) -> Answer:
        """Return the server's answer."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The requests of an apply in order, the verdict, and the stored object or the rejection.

    A rejection with status 0 is the applier's own: it failed before it sent anything.
    """

    verdict: Verdict
    requests: tuple[Write, ...] = ()
    stored: JsonObject | None = None
    refusal: Refused | None = None
    warnings: tuple[str, ...] = ()
    confidence: Confidence = CERTAIN
    """The confidence in the server's answer."""
    error: str = ""
    """The applier's error message about conflicts."""
    is_gone: bool = False
    """Whether no object exists after the rejection: there was none, or it was deleted to be recreated."""


def undecodable(manifest: JsonObject) -> Attempt | None:
    """Return kubectl's failure if the metadata of a manifest does not decode, else ``None``."""
    fault = object_meta.fault(manifest)
    if fault is None:
        return None
    cause = FieldError("", "", f"unable to decode the manifest: {fault.message}")
    return Attempt(Verdict.REJECTED, refusal=Refused(0, (cause,)))


def mapping_failure(schema: Schema, gvk: Gvk) -> Attempt | None:
    """Return kubectl's failure if the server of a schema does not serve the kind, else ``None``.

    Mirrors ``RESTMapping`` of apimachinery, whose message it has, and ``mappingFor`` of cli-runtime.
    """
    if not standing_in(schema, gvk).is_refused:
        return None
    message = f'no matches for kind "{gvk[1]}" in version "{gvk[0]}": ensure CRDs are installed first'
    return Attempt(Verdict.REJECTED, refusal=Refused(0, (FieldError("", UNMAPPED, message),)))


def send(write: Write, live: JsonObject | None, ask: Ask, verdict: Verdict, warnings: tuple[str, ...] = ()) -> Attempt:
    """Send one write and return the attempt; its verdict is ``verdict`` if the server accepts the write."""
    match ask(write, live):
        case Stored(stored, confidence, server_warnings):
            return Attempt(verdict, (write,), stored, warnings=(*warnings, *server_warnings), confidence=confidence)
        case Refused() as refusal:
            refused = Verdict.CONFLICT if refusal.status == 409 else Verdict.REJECTED
            return Attempt(refused, (write,), refusal=refusal, warnings=warnings)


def without_resource_version(body: JsonObject) -> JsonObject:
    """Return the body of a create, without the resource version, as kubectl's helper sends it."""
    metadata = {key: value for key, value in mapping(body.get("metadata")).items() if key != "resourceVersion"}
    return {**body, "metadata": metadata}


def with_live_version(body: JsonObject, live: JsonObject) -> JsonObject:
    """Return the body with the live resource version, unless it has one."""
    version = dig(live, "metadata", "resourceVersion")
    if dig(body, "metadata", "resourceVersion") not in (MISSING, "") or not isinstance(version, str):
        return body
    return {**body, "metadata": {**body["metadata"], "resourceVersion": version}}


def is_being_deleted(live: JsonObject | None) -> bool:
    """Return whether an object exists only until its finalizers are removed."""
    return mapping(mapping(live).get("metadata")).get("deletionTimestamp") is not None


def deletion_warnings(ref: ObjectRef, live: JsonObject | None) -> tuple[str, ...]:
    """Return kubectl's warnings about a change of an object that is being deleted."""
    if not is_being_deleted(live):
        return ()
    return (f"Detected changes to resource {ref.name} which is currently being deleted.",)
