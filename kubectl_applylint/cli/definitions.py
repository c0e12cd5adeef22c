"""The command ``definitions``: lists the custom kinds with a known definition. It needs no cluster."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.show import refuse_forms
from kubectl_applylint.cli.state import definition_documents, request_of
from kubectl_applylint.cli.terminal.output import width, write
from kubectl_applylint.config.configuration import Config, Format
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.engine.cluster_model import defined_kind, served_versions
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.definitions import KnownDefinition, definitions_json, definitions_text
from kubectl_applylint.run.sides.definitions import definitions_in
from kubectl_applylint.run.sides.places import place_of
from kubectl_applylint.schema import catalogue
from kubectl_applylint.schema.configured_definitions import is_pinned
from kubectl_applylint.sources.git.git import GitError

_RENDERERS: Final[Mapping[Format, Callable[[Sequence[KnownDefinition], Context], str]]] = {
    Format.TEXT: definitions_text,
    Format.JSON: definitions_json,
}


def definitions(program: str, arguments: Arguments, config: Config) -> int:
    """List the kinds that the files, the configuration and the catalogue define; raise for missing paths."""
    refuse_forms("definitions", config, _RENDERERS)
    missing = next((name for name in arguments.files if not os.path.lexists(name)), None)
    if missing is not None:
        raise UnreadableError(Problem(missing, f'the path "{missing}" does not exist', "check the spelling"))
    try:
        in_files = definitions_in(place_of(arguments.files or (os.curdir,), config.units).side)
    except GitError as fault:
        raise UnreadableError(fault.problem) from fault
    pins = request_of(arguments, config).flags.definitions.pins
    sources = (
        _in_documents(in_files, "repository"),
        _in_documents(definition_documents(config), "configuration"),
        _in_catalogue(pins),
    )
    known: dict[tuple[str, str], KnownDefinition] = {}
    for one in (one for source in sources for one in source):
        known.setdefault((one.group, one.kind), one)
    listed = [known[key] for key in sorted(known)]
    for output in config.output:
        target = Target.JSON if output.format is Format.JSON else Target.TEXT
        context = Context(command="definitions", width=width(output.file))
        write(_RENDERERS[output.format](listed, context), output.file, target)
    return 0


def _in_documents(documents: Sequence[Document], source: str) -> Iterator[KnownDefinition]:
    """Yield the definitions in documents."""
    for document in documents:
        names = defined_kind(document.object)
        if names is not None:
            versions = tuple(sorted(served_versions(document.object)))
            yield KnownDefinition(*names, versions, source, str(document.locate(())))


def _in_catalogue(pins: Mapping[str, str]) -> Iterator[KnownDefinition]:
    """Yield the bundled definitions."""
    for entry in catalogue.entries():
        certain = is_pinned(entry, pins)
        names = (entry.group, entry.kind, entry.versions)
        yield KnownDefinition(*names, "catalogue", project=entry.project, is_certain=certain)
