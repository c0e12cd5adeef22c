"""Commands ready to type: ``kubectl`` and this program, with names, namespaces and files quoted for a shell."""

import shlex
from collections.abc import Sequence
from typing import Final

from kubectl_applylint.core import gotext
from kubectl_applylint.core.documents import Document, Rendering
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.apply_mode import ApplyMode

_NAMESPACE = fields("metadata", "namespace")


def has_file(subject: Subject) -> bool:
    """Return whether the subject's manifest is in a file that commands can name."""
    return subject.document.has_manifest and subject.document.locate(()).is_text


def object_words(ref: ObjectRef) -> str:
    """Return the arguments that name an object: ``deployment.apps/web -n shop``."""
    return f"{shlex.quote(str(ref))}{namespace_words(ref.namespace)}"


def own_command(command: str, subject: Subject) -> str:
    """Return a command of this program with the arguments for a subject: ``-f web.yaml``, ``-k app``."""
    rendering = subject.document.rendering
    if rendering is None:
        return f"{command}{_file_words([subject])}"
    piped = f"{rendering.command} | " if rendering.argument == "-f -" else ""
    return f"{piped}{command} {rendering.argument}{_run_namespace(subject)}"


def namespace_words(namespace: str) -> str:
    """Return the flag for a namespace with a leading space; empty without a namespace."""
    return f" -n {shlex.quote(namespace)}" if namespace else ""


def apply_command(mode: ApplyMode, subjects: Sequence[Subject], *, more: str = "") -> str:
    """Return the ``kubectl apply`` of subjects of one file or rendering, with ``more`` flags."""
    return manifest_command(f"kubectl apply{mode.flags}{more}", subjects)


def diff_command(mode: ApplyMode, subjects: Sequence[Subject]) -> str:
    """Return the ``kubectl diff`` that prints nothing if the apply of the subjects changes nothing."""
    return manifest_command(f"kubectl diff{mode.flags}", [of_whole(subject) for subject in subjects])


def manifest_command(command: str, subjects: Sequence[Subject], *, takes_kustomization: bool = True) -> str:
    """Return a command with the manifests of subjects, which are of one file or rendering.

    A rendered object is in no file: kubectl renders it, the command reads a renderer's output, or the object itself.
    ``takes_kustomization`` is whether the command has a flag ``-k``.
    """
    rendering, namespace = subjects[0].document.rendering, _run_namespace(subjects[0])
    if rendering is None:
        return f"{command}{_file_words(subjects)}"
    if rendering.is_single:
        manifest = subjects[0].manifest
        return here_document(f"{command} -f -", gotext.encode(manifest))
    if takes_kustomization and rendering.argument.startswith("-k "):
        return f"{command} {rendering.argument}{namespace}"
    return f"{rendering.command} | {command}{namespace} -f -"


def is_rendered_with(document: Document, other: Document) -> bool:
    """Return whether one kustomization, chart or pipe renders both documents."""
    own, others = document.rendering, other.rendering
    return own is not None and others is not None and own.command == others.command


def by_source(subjects: Sequence[Subject]) -> list[list[Subject]]:
    """Return the subjects grouped by file or renderer, in order of first occurrence."""
    found: dict[str, list[Subject]] = {}
    for subject in subjects:
        rendering = subject.document.rendering
        found.setdefault(rendering.command if rendering else subject.document.file, []).append(subject)
    return [*found.values()]


def as_single(subject: Subject) -> Subject:
    """Return a subject whose commands apply only this object of a rendering."""
    rendering = subject.document.rendering
    return _with_rendering(subject, replace(rendering, is_single=True)) if rendering else subject


def of_whole(subject: Subject) -> Subject:
    """Return a subject whose commands apply the whole rendering."""
    rendering = subject.document.rendering
    return _with_rendering(subject, replace(rendering, is_single=False)) if rendering else subject


def _with_rendering(subject: Subject, rendering: Rendering) -> Subject:
    return replace(subject, document=replace(subject.document, rendering=rendering))


def _file_words(subjects: Sequence[Subject]) -> str:
    """Return the ``-f`` flags for the files of subjects, with ``-n`` if one of them has no namespace."""
    listed = [subject.document for subject in subjects]
    files = "".join(f" -f {shlex.quote(file)}" for file in dict.fromkeys(document.file for document in listed))
    bare = [d.ref.namespace for d in listed if d.ref.namespace and d.positions.key(_NAMESPACE) is None]
    return f"{files}{namespace_words(bare[0] if bare else '')}"


def _run_namespace(subject: Subject) -> str:
    """Return the flag for the namespace of the run: rendered objects may be of several."""
    return namespace_words(subject.flags.namespace)


HERE_DOCUMENT: Final = "<<'EOF'\n"
"""The text between a command and its standard input."""


def here_document(command: str, body: str) -> str:
    """Return a command that reads ``body`` from standard input."""
    return f"{command} {HERE_DOCUMENT}{body}\nEOF"
