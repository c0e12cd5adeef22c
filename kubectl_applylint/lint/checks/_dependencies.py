"""The objects that Kustomizations and HelmReleases of Flux wait for, from ``spec.dependsOn``."""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Index, Path, fields
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import dig, objects_at, text_at

_DEPENDS_ON: Final = fields("spec", "dependsOn")


@dataclass(frozen=True, slots=True)
class ReadinessDependency:
    """An entry of ``dependsOn``: its path, and the object that it names."""

    path: Path
    ref: ObjectRef
    has_expression: bool = False
    """Whether ``readyExpr`` decides when the object is ready."""


def dependencies(document: Document) -> Iterator[ReadinessDependency]:
    """Yield the dependencies of an object; none if it is suspended."""
    ref, is_suspended = document.ref, dig(document.object, "spec", "suspend") is True
    for number, entry in enumerate([] if is_suspended else objects_at(document.object, "spec", "dependsOn")):
        namespace = text_at(entry, "namespace") or ref.namespace
        named = ObjectRef(ref.api_version, ref.kind, namespace, text_at(entry, "name"))
        yield ReadinessDependency((*_DEPENDS_ON, Index(number)), named, bool(text_at(entry, "readyExpr")))
