"""Commands ready to type: ``kubectl`` and this program, with names, namespaces and files quoted for a shell."""

import shlex
from collections.abc import Iterable

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.apply_mode import ApplyMode

_NAMESPACE = fields("metadata", "namespace")


def has_file(subject: Subject) -> bool:
    """Tell whether a file holds the manifest of the subject, so that commands can name it."""
    return subject.document.has_manifest and subject.document.locate(()).is_text


def object_words(ref: ObjectRef) -> str:
    """Return the arguments that name an object: ``deployment.apps/web -n shop``."""
    return f"{shlex.quote(str(ref))}{namespace_words(ref.namespace)}"


def file_words(documents: Iterable[Document]) -> str:
    """Return the ``-f`` flags for the files of some documents, with ``-n`` if one of them has no namespace."""
    listed = [*documents]
    files = "".join(f" -f {shlex.quote(file)}" for file in dict.fromkeys(document.file for document in listed))
    bare = [d.ref.namespace for d in listed if d.ref.namespace and d.positions.key(_NAMESPACE) is None]
    return f"{files}{namespace_words(bare[0] if bare else '')}"


def namespace_words(namespace: str) -> str:
    """Return the flag for a namespace with a blank in front of it; empty where there is none."""
    return f" -n {shlex.quote(namespace)}" if namespace else ""


def apply_command(mode: ApplyMode, documents: Iterable[Document], *, more: str = "") -> str:
    """Return the ``kubectl apply`` of some documents, with ``more`` flags."""
    return f"kubectl apply{mode.flags}{more}{file_words(documents)}"


def diff_command(mode: ApplyMode, documents: Iterable[Document]) -> str:
    """Return the ``kubectl diff`` that prints nothing where the apply of some documents changes nothing."""
    return f"kubectl diff{mode.flags}{file_words(documents)}"


def here_document(command: str, body: str) -> str:
    """Return a command that reads ``body`` from standard input."""
    return f"{command} <<'EOF'\n{body}\nEOF"
