"""The version and the feature gates of Flux, from the files that install it."""

import re
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.run.sides.named_objects import nearness
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.tools.flux.instances import distribution_version
from kubectl_applylint.tools.flux.strict_substitution import (
    CONTROLLER,
    FEATURE,
    gates_in,
    is_strict_controller,
    is_strict_distribution,
)

_DISTRIBUTION: Final = "distribution"
_INSTANCE: Final = regex(rb"^kind:[ \t]*[\"']?(?:FluxInstance|HelmRelease)\b", re.MULTILINE)


class InstalledFlux:
    """Finds the installation of Flux of each cluster. An object, because it remembers what it has read."""

    def __init__(self, side: Side) -> None:
        self._side = side

    def is_strict(self, file: str, files: Collection[str]) -> bool:
        """Return whether the Flux that applies a Kustomization in a file is strict about variables.

        ``file`` is a displayed name, ``files`` are the paths of those that its cluster applies. If they install no
        Flux, the nearest installation counts, and if there is none, or its version is not known, the default of the
        current Flux.
        """
        own = _own(self._gates, files) or ({} if _own(self._versions, files) else self._gates)
        default = self._nearest(_own(self._versions, files) or self._versions, file, default=True)
        return self._nearest(own, file, default=default)

    @cached_property
    def _gates(self) -> Mapping[str, bool]:
        """The last value of the feature gate in each file that sets it."""
        found = {path: [*gates_in([text])] for path, text in self._texts(FEATURE).items()}
        return {path: values[-1] for path, values in found.items() if values}

    @cached_property
    def _versions(self) -> Mapping[str, bool]:
        """The files that name a version of Flux, and whether it is strict."""
        found = {path: is_strict_controller(text) for path, text in self._texts(CONTROLLER).items()}
        paths = [path for path, text in self._texts(_DISTRIBUTION).items() if _INSTANCE.search(text)]
        labels = {self._side.label(path): path for path in paths}
        for one in self._side.read(paths).documents if paths else ():
            version = distribution_version(one)
            if version:
                found[labels[one.file]] = is_strict_distribution(version)
        return {path: value for path, value in found.items() if value is not None}

    def _nearest(self, found: Mapping[str, bool], file: str, *, default: bool) -> bool:
        """Return the value of the file with the most leading folders in common with another one."""
        return found[max(sorted(found), key=lambda path: nearness(file, self._side.label(path)))] if found else default

    def _texts(self, word: str) -> Mapping[str, bytes]:
        return self._side.contents([path for path in self._side.mentioning([word]) if path.endswith(EXTENSIONS)])


def _own(found: Mapping[str, bool], files: Collection[str]) -> Mapping[str, bool]:
    return {path: value for path, value in found.items() if path in files}
