"""Charts whose files are in memory, rendered by one ``helm template`` from a temporary folder.

Renderings are cached by the contents of the chart, the values and the options (``render_cache``), if no Secret and no
credential is in them.
"""

import gzip
import io
import os
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.sources.render import chart_schemas, render_cache
from kubectl_applylint.sources.render.helm import MISSING_TOOL, find_tool, readable_error, template_path
from kubectl_applylint.sources.render.random_values import are_random
from kubectl_applylint.sources.render.render_programs import copy_files, output, rendered_text
from kubectl_applylint.sources.system import inner_path
from kubectl_applylint.sources.text.manifests import Input, decode, first_document

_ARCHIVE: Final = "chart.tgz"
_VALUES: Final = "values.yaml"
_FOLDER: Final = "chart"
_IN_CRDS: Final = regex(r"(?:charts/[^/]+/)*crds/")
_ADVICE: Final = "check the values against those of the chart"


@dataclass(frozen=True, slots=True)
class PackedChart:
    """A chart with the values and options to render it with."""

    files: Mapping[str, bytes] = field(repr=False)
    """The files by their paths in the chart, as in its archive."""
    values: str = field(repr=False)
    """Values in YAML that override those of the chart."""
    release: str
    namespace: str
    kubernetes: str = ""
    """The Kubernetes version, ``1.36``; empty for Helm's default."""
    api_versions: tuple[str, ...] = ()
    """APIs that charts find in the cluster besides the built-in ones."""
    settings: tuple[str, ...] = field(default=(), repr=False)
    """Single values in the syntax of ``--set`` that override ``values``: numbers that are no floats. Other users of
    the machine may see them."""
    value_files: tuple[bytes, ...] = field(default=(), repr=False)
    """The contents of values files that ``values`` override; later ones override earlier ones."""
    text_settings: tuple[str, ...] = field(default=(), repr=False)
    """The same as ``settings`` for ``--set-string``: texts that override them."""
    has_definitions: bool = True
    """Whether the files in ``crds`` are among the objects."""
    is_upgrade: bool = False
    validates_values: bool = True
    """Whether the values are checked against the schema of the chart, unless that refers to others."""
    is_folder: bool = False
    """Whether the files are those of a folder, so that ``.helmignore`` applies."""

    @property
    def place(self) -> str:
        """The name of the file or folder that Helm reads.

        Only from a folder does Helm leave out files, by ``.helmignore`` and ``templates/.?*``. All other folders are
        read from an archive, which is faster to write.
        """
        return _FOLDER if self.is_folder and any(map(_may_ignore_files, self.files)) else _ARCHIVE


def _may_ignore_files(path: str) -> bool:
    """Return whether Helm may read a file of a chart in another way from a folder than from an archive."""
    return path == ".helmignore" or path.startswith("templates/.") or not inner_path.is_inner(path)


@dataclass(frozen=True, slots=True)
class RenderedChart:
    """The objects of a chart with its hooks and definitions.

    ``templates`` has for each object the path of its template in the chart, empty if unknown. ``lines`` are those of
    the output, to which the positions of the objects refer.
    """

    input: Input
    templates: tuple[str, ...] = ()
    lines: Sequence[str] = field(default=(), repr=False)


def is_definition(template: str) -> bool:
    """Return whether a file of a chart is in a ``crds`` directory, so that Helm does not render it."""
    return _IN_CRDS.match(template) is not None


def render_packed(chart: PackedChart, where: str) -> RenderedChart:
    """Return the objects of a chart, hooks included; ``where`` is their file. Never raises: failures become problems.

    Nothing is downloaded: dependencies that are not in the archive are a problem.
    """
    tool = find_tool()
    if not tool:
        return RenderedChart(Input(problems=(Problem(where, MISSING_TOOL, "install helm", reason=MISSING_TOOL),)))
    options = [*_options(chart)]
    files = {**_values_files(chart), **_below(_FOLDER, chart.files)}
    key = render_cache.key_of([tool, *options, chart.release, chart.place], files)
    made = render_cache.cached_objects(
        key,
        lambda: _output(tool, options, chart, where),
        lambda printed: rendered_text(printed, where, "helm"),
        lambda: _values(chart),
        render_cache.FailedRendering(where, _ADVICE),
    )
    if isinstance(made, Problem):
        return RenderedChart(Input(problems=(made,)))
    printed, found = made
    lines = decode(printed)[0].splitlines()
    objects = replace(found, texts={}, is_random=are_random(files.items()))
    return RenderedChart(objects, tuple(template_path(one, lines) for one in found.documents), lines)


def _values(chart: PackedChart) -> Iterator[JsonObject]:
    """Yield the values that override those of the chart, and each single value below the last part of its name."""
    yield from (mapping(first_document(text)) for text in _values_files(chart).values())
    named = (one.partition("=") for one in (*chart.settings, *chart.text_settings))
    yield from ({name.rpartition(".")[2]: text} for name, _, text in named)


def _values_files(chart: PackedChart) -> Mapping[str, bytes]:
    """Return the files with values by their names, in the order in which later ones override earlier ones."""
    others = {f"values-{number}.yaml": text for number, text in enumerate(chart.value_files)}
    return {**others, _VALUES: chart.values.encode()}


def _options(chart: PackedChart) -> Iterator[str]:
    """Yield the arguments of ``helm`` without the names of files."""
    yield from ("template", *["--include-crds"] * chart.has_definitions, f"--namespace={chart.namespace}")
    yield from (f"--kube-version={one}" for one in [chart.kubernetes] if one)
    yield from (f"--api-versions={one}" for one in chart.api_versions)
    yield from (f"--set={one}" for one in chart.settings)
    yield from (f"--set-string={one}" for one in chart.text_settings)
    if chart.is_upgrade:
        yield "--is-upgrade"
    if not chart.validates_values or chart_schemas.may_fetch_from(chart.files):
        yield "--skip-schema-validation"


def _output(tool: str, options: Sequence[str], chart: PackedChart, where: str) -> bytes | Problem:
    files = _below(_FOLDER, chart.files) if chart.place == _FOLDER else {_ARCHIVE: archive(chart.files)}
    values = _values_files(chart)
    with copy_files({**files, **values}) as copy:
        if copy.problems:
            return replace(copy.problems[0], where=where)
        given = [f"--values={os.path.join(copy.folder, name)}" for name in values]
        # After "--", names that begin with a dash are not parsed as flags.
        command = [tool, *options, *given, "--", chart.release, os.path.join(copy.folder, chart.place)]
        made = output(command, where, _ADVICE, explain=readable_error)
        if not isinstance(made, Problem):
            return made
        return replace(made, message=made.message.replace(copy.folder + os.sep, ""))


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return the archive of a chart, the same for the same files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as target:
        for path, content in sorted(_below(_FOLDER, files).items()):
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            target.addfile(entry, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), 1, mtime=0)


def _below(folder: str, files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    return {f"{folder}/{path}": content for path, content in files.items()}
