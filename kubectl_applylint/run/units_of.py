"""The units of one side of a comparison: its layout, what its objects declare, and what the configuration names."""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Final

from kubectl_applylint.run.sides import Side
from kubectl_applylint.sources.files import EXTENSIONS
from kubectl_applylint.units.configured import Configured, configured
from kubectl_applylint.units.finder import find
from kubectl_applylint.units.model import Unit

_DECLARING = ("kustomize.toolkit.fluxcd.io", "argoproj.io")
"""The groups of the kinds that name paths of a repository."""
_KIND: Final = re.compile(
    rb"""^(?:kind:[ \t]*["']?(?:Application|ApplicationSet|Kustomization)\b|items:|[ \t]*\{)""", re.MULTILINE
)
"""What a text with an object of such a kind has: the kind at its top level, a list, or JSON."""


def units_of(
    side: Side,
    entries: Iterable[Configured] = (),
    remotes: Collection[str] = (),
    path_of: Callable[[str], str | None] = lambda folder: folder,
) -> tuple[Unit, ...]:
    """Return the units of a side, sorted by their roots; see ``find`` and ``configured``."""
    telling = [path for path in side.mentioning(_DECLARING) if path.endswith(EXTENSIONS)]
    declaring = sorted(path for path, text in side.contents(telling).items() if _declares(text))
    documents = side.read(declaring).documents if declaring else ()
    folders = {path.rpartition("/")[0] for path in side.paths}
    named = configured(entries, folders | side.paths, path_of)
    return find(side.paths, side.content, documents, named, remotes=remotes)


def _declares(text: bytes) -> bool:
    return _KIND.search(text) is not None
