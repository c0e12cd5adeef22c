"""What the commands of a fix read manifests from: a file, a kustomization, or what renders the object."""

from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.lint.model import Subject

_SOME_FILE: Final = "its-manifest.yaml"
"""What commands call the file of an object that was found in the cluster."""
_FILE: Final = "-f {file}"
_KAPP: Final = "kapp deploy -a APP -f {file}"
_MEMORY: Final = "kubectl apply set-last-applied"
_PIPED: Final = regex(r"(?:helm template |kubectl kustomize |…)[^|;&<>`$\n]*\| (?=kubectl )")
"""What renders manifests for the command behind it, and changes nothing."""


def source_words(subject: Subject, namespace: str, *, is_placed: bool) -> Mapping[str, str]:
    """Return the words of a fix about manifests, as arguments of a shell.

    ``from`` is what kubectl apply is given for the object, ``all`` for the whole unit, or else for the whole run;
    ``root`` is the directory of the kustomization that makes the object, ``file`` the file of the object. ``renders``
    is a pipe from what renders it, where ``from`` is ``-f -``; ``namespace`` is a flag with a blank before it, which is
    left out where the file ``is_placed``.
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
    # The file of what is not applied may be of an earlier revision, which a prune must not be given.
    is_own = not subject.unapplied and flags.given.removesuffix(namespace) in ("", f"-f {file}")
    whole = unit or (own if is_own else flags.given or f"-f {_SOME_FILE}{namespace}")
    source = whole if subject.unapplied else own
    return {"from": source, "all": whole, "root": ".", "file": file, "renders": ""}


def with_sources(template: str, subject: Subject, words: Mapping[str, str]) -> str:
    """Return the text of a fix with commands that read what is rendered, where the object is in no file."""
    if not (words["renders"] or subject.flags.unit_command or subject.document.is_templated):
        return template
    return "".join(_lines(template, subject, words))


def _lines(template: str, subject: Subject, words: Mapping[str, str]) -> Iterator[str]:
    kapp = subject.flags.unit_command if "kapp deploy " in subject.flags.unit_command else ""
    for line in template.splitlines(keepends=True):
        if line.startswith("#"):
            yield _of_template(line) if subject.document.is_templated else line
        elif kapp and line.startswith(_KAPP):
            yield line.replace(_KAPP, kapp.replace("{", "{{").replace("}", "}}"))
        elif words["renders"] and line.startswith(("kubectl ", "{apply}")):
            yield _with_renderer(line.replace(_FILE, "{from}"), words)
        else:
            yield line


def _of_template(comment: str) -> str:
    """Return a comment that says of the file that it is a template, in the language of the comment."""
    return comment.replace("{file}", "the template {file}" if comment.isascii() else "テンプレート {file}")


def _with_renderer(line: str, words: Mapping[str, str]) -> str:
    """Return a command with what renders its manifests before it, unless it takes a kustomization itself."""
    if "{from}" not in line and "{all}" not in line:
        return line
    if not words["from"].startswith("-k "):
        return f"{{renders}}{line}"
    namespace = words["from"].removeprefix(f"-k {words['root']}")
    return f"{{renders}}{line.replace('{from}', f'-f -{namespace}')}" if line.startswith(_MEMORY) else line


def without_pipe(command: str) -> str:
    """Return a command without what renders the manifests that it reads."""
    return _PIPED.sub("", command, count=1)


def argument(text: str) -> str:
    """Return a text as one word of a shell: a name that no server would take must not become a command either."""
    return quote(one_line(text)) if text else ""
