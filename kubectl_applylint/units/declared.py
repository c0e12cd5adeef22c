"""Declarations of applies by objects and files of a repository: a path, and who applies it, where and how."""

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sources.store.chart_source import ChartSource
from kubectl_applylint.units.model import Applied


@dataclass(frozen=True, slots=True)
class Declared:
    """A path of the repository that a tool applies.

    ``path`` has ``/`` between folders, ``""`` is the root of the repository. ``is_recursive``: the tool applies a
    folder without a kustomization with all its subfolders. ``source`` is the URL of the repository that contains the
    path, empty if it is this one or not stated. ``revision`` is its revision, as ``branch main`` or ``tag v1.2.3``,
    empty for the default one. ``other_source`` names a source that is not a git repository, ``source_object`` is the
    object of the source, as ``KIND/NAMESPACE/NAME``. ``is_root_source``: it is the source that Flux was installed from.
    ``is_one_unit``: all objects below the path are one unit, to which the kustomizations in ``folders`` belong as well;
    ``is_built``: the tool changes the objects of plain manifests, too. ``root`` is the root of the unit if that is not
    the path: the name of its declaring object, which builds ``folders`` and reads ``read_files``.
    """

    path: str
    applied: Applied
    is_recursive: bool = False
    source: str = ""
    revision: str = ""
    other_source: str = ""
    source_object: str = ""
    is_root_source: bool = False
    is_one_unit: bool = False
    folders: tuple[str, ...] = ()
    revisions: tuple[str, ...] = ()
    """The revisions of its sources that are the repository, if it has several sources."""
    is_built: bool = False
    root: str = ""
    read_files: tuple[str, ...] = ()
    fetched_source: ChartSource | None = None
    """The git repository or the OCI artifact of the source, if it can be downloaded."""
    obstacle: str = ""
    """Why the source cannot be downloaded, empty if it can be."""
    elsewhere: str = ""
    """Why it refers to other files than those of the repository, empty if it does not."""
    assumed: str = ""
    """Why its source is taken to be the repository, if that is not known."""
