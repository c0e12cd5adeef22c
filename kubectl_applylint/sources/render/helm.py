"""Helm charts, rendered by ``helm template``.

Helm runs without the settings and plugins of the user and without a way to the network, whatever the caller allows:
rendering needs neither. Helm notes the template above each object: so findings point at it, and at the line wherever
the template has the very text that was rendered.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from shlex import quote
from typing import Final

from kubectl_applylint.core.documents import Document, Rendering
from kubectl_applylint.core.location import Positions, Span
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.render import chart_schemas
from kubectl_applylint.sources.render.checkout import path_below, top_of
from kubectl_applylint.sources.render.render_programs import numbered, output, rendered_text
from kubectl_applylint.sources.system import contents, inner_path
from kubectl_applylint.sources.system.inner_path import Unsafe, is_below
from kubectl_applylint.sources.text.manifests import Input, decode

_SOURCE: Final = regex(r"# Source: [^/\n]+/(?P<path>.+)")
_TOP: Final = Span(1, 1, 1, 1)
_HINT: Final = "Use --debug flag to render out invalid YAML"
_NAMESPACE: Final = b"Release.Namespace"
_ARCHIVE: Final = ".tgz"
MISSING_TOOL: Final = "rendering a chart requires helm, which was not found on the PATH"
"""Why no chart is rendered on a machine without helm."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The folder of a chart, or its archive, and the files with values that it is rendered with."""

    folder: str
    values: tuple[str, ...] = ()
    release: str = ""
    """The name that it is installed under; empty for that of the folder."""
    namespace: str = ""
    """The namespace that it is installed in; empty for the one that helm takes by itself."""
    has_hooks: bool = True
    """Whether objects that helm creates before or after it applies the others are rendered, too, and tests."""
    kubernetes: str = ""
    """The version that it is rendered for, ``1.36``; empty for the one that helm takes by itself."""


def parse(name: str) -> Chart:
    """Return what ``helm:CHART`` or ``helm:CHART:VALUES:…`` means."""
    folder, *values = name.removeprefix(contents.CHART).split(":")
    return Chart(folder or os.curdir, tuple(values))


def render(chart: Chart) -> Input:
    """Return the objects that a chart makes; never raises, what fails is a problem."""
    found = rendered(chart)
    return Input(problems=found) if isinstance(found, tuple) else found


def rendered(chart: Chart) -> Input | tuple[Problem, ...]:
    """Return the objects that a chart makes, or why it cannot be rendered.

    Helm would look for a folder that is not there in repositories elsewhere, and nothing is downloaded.
    """
    missing = [path for path in (chart.folder, *chart.values) if not os.path.exists(path)]
    if missing:
        return tuple(map(contents.missing, missing))
    stray = _link_that_leads_out(chart.folder)
    if stray:
        message = "the chart is not rendered: a symlink points outside the repository"
        return (Problem(stray, message, "replace the symlink with a copy of its target"),)
    tool = tool_at_hand()
    if not tool:
        advice = f"install helm, or render elsewhere and pipe the output: helm template {chart.folder} | … -f -"
        return (Problem(chart.folder, MISSING_TOOL, advice),)
    command = _command(chart)
    advice = f"try it: {' '.join(['helm', *command])}"
    found = output([tool, *command], chart.folder, advice, said=_said, is_closed=True)
    if isinstance(found, Problem):
        return (found,)
    printed = rendered_text(found, chart.folder, "helm")
    if isinstance(printed, Problem):
        return (printed,)
    return _placed(printed, decode(found)[0].splitlines(), chart)


def rendering(chart: Chart) -> Rendering:
    """Return what people type to render a chart, and to install it: what ``rendered`` makes of it, in any namespace."""
    release, values = _release(chart), "".join(f" -f {quote(_quoted(file))}" for file in chart.values)
    folder = quote(os.path.join(os.curdir, chart.folder) if chart.folder.startswith("-") else chart.folder)
    options = [
        "--include-crds",
        *["--skip-schema-validation"] * chart_schemas.may_fetch(chart.folder),
        # Helm takes the namespace of the current context otherwise.
        *["--namespace default"] * _may_name_its_namespace(chart.folder),
    ]
    argument = quote(":".join([f"{contents.CHART}{chart.folder}", *chart.values]))
    return Rendering(
        f"helm template {quote(release)} {folder}{values} {' '.join(options)}",
        f"-f {argument}",
        release,
        f"{folder}{values}",
    )


def _may_name_its_namespace(chart: str) -> bool:
    """Tell whether a template may use the namespace of the release; what is in archives is not looked at: it may."""
    places = [os.path.join(folder, name) for folder, _, names in os.walk(chart) for name in names]
    return not places or any(place.endswith(_ARCHIVE) or _NAMESPACE in _bytes(place) for place in places)


