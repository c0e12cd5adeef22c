"""The files that the objects of a unit are rendered from."""

from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.tools.argocd.application_sources import source_folders
from kubectl_applylint.units.model import Form, Unit


def rendered_files(side: Side, unit: Unit) -> frozenset[str]:
    """Return the files of a unit without the one that declares it, unless the unit applies that file as well.

    A file may declare several units. Whether one of them changes is seen from its own object.
    """
    applied = unit.applied
    if unit.form is not Form.RELEASE or applied.declared_by is None:
        return unit.files
    folders = source_folders(applied.tool_object or {})
    return frozenset(path for path in unit.files if path.startswith(folders) or side.label(path) != applied.reason.file)
