"""The units of one side of a comparison: its layout, what its objects declare, and what the configuration names."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.regex import regex
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.units.configured import Configured, configured_declarations
from kubectl_applylint.units.finder import FoundUnits, find
from kubectl_applylint.units.remotes import Checkout

DECLARING = (
    "argoproj.io",
    "helm.toolkit.fluxcd.io",
    "kustomize.toolkit.fluxcd.io",
    "source.extensions.fluxcd.io",
    "source.toolkit.fluxcd.io",
)
"""The groups of the kinds that name paths of a repository, or say where those are."""
_KIND: Final = regex(
    rb"""^(?:kind:[ \t]*["']?(?:Application|ApplicationSet|ArtifactGenerator|GitRepository|HelmRelease"""
    rb"""|Kustomization)\b|items:|[ \t]*\{)""",
    re.MULTILINE,
)
"""What a text with an object of such a kind has: the kind at its top level, a list, or JSON."""


Declarations: TypeAlias = Mapping[str, tuple[Document, ...]]
"""The objects of files that mention such a kind, by their paths; none where a file only mentions it."""
_NOTHING: Final[Declarations] = {}
_UNKNOWN: Final = Checkout()


def units_of(
    side: Side,
    entries: Iterable[Configured] = (),
    checkout: Checkout = _UNKNOWN,
    path_of: Callable[[str], str | None] = lambda folder: folder,
    declared: Declarations | None = None,
) -> FoundUnits:
    """Return the units of a side; see ``find`` and ``configured``.

    ``declared`` is what ``declarations`` gives, where somebody has asked for it already.
    """
    known = declarations(side) if declared is None else declared
    documents = tuple(chain.from_iterable(known[path] for path in sorted(known)))
    folders = {path.rpartition("/")[0] for path in side.paths}
    named = configured_declarations(entries, folders | side.paths, path_of)
    return find(side.paths, side.content, documents, named, checkout=checkout)


def declarations(side: Side, known: Declarations = _NOTHING) -> Declarations:
    """Return what the files of a side may declare; ``known`` has that of files that are the same on another side."""
    telling = [path for path in side.mentioning(DECLARING) if path.endswith(EXTENSIONS)]
    texts = side.contents([path for path in telling if path not in known])
    labels = {side.label(path): path for path, text in texts.items() if _declares(text)}
    read: dict[str, list[Document]] = {path: [] for path in texts}
    for document in side.read(sorted(labels.values())).documents if labels else ():
        read[labels[document.file]].append(document)
    same = {path: _relabel(known[path], side.label(path)) for path in telling if path in known}
    return {**same, **{path: tuple(documents) for path, documents in read.items()}}


def _relabel(documents: Iterable[Document], file: str) -> tuple[Document, ...]:
    return tuple(replace(document, file=file) for document in documents)


def _declares(text: bytes) -> bool:
    return _KIND.search(text) is not None
