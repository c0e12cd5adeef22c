"""Helm charts, rendered by ``helm template``.

Helm runs without the user's settings and plugins and without network access:
rendering needs neither. Helm writes the template's name above each object. Findings point to that template, and to the
line if the template contains the rendered text literally.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from shlex import quote
from typing import Final

from kubectl_applylint.core.documents import Document, Rendering
from kubectl_applylint.core.location import Positions, Span
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.sources.render import chart_schemas, render_cache
from kubectl_applylint.sources.render.checkout import path_below, repository_top
from kubectl_applylint.sources.render.render_programs import Copy, output, rendered_text, renumber
from kubectl_applylint.sources.system import contents, inner_path
from kubectl_applylint.sources.system.inner_path import UnsafePath, is_below
from kubectl_applylint.sources.text.manifests import Input, decode, first_document

_SOURCE: Final = regex(r"# Source: [^/\n]+/(?P<path>.+)")
_TOP: Final = Span(1, 1, 1, 1)
_UNSUPPORTED: Final = "unsupported chart version"
_UNSUPPORTED_VERSION: Final = " (apiVersion in Chart.yaml is not v1 or v2, which Helm 4 rejects and Helm 3 accepts)"
_HINT: Final = "Use --debug flag to render out invalid YAML"
_ERROR: Final = "Error: "
_LOGGED: Final = "level="
_NAMESPACE: Final = b"Release.Namespace"
_ARCHIVE: Final = ".tgz"
_VALUES: Final = "values.yaml"
MISSING_TOOL: Final = "rendering a chart requires helm, which was not found on the PATH"
"""Message for charts on a machine without Helm."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The folder or archive of a chart, and the values files to render it with."""

    folder: str
    values: tuple[str, ...] = ()
    release: str = ""
    """The release name; empty for the name of the folder."""
    namespace: str = ""
    """The release namespace; empty for Helm's default."""
    has_hooks: bool = True
    """Whether hooks and tests are rendered as well."""
    kubernetes: str = ""
    """The Kubernetes version to render for, ``1.36``; empty for Helm's default."""
    api_versions: tuple[str, ...] = ()
    """APIs that the chart finds in the cluster besides the built-in ones."""


def parse(name: str) -> Chart:
    """Parse ``helm:CHART`` or ``helm:CHART:VALUES:…``."""
    folder, *values = name.removeprefix(contents.CHART).split(":")
    return Chart(folder or os.curdir, tuple(values))


def render(chart: Chart, copy: Copy | None = None) -> Input:
    """Return the objects of a chart. Never raises: failures become problems.

    The rendering is cached if ``copy`` contains the chart and its values, and nothing else. It is written only if there
    is no cached one; raises ``CopyError`` if that fails.
    """
    found = try_render(chart, copy)
    return Input(problems=found) if isinstance(found, tuple) else found


def try_render(chart: Chart, copy: Copy | None = None) -> Input | tuple[Problem, ...]:
    """Return the objects of a chart, or the problems that prevent rendering it; see ``render``.

    Missing folders are rejected first: Helm would search for them in remote repositories, and nothing is downloaded.
    """
    files = _ChartReader(copy)
    missing = [path for path in (chart.folder, *chart.values) if not files.exists(path)]
    if missing:
        return tuple(map(contents.missing_problem, missing))
    stray = "" if copy else _outside_link(chart.folder)
    if stray:
        message = "the chart is not rendered: a symlink points outside the repository"
        return (Problem(stray, message, "replace the symlink with a copy of its target"),)
    tool = find_tool()
    if not tool:
        advice = f"install helm, or render elsewhere and pipe the output: helm template {chart.folder} | … -f -"
        return (Problem(chart.folder, MISSING_TOOL, advice),)
    command = _command(chart, may_fetch=files.may_fetch(chart.folder))
    advice = f"try it: {' '.join(['helm', *command])}"

    def build() -> bytes | Problem:
        if copy:
            copy.write_all()
        return output([tool, *command], chart.folder, advice, explain=readable_error)

    made = render_cache.cached_objects(
        _cache_key(tool, command, copy) if copy else "",
        build,
        lambda printed: rendered_text(printed, chart.folder, "helm"),
        lambda: _values(chart, files),
        render_cache.FailedRendering(chart.folder, advice, copy.folder) if copy else None,
    )
    if isinstance(made, Problem):
        return (made,)
    printed, found = made
    return _with_template_positions(found, decode(printed)[0].splitlines(), chart, files)


