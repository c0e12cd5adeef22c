"""The files that a kustomization is rendered from, in its repository on disk or in a copy."""

import os
from collections.abc import Callable, Mapping
from functools import partial

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sources.render.checkout import files_below, path_below, repository_top
from kubectl_applylint.sources.render.kustomization import Folders
from kubectl_applylint.sources.render.render_programs import Copy


@dataclass(frozen=True, slots=True)
class KustomizeFiles:
    """Files by their paths relative to ``top``, with ``/`` between folders."""

    top: str
    """The real path of the folder that they are in."""
    folders: Folders
    display_name: Callable[[str], str]
    """Returns the displayed name of a path."""
    originals: Mapping[str, bytes]
    """The contents that positions refer to, of files that differ from them."""

    def original(self, path: str) -> bytes:
        """Return the content of a file that positions in it refer to, empty if it cannot be read."""
        return self.originals.get(path) or self.folders.read(path)


def files_of_repository(folder: str) -> KustomizeFiles:
    """Return the files of the repository that a folder is in."""
    top = repository_top(folder)
    return KustomizeFiles(top, files_below(top), partial(_display_below, top), {})


def files_of_copy(copy: Copy, originals: Mapping[str, bytes]) -> KustomizeFiles:
    """Return the files of a copy, which may not be written yet, with the ``originals`` of those that differ."""
    texts = copy.texts
    folders = Folders(texts.__contains__, lambda path: texts.get(path, b""))
    return KustomizeFiles(copy.folder, folders, partial(os.path.join, copy.folder), originals)


def _display_below(top: str, path: str) -> str:
    """Return the displayed name of a file, relative to the working directory if it is below that."""
    file, here = os.path.join(top, path), os.path.realpath(os.curdir)
    return os.path.relpath(file, here) if path_below(here, file) is not None else file
