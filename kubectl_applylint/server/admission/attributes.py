"""The input of admission plugins, a write of one object, and their results.

Mirrors ``admission.Attributes`` of apiserver's pkg/admission.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import UNSEEN, ClusterView
from kubectl_applylint.core.values import JsonObject, mapping, text_at
from kubectl_applylint.schema.types import Kind

FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
INVALID: Final = 422


@dataclass(frozen=True, slots=True)
class AdmissionAttributes:
    """A write of one object: the object to store, the stored one, and the state of other objects.

    ``new`` has its defaults, ``old`` is ``None`` if the object is created; ``minor`` is that of the server (36).
    """

    new: JsonObject
    old: JsonObject | None
    kind: Kind
    minor: int
    cluster_view: ClusterView = UNSEEN

    @property
    def creating(self) -> bool:
        """Whether the object is created."""
        return self.old is None

    @property
    def group(self) -> str:
        """The API group of the object, empty for the core group."""
        return self.kind.api_version.rpartition("/")[0]

    @property
    def namespace(self) -> str:
        """The namespace of the object, empty for cluster-scoped kinds."""
        return text_at(self.new, "metadata", "namespace") if self.kind.namespaced else ""

    @property
    def name(self) -> str:
        """The name of the object."""
        return text_at(self.new, "metadata", "name")

    def is_a(self, group: str, *kinds: str) -> bool:
        """Return whether the object is of one of these kinds, whatever its version."""
        return self.group == group and self.kind.name in kinds

    def forbids(self, words: str) -> str:
        """Return the server's message for a rejection with a reason."""
        resource = f"{self.kind.resource}.{self.group}" if self.group else self.kind.resource
        return f'{resource} "{self.name}" is forbidden: {words}'


@dataclass(frozen=True, slots=True)
class AdmissionDenied:
    """A plugin rejects the write, with this HTTP status and these errors."""

    status: int
    causes: tuple[FieldError, ...]


def forbidden(
    attributes: AdmissionAttributes, words: str, *, field: str = "", reason: str = "Forbidden"
) -> AdmissionDenied:
    """Return the usual rejection of a plugin."""
    return AdmissionDenied(FORBIDDEN, (FieldError(field, reason, attributes.forbids(words)),))


@dataclass(frozen=True, slots=True)
class Mutation:
    """The result of mutating plugins: the object afterwards, and the rejection, if any.

    The object is complete even then: the server would store it if it did not reject the write.
    """

    object: JsonObject
    denied: AdmissionDenied | None = None


@dataclass(frozen=True, slots=True)
class AdmissionResult:
    """The result of validating plugins: the rejection, the server's warnings, and open questions."""

    denied: AdmissionDenied | None = None
    warnings: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    """Questions that only the server can answer, as messages."""


ALLOWED: Final = AdmissionResult()
"""The write is allowed, without warnings."""


def combine_results(results: Iterable[AdmissionResult]) -> AdmissionResult:
    """Return one result: that of the first rejection, after which the server calls no further plugin."""
    found: list[AdmissionResult] = []
    for result in results:
        found.append(result)
        if result.denied is not None:
            break
    return AdmissionResult(
        found[-1].denied if found else None,
        tuple(words for result in found for words in result.warnings),
        tuple(words for result in found for words in result.open),
    )


def with_spec(manifest: JsonObject, fields: JsonObject) -> JsonObject:
    """Return an object with these fields in its spec."""
    return {**manifest, "spec": {**mapping(manifest.get("spec")), **fields}} if fields else manifest
