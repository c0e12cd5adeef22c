"""The files of a repository that files in Jsonnet of an Application import."""

import posixpath
from collections.abc import Callable, Collection, Iterator

from kubectl_applylint.core.values import mapping
from kubectl_applylint.sources.render.jsonnet import imported_paths
from kubectl_applylint.tools.argocd.application_sources import ApplicationSource
from kubectl_applylint.tools.argocd.jsonnet_options import jsonnet_options
from kubectl_applylint.tools.argocd.special_files import JSONNET, SpecialFiles, special_names
from kubectl_applylint.units.kustomizations import resolve_reference


def imported_files(
    source: ApplicationSource, special: SpecialFiles, files: Collection[str], read: Callable[[str], bytes]
) -> frozenset[str]:
    """Return the files that the files in Jsonnet of a source import, also those outside of its path.

    ``special`` are the special files among ``files``, the files of the repository; ``read`` returns their contents.
    """
    folder = resolve_reference("", source.path)
    starts = [*_jsonnet_files(source, special)]
    if folder is None or not starts:
        return frozenset()
    given = jsonnet_options(mapping(source.options.get("directory")), {})
    libraries = (resolve_reference("", one.lstrip("/")) for one in given.libraries)
    return imported_paths(starts, [folder, *(one for one in libraries if one is not None)], files, read)


def _jsonnet_files(source: ApplicationSource, special: SpecialFiles) -> Iterator[str]:
    """Yield the files in Jsonnet in the path of a source."""
    for folder, names in special_names(source, special):
        yield from (posixpath.join(folder, name) for name in sorted(names) if name.endswith(JSONNET))
