"""What objects and files of a repository say about its applies: a path of it, who applies that, where and how."""

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.units.model import Applied


@dataclass(frozen=True, slots=True)
class Declared:
    """A path of the repository that a tool applies.

    ``path`` has ``/`` between folders, ``""`` is the root of the repository. ``is_recursive`` is whether the tool
    takes a folder without a kustomization with all its subfolders. ``source`` is the URL of the repository that the
    path is in, empty where nothing tells another one than this.
    """

    path: str
    applied: Applied
    is_recursive: bool = False
    source: str = ""