@dataclass(frozen=True, slots=True)
class _ChartReader:
    """Reads the files of a chart: those on disk, or those of a copy, written or not."""

    copy: Copy | None

    def exists(self, path: str) -> bool:
        """Return whether there is a file or folder."""
        return os.path.exists(path) if self.copy is None else bool(self.copy.below(path))

    def read(self, path: str) -> bytes:
        """Return the content of a file, empty if it cannot be read."""
        return _bytes(path) if self.copy is None else self.copy.below(path).get("", b"")

    def may_fetch(self, chart: str) -> bool:
        """Return whether a schema of a chart may make Helm load an external resource."""
        if self.copy is None:
            return chart_schemas.may_fetch(chart)
        return chart_schemas.may_fetch_from(self.copy.below(chart))

    def contains(self, chart: str, path: str) -> bool:
        """Return whether a path is below the folder of a chart; a copy has no symlinks that lead out of it."""
        return self.copy is not None or is_below(chart, path)


def _values(chart: Chart, files: _ChartReader) -> Iterator[JsonObject]:
    """Yield the values of a chart, and those that override them."""
    for path in (os.path.join(chart.folder, _VALUES), *chart.values):
        yield mapping(first_document(files.read(path)))


def _cache_key(tool: str, command: Iterable[str], copy: Copy) -> str:
    """Return the cache key of a rendering, which does not depend on the folder of the copy."""
    return render_cache.key_of([tool, *(word.replace(copy.folder, "") for word in command)], copy.texts)


def rendering(chart: Chart) -> Rendering:
    """Return the commands that render and install a chart, with the result of ``try_render``."""
    release, values = _release(chart), "".join(f" -f {quote(_flag_value(file))}" for file in chart.values)
    folder = quote(os.path.join(os.curdir, chart.folder) if chart.folder.startswith("-") else chart.folder)
    options = [
        "--include-crds",
        *["--skip-schema-validation"] * chart_schemas.may_fetch(chart.folder),
        # Without it, Helm uses the namespace of the current context.
        *["--namespace default"] * _may_use_namespace(chart.folder),
    ]
    argument = quote(":".join([f"{contents.CHART}{chart.folder}", *chart.values]))
    return Rendering(
        f"helm template {quote(release)} {folder}{values} {' '.join(options)}",
        f"-f {argument}",
        release,
        f"{folder}{values}",
    )


def _may_use_namespace(chart: str) -> bool:
    """Return whether a template may use the release namespace. Archives are not examined and count as such."""
    places = [os.path.join(folder, name) for folder, _, names in os.walk(chart) for name in names]
    return not places or any(place.endswith(_ARCHIVE) or _NAMESPACE in _bytes(place) for place in places)


def find_tool() -> str:
    """Return the path of ``helm``, empty if it is not installed."""
    return shutil.which("helm") or ""


def readable_error(complaint: str) -> str:
    """Return an error message of Helm without its log and its advice to use another flag, with the file it is about."""
    start = complaint.find(_ERROR) if complaint.startswith(_LOGGED) else 0
    error = complaint[max(start, 0) :].removesuffix(_HINT).rstrip()
    return f"{error}{_UNSUPPORTED_VERSION}" if error.endswith(_UNSUPPORTED) else error


def _command(chart: Chart, *, may_fetch: bool) -> list[str]:
    options = {
        "--no-hooks": not chart.has_hooks,
        f"--namespace={chart.namespace}": bool(chart.namespace),
        f"--kube-version={chart.kubernetes}": bool(chart.kubernetes),
        "--skip-schema-validation": may_fetch,
    }
    apis = (f"--api-versions={one}" for one in chart.api_versions)
    given = (*(option for option, is_given in options.items() if is_given), *apis)
    values = (f"--values={_flag_value(file)}" for file in chart.values)
    # After "--", names that begin with a dash are not parsed as flags.
    return ["template", "--include-crds", *given, *values, "--", _release(chart), chart.folder]


def _release(chart: Chart) -> str:
    return chart.release or os.path.basename(os.path.realpath(chart.folder))


