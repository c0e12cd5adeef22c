"""Values that only the server knows: uids, times, generated names, and values that it allocates for some kinds.

A value that one object has may be unavailable for another.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.kinds import behaviour_of, behaviours

UID: Final = Unknown("given by the server at creation")
BIRTH: Final = Unknown("the time of the creation")


def allocate(new: JsonObject, old: JsonObject | None, kind: Kind) -> JsonObject:
    """Return the object with ``Unknown`` where the server chooses the value."""
    return behaviour_of(kind).allocate(_with_generated_metadata(new) if old is None else new, old)


def clashes(new: JsonObject, others: Iterable[JsonObject]) -> Iterable[FieldError]:
    """Yield errors for values that an object requests and that ``others`` of its kind have."""
    record = behaviours().get((str(new.get("apiVersion")), str(new.get("kind"))))
    return iter(()) if record is None else record.clashes(new, others)


def _with_generated_metadata(manifest: JsonObject) -> JsonObject:
    metadata = mapping(manifest.get("metadata"))
    given: dict[str, Json] = {"uid": UID, "creationTimestamp": BIRTH}
    if not metadata.get("name") and metadata.get("generateName"):
        given["name"] = Unknown(f"{metadata['generateName']} and five characters that the server draws")
    return {**manifest, "metadata": {**metadata, **given}}
