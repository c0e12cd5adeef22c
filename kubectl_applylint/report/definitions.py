"""The known definitions of custom kinds, as text for users and as JSON for programs."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.values import Json
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.words import count, table_lines
from kubectl_applylint.schema.catalogue import Project

VERSION: Final = "definitions-v1"
_HEAD: Final = ("KIND", "GROUP", "VERSIONS", "SOURCE", "DATE", "LICENCE")


@dataclass(frozen=True, slots=True)
class KnownDefinition:
    """The definition of a kind: in a file of the repository or of the configuration, or of a project."""

    group: str
    kind: str
    versions: tuple[str, ...]
    source: str
    """``repository``, ``configuration`` or ``catalogue``."""
    location: str = ""
    """The place of a definition in a file."""
    project: Project | None = None
    """The project of a bundled definition."""
    is_certain: bool = True
    """Whether a rejection by it is an error: the cluster is known to have it."""


def definitions_text(definitions: Sequence[KnownDefinition], context: Context) -> str:
    """Return a table with one line per kind, as kubectl prints lists."""
    rows = [_HEAD, *map(_row, definitions)]
    return "\n".join([*table_lines(rows), count(len(definitions), "kind")]) + "\n"


def _row(known: KnownDefinition) -> tuple[str, ...]:
    project = known.project
    source = known.location if project is None else str(project) + " (pinned)" * known.is_certain
    cells = (known.kind, known.group, ",".join(known.versions), source)
    more = ("", "") if project is None else (project.date, project.licence)
    return tuple(one_line(cell) or "-" for cell in (*cells, *more))


def definitions_json(definitions: Iterable[KnownDefinition], context: Context) -> str:
    """Return the definitions as JSON, as ``schemas/definitions-v1.json`` describes it."""
    tool: Json = {"name": "kubectl-applylint", "version": context.version}
    content: Json = {"version": VERSION, "tool": tool, "definitions": [_definition(one) for one in definitions]}
    return json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _definition(known: KnownDefinition) -> Json:
    project = known.project
    return {
        "group": known.group,
        "kind": known.kind,
        "versions": list(known.versions),
        "source": known.source,
        "location": known.location or None,
        "certain": known.is_certain,
        "project": project
        and {
            "name": project.name,
            "path": project.path,
            "version": project.version,
            "date": project.date,
            "licence": project.licence,
        },
    }
