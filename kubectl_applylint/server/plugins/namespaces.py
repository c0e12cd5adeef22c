"""Nothing is created in a namespace that is not there or that is being deleted.

Mirrors ``plugin/namespace/lifecycle`` of apiserver.
"""

from typing import assert_never

from kubectl_applylint.core.outcome import Refusal
from kubectl_applylint.core.state import Absent, Present, Unknown
from kubectl_applylint.core.values import dig
from kubectl_applylint.server.plugins.asked import NOT_FOUND, Asked, Denial, forbidden


def refuse(asked: Asked) -> Denial | None:
    """Return why an object cannot be created in its namespace, ``None`` where it can or where nobody knows."""
    name = asked.namespace
    if not asked.creating or not name:
        return None
    known = asked.surroundings.named("", "Namespace", name)
    match known:
        case Absent():
            return Denial(NOT_FOUND, (Refusal("", "NotFound", f'namespaces "{name}" not found'),))
        case Present(namespace):
            if dig(namespace, "status", "phase") != "Terminating":
                return None
            words = f"unable to create new content in namespace {name} because it is being terminated"
            return forbidden(asked, words, field="metadata.namespace", reason="NamespaceTerminating")
        case Unknown():
            return None
        case _:
            assert_never(known)
