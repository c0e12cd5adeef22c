"""NamespaceLifecycle: rejects new objects in a namespace that does not exist or is being deleted.

Mirrors ``plugin/namespace/lifecycle`` of apiserver.
"""

from typing import assert_never

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.state import Absent, Present, Unknown
from kubectl_applylint.core.values import dig
from kubectl_applylint.server.admission.attributes import (
    NOT_FOUND,
    AdmissionAttributes,
    AdmissionDenied,
    Mutation,
    forbidden,
)


def mutate(attributes: AdmissionAttributes) -> Mutation:
    """Return the object unchanged, or a rejection if its namespace accepts no new objects."""
    return Mutation(attributes.new, _denial(attributes))


def _denial(attributes: AdmissionAttributes) -> AdmissionDenied | None:
    """Return why the namespace accepts no new object, or ``None``."""
    name = attributes.namespace
    if not attributes.creating or not name:
        return None
    known = attributes.cluster_view.lookup("", "Namespace", name)
    match known:
        case Absent():
            return AdmissionDenied(NOT_FOUND, (FieldError("", "NotFound", f'namespaces "{name}" not found'),))
        case Present(namespace):
            if dig(namespace, "status", "phase") != "Terminating":
                return None
            words = f"unable to create new content in namespace {name} because it is being terminated"
            return forbidden(attributes, words, field="metadata.namespace", reason="NamespaceTerminating")
        case Unknown():
            return None
        case _:
            assert_never(known)
