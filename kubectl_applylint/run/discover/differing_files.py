"""The files that differ between two revisions, and that the objects of a unit are rendered from."""

from collections.abc import Set as AbstractSet

from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.tools.argocd.application_sources import source_folders
from kubectl_applylint.units.model import Form, Unit


def differing_files(side: Side, unit: Unit, differ: AbstractSet[str]) -> frozenset[str]:
    """Return the paths among ``differ`` that the objects of a unit are rendered from.

    The file that declares the unit is not one of them, unless the unit applies that file as well: it may declare
    several units, and whether one of them changes is seen from its own object.
    """
    applied, files = unit.applied, unit.files & differ
    if not files or unit.form is not Form.RELEASE or applied.declared_by is None:
        return files
    folders = source_folders(applied.tool_object or {})
    return frozenset(path for path in files if path.startswith(folders) or side.label(path) != applied.reason.file)
