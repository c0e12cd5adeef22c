"""The sources from which commands of a fix read manifests: a file, a kustomization, or a renderer."""

from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.lint.model import Subject

_SOME_FILE: Final = "its-manifest.yaml"
"""The file name in commands for an object that only exists in the cluster."""
_FILE: Final = "-f {file}"
_KAPP: Final = "kapp deploy -a APP -f {file}"
_SET_LAST_APPLIED: Final = "kubectl apply set-last-applied"
_RENDERER_PIPE: Final = regex(r"(?:helm template |kubectl kustomize |…)[^|;&<>`$\n]*\| (?=kubectl )")
"""A renderer in front of a command, which changes nothing."""


def source_words(subject: Subject, namespace: str, *, is_placed: bool) -> Mapping[str, str]:
    """Return the placeholders of a fix about manifests, as arguments of a shell.

    ``from`` is the argument of kubectl apply for the object, ``all`` for the whole unit, or else the whole run;
    ``root``
    is the directory of the kustomization that renders the object, ``file`` its file. ``renders`` is a pipe from the
    renderer, with ``from`` being ``-f -``; ``namespace`` is a flag with a leading space, which is left out if the file
    ``is_placed``.
    """
    document, flags = subject.document, subject.flags
    file = argument(document.file) if document.locate(()).is_text else _SOME_FILE
    unit = flags.unit_arguments
    rendering = None if flags.is_unit else document.rendering
    if rendering or unit.startswith("-k "):
        given = rendering.argument if rendering else unit
        run_namespace = f" -n {argument(flags.namespace)}" if flags.namespace else ""
        is_folder = given.startswith("-k ")
        source = f"{given if is_folder else '-f -'}{run_namespace}"
        folder = given.removeprefix("-k ") if is_folder else "."
        renders = rendering.command if rendering else f"kubectl kustomize {folder}"
        return {"from": source, "all": source, "root": folder, "file": file, "renders": f"{renders} | "}
    own = f"-f {file}{'' if is_placed else namespace}"
    # The file of an unapplied object may be of an earlier revision, which must not be passed to a prune.
    is_own = not subject.unapplied and flags.given.removesuffix(namespace) in ("", f"-f {file}")
    whole = unit or (own if is_own else flags.given or f"-f {_SOME_FILE}{namespace}")
    source = whole if subject.unapplied else own
    return {"from": source, "all": whole, "root": ".", "file": file, "renders": ""}


def with_sources(template: str, subject: Subject, words: Mapping[str, str]) -> str:
    """Return the text of a fix with commands that read rendered manifests, if the object is not in a file."""
    if not (words["renders"] or subject.flags.unit_command or subject.document.is_templated):
        return template
    return "".join(_lines(template, subject, words))


def _lines(template: str, subject: Subject, words: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a fix with their sources."""
    kapp = subject.flags.unit_command if "kapp deploy " in subject.flags.unit_command else ""
    for line in template.splitlines(keepends=True):
        if line.startswith("#"):
            yield _of_template(line, subject.document) if subject.document.is_templated else line
        elif kapp and line.startswith(_KAPP):
            yield line.replace(_KAPP, kapp.replace("{", "{{").replace("}", "}}"))
        elif words["renders"] and line.startswith(("kubectl ", "{apply}")):
            yield _with_renderer(line.replace(_FILE, "{from}"), words)
        else:
            yield line


def _of_template(comment: str, document: Document) -> str:
    """Return a comment that names what to edit, in its language: the template, or what ``document.file`` declares."""
    if document.is_of_chart:
        chart, japanese = "the chart or the values of {file}", "{file} のチャートまたは values"
    else:
        chart, japanese = "the template {file}", "テンプレート {file}"
    return comment.replace("{file}", chart if comment.isascii() else japanese)


def _with_renderer(line: str, words: Mapping[str, str]) -> str:
    """Return a command with its renderer in front, unless it reads a kustomization itself."""
    if "{from}" not in line and "{all}" not in line:
        return line
    if not words["from"].startswith("-k "):
        return f"{{renders}}{line}"
    namespace = words["from"].removeprefix(f"-k {words['root']}")
    return f"{{renders}}{line.replace('{from}', f'-f -{namespace}')}" if line.startswith(_SET_LAST_APPLIED) else line


def without_pipe(command: str) -> str:
    """Return a command without the renderer in front."""
    return _RENDERER_PIPE.sub("", command, count=1)


def argument(text: str) -> str:
    """Return a text as one word of a shell, so that an invalid name does not become a command."""
    return quote(one_line(text)) if text else ""