def _flag_value(file: str) -> str:
    """Return a path as one element of a comma-separated flag value, protected from being read as standard input."""
    path = os.path.join(os.curdir, file) if file.startswith("-") else file
    return '"' + path.replace('"', '""') + '"' if {",", '"'} & set(path) else path


def _outside_link(chart: str) -> str:
    """Return a symlink in the chart that leads out of its repository, which Helm would follow, or ""."""
    top = repository_top(chart)
    for folder, folders, files in os.walk(chart):
        for name in sorted((*folders, *files)):
            place = os.path.join(folder, name)
            if os.path.islink(place) and path_below(top, place) is None:
                return place
    return ""


def _with_template_positions(found: Input, lines: Sequence[str], chart: Chart, files: _ChartReader) -> Input:
    """Return the rendered objects with positions in their templates, and the texts of these templates."""
    texts = cache(lambda file: decode(files.read(file))[0])
    documents = renumber(_document(document, lines, chart, files, texts) for document in found.documents)
    named = dict.fromkeys(document.file for document in documents)
    return replace(found, documents=documents, texts={file: text for file in named if (text := texts(file))})


def _bytes(file: str) -> bytes:
    content = contents.read_file(file, contents.MAX_BYTES)
    return b"" if isinstance(content, Problem) else content


def _document(
    document: Document, lines: Sequence[str], chart: Chart, files: _ChartReader, texts: Callable[[str], str]
) -> Document:
    """Return a rendered object with positions in its template, if that file exists."""
    template = _template(chart, template_path(document, lines), files)
    text = texts(template) if template else ""
    if not text:
        return replace(
            document, file=_chart_file(chart, files), positions=TemplatePositions(document.positions, lines, ())
        )
    positions = TemplatePositions(document.positions, lines, tuple(text.splitlines()))
    return replace(document, file=template, positions=positions, is_templated=True)


def template_path(document: Document, lines: Sequence[str]) -> str:
    """Return the path in the chart that the nearest comment above a rendered object names, empty without one."""
    start = document.positions.value(())
    above = lines[: start.line] if start else []
    notes = (note for line in reversed(above) if (note := _SOURCE.fullmatch(line.rstrip())))
    return next((note["path"] for note in notes), "")


def _template(chart: Chart, path: str, files: _ChartReader) -> str:
    """Return the file that a ``# Source`` comment names, empty for a forged one outside of the chart."""
    inner = inner_path.parse(path)
    file = os.path.normpath(os.path.join(chart.folder, path))
    return "" if isinstance(inner, UnsafePath) or not files.contains(chart.folder, file) else file


def _chart_file(chart: Chart, files: _ChartReader) -> str:
    file = os.path.join(chart.folder, "Chart.yaml")
    return file if files.exists(file) else chart.folder


@dataclass(frozen=True, slots=True)
class TemplatePositions:
    """Positions of a rendered object in its template, for lines that the template contains literally."""

    rendered: Positions = field(repr=False)
    lines: Sequence[str] = field(repr=False)
    """All lines of the rendered output."""
    template: Sequence[str] = field(repr=False)

    def key(self, path: Path) -> Span | None:
        """Return the position of the key's line in the template."""
        return self._template_span(self.rendered.key(path))

    def value(self, path: Path) -> Span | None:
        """Return the position of the value's first line in the template; the top for the object itself."""
        return self._template_span(self.rendered.value(path)) or (None if path else _TOP)

    def _template_span(self, span: Span | None) -> Span | None:
        if span is None:
            return None
        line = self.lines[span.line - 1]
        number = _unique_index(line.rstrip(), map(str.rstrip, self.template))
        if number is None:
            number = _unique_index(line.strip(), map(str.strip, self.template))
        if number is None:
            return None
        end = span.end_column if span.end_line == span.line else len(line.rstrip()) + 1
        shift = _indentation(self.template[number]) - _indentation(line)
        return Span(number + 1, span.column + shift, number + 1, end + shift)


def _unique_index(line: str, lines: Iterable[str]) -> int | None:
    """Return the index of the only line that equals this one, or ``None``."""
    alike = [number for number, other in enumerate(lines) if other == line]
    return alike[0] if len(alike) == 1 else None


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())