def tool_at_hand() -> str:
    """Return the program that renders charts, empty where there is none."""
    return shutil.which("helm") or ""


def _said(complaint: str) -> str:
    return complaint.removesuffix(_HINT).rstrip()


def _command(chart: Chart) -> list[str]:
    options = {
        "--no-hooks": not chart.has_hooks,
        f"--namespace={chart.namespace}": bool(chart.namespace),
        f"--kube-version={chart.kubernetes}": bool(chart.kubernetes),
        "--skip-schema-validation": chart_schemas.may_fetch(chart.folder),
    }
    given = (option for option, is_given in options.items() if is_given)
    values = (f"--values={_quoted(file)}" for file in chart.values)
    # Names that begin with a dash are no flags behind the two dashes.
    return ["template", "--include-crds", *given, *values, "--", _release(chart), chart.folder]


def _release(chart: Chart) -> str:
    return chart.release or os.path.basename(os.path.realpath(chart.folder))


def _quoted(file: str) -> str:
    """Return a path as one value of a flag that takes several between commas, and ``-`` for standard input."""
    path = os.path.join(os.curdir, file) if file.startswith("-") else file
    return '"' + path.replace('"', '""') + '"' if {",", '"'} & set(path) else path


def _link_that_leads_out(chart: str) -> str:
    """Return a link in the folder of a chart that leads out of its repository: helm would read what is there."""
    top = top_of(chart)
    for folder, folders, files in os.walk(chart):
        for name in sorted((*folders, *files)):
            place = os.path.join(folder, name)
            if os.path.islink(place) and path_below(top, place) is None:
                return place
    return ""


def _placed(found: Input, lines: Sequence[str], chart: Chart) -> Input:
    """Return the rendered objects with the places of their templates, and with the texts of these."""
    texts = cache(_text)
    documents = numbered(_document(document, lines, chart, texts) for document in found.documents)
    files = dict.fromkeys(document.file for document in documents)
    return replace(found, documents=documents, texts={file: text for file in files if (text := texts(file))})


def _text(file: str) -> str:
    return decode(_bytes(file))[0]


def _bytes(file: str) -> bytes:
    content = contents.of_file(file, contents.MAX_BYTES)
    return b"" if isinstance(content, Problem) else content


def _document(document: Document, lines: Sequence[str], chart: Chart, texts: Callable[[str], str]) -> Document:
    """Return a rendered object with the places of the template that it comes from, as far as that is a file."""
    start = document.positions.value(())
    above = lines[: start.line] if start else []
    notes = (note for line in reversed(above) if (note := _SOURCE.fullmatch(line.rstrip())))
    template = next((_template(chart, note["path"]) for note in notes), "")
    text = texts(template) if template else ""
    if not text:
        return replace(document, file=_about(chart), positions=Templated(document.positions, lines, ()))
    positions = Templated(document.positions, lines, tuple(text.splitlines()))
    return replace(document, file=template, positions=positions, is_templated=True)


def _template(chart: Chart, path: str) -> str:
    """Return the file that helm's note names, empty if it is none of the chart: a template may contain such notes."""
    inner = inner_path.parse(path)
    file = os.path.normpath(os.path.join(chart.folder, path))
    return "" if isinstance(inner, Unsafe) or not is_below(chart.folder, file) else file


def _about(chart: Chart) -> str:
    file = os.path.join(chart.folder, "Chart.yaml")
    return file if os.path.isfile(file) else chart.folder


@dataclass(frozen=True, slots=True)
class Templated:
    """Positions of a rendered object in its template, as far as one of its lines has the text that was rendered."""

    rendered: Positions = field(repr=False)
    lines: Sequence[str] = field(repr=False)
    """Of all that was rendered."""
    template: Sequence[str] = field(repr=False)

    def key(self, path: Path) -> Span | None:
        """Return where the template has the line with the key."""
        return self._moved(self.rendered.key(path))

    def value(self, path: Path) -> Span | None:
        """Return where the template has the line in which the value begins; its top for the object itself."""
        return self._moved(self.rendered.value(path)) or (None if path else _TOP)

    def _moved(self, span: Span | None) -> Span | None:
        if span is None:
            return None
        line = self.lines[span.line - 1]
        number = _only(line.rstrip(), map(str.rstrip, self.template))
        if number is None:
            number = _only(line.strip(), map(str.strip, self.template))
        if number is None:
            return None
        end = span.end_column if span.end_line == span.line else len(line.rstrip()) + 1
        shift = _indentation(self.template[number]) - _indentation(line)
        return Span(number + 1, span.column + shift, number + 1, end + shift)


def _only(line: str, lines: Iterable[str]) -> int | None:
    """Return the position of the only line that is like this one."""
    alike = [number for number, other in enumerate(lines) if other == line]
    return alike[0] if len(alike) == 1 else None


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())
