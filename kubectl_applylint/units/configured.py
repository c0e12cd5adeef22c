"""What the configuration says of applies: the entries under ``units``."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Applied
from kubectl_applylint.units.reading import matching

TOOLS: Final = ("kubectl", "helm", "helm3", "helm4", "flux", "argocd", "kapp", "fleet", "skaffold")
"""The tools that a unit may be applied by."""
_PLAIN: Final = Applied()
_SPECIAL: Final = regex(r"([*?\[\\])")


@dataclass(frozen=True, slots=True)
class Configured:
    """One entry: a pattern of paths, in the file system relative to ``folder``, and how what it matches is applied.

    ``is_recursive`` is whether a folder without a kustomization is one unit with its subfolders.
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

    ``paths`` are the folders, and the files if they may be units by themselves. ``path_of`` gives the path that a
    folder has in the repository, ``None`` for one outside: patterns of a configuration that lies elsewhere are relative
    to the root of the repository. A pattern that leads out of it matches nothing.
    """
    for entry in entries:
        folder = _SPECIAL.sub(r"\\\1", path_of(entry.folder) or "")
        pattern = resolve_reference(folder, entry.path)
        for path in sorted(matching(pattern, paths)) if pattern is not None else ():
            yield Declared(path, entry.applied, entry.is_recursive)
