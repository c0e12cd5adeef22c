"""The entries under ``units`` in the configuration."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Applied
from kubectl_applylint.units.reading import matching

TOOLS: Final = ("kubectl", "helm", "helm3", "helm4", "flux", "argocd", "kapp", "fleet", "skaffold")
"""The tools that can apply a unit."""
_PLAIN: Final = Applied()
_SPECIAL: Final = regex(r"([*?\[\\])")


@dataclass(frozen=True, slots=True)
class Configured:
    """One entry: a pattern of paths, relative to ``folder`` in the file system, and how the matches are applied.

    ``is_recursive``: a folder without a kustomization is one unit with its subfolders.
    """

    path: str
    folder: str = ""
    applied: Applied = _PLAIN
    is_recursive: bool = False

    def __str__(self) -> str:
        return self.path


def configured_declarations(
    entries: Iterable[Configured], paths: Collection[str], path_of: Callable[[str], str | None] = lambda folder: folder
) -> Iterator[Declared]:
    """Yield a declaration for each path of the repository that an entry matches, entry by entry, sorted.

    ``paths`` are the folders, and the files if they may be units themselves. ``path_of`` returns the repository path of
    a folder, ``None`` for one outside: patterns of a configuration outside are relative to the root of the repository.
    Patterns that lead out of it match nothing.
    """
    for entry in entries:
        folder = _SPECIAL.sub(r"\\\1", path_of(entry.folder) or "")
        pattern = resolve_reference(folder, entry.path)
        for path in sorted(matching(pattern, paths)) if pattern is not None else ():
            yield Declared(path, entry.applied, entry.is_recursive)
