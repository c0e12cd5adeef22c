"""Objects in the files of a side, found by kind and name."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.run.sides.installations import installation_finder
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.tools.argocd.clusters import SECRET_TYPE
from kubectl_applylint.tools.argocd.special_files import JSONNET
from kubectl_applylint.units.model import Unit

_JSONNET: Final = (JSONNET, ".libsonnet")
"""The extensions of files in Jsonnet, and of its libraries."""


class NamedObjects:
    """Finds objects as they are written. An object, because it remembers what it has read."""

    def __init__(self, side: Side, units: Sequence[Unit] = ()) -> None:
        self.side = side
        self.installation_of = installation_finder(side, units)
        """Returns what configures the Argo CD of an Application."""
        self._matching: dict[tuple[tuple[str, ...], bytes], frozenset[str]] = {}
        self._known: dict[tuple[str, str, str], list[tuple[str, Document]]] = {}

    @cached_property
    def clusters(self) -> Sequence[Document]:
        """The Secrets of clusters of Argo CD."""
        paths = [path for path in sorted(self.side.mentioning([SECRET_TYPE])) if path.endswith(EXTENSIONS)]
        return self.side.read(paths).documents if paths else ()

    def nearest(
        self, kind: tuple[str, str], namespace: str, name: str, *, file: str, files: Collection[str] = ()
    ) -> Document | None:
        """Return the object of a kind (its group and name), the one in ``files`` or else the nearest to a file.

        ``file`` is a displayed name, ``files`` are paths. An object without a namespace counts as well, since a
        kustomization may set it.
        """
        every = [
            (path, one)
            for path, one in self._documents(*kind, name)
            if one.ref.namespace in ("", namespace) or not namespace
        ]
        own = [each for each in every if each[0] in files] or every
        return max(own, key=lambda each: nearness(file, each[1].file))[1] if own else None

    def matching(self, words: tuple[str, ...], pattern: re.Pattern[bytes]) -> frozenset[str]:
        """Return the files that contain any of some words and a match of a pattern."""
        key = (words, pattern.pattern)
        if key not in self._matching:
            texts = self.side.contents(self.side.mentioning(words))
            self._matching[key] = frozenset(path for path, text in texts.items() if pattern.search(text))
        return self._matching[key]

    def jsonnet_files(self, pattern: re.Pattern[bytes]) -> frozenset[str]:
        """Return the files in Jsonnet that have a match of a pattern, all of them if a library has one."""
        key = (_JSONNET, pattern.pattern)
        if key not in self._matching:
            texts = self.side.contents([path for path in self.side.paths if path.endswith(_JSONNET)])
            found = {path for path, text in texts.items() if pattern.search(text)}
            made = (path for path in texts if path.endswith(JSONNET))
            is_library = any(not path.endswith(JSONNET) for path in found)
            self._matching[key] = frozenset(made if is_library else found)
        return self._matching[key]

    def _documents(self, group: str, kind: str, name: str) -> Sequence[tuple[str, Document]]:
        key = (group, kind, name)
        if key not in self._known:
            found = _read_documents(self.side, kind, name)
            self._known[key] = [each for each in found if each[1].ref.group == group]
        return self._known[key]


def _read_documents(side: Side, kind: str, name: str) -> Iterator[tuple[str, Document]]:
    texts = side.contents([path for path in side.mentioning([name]) if path.endswith(EXTENSIONS)])
    is_of_kind = re.compile(rb"""kind["']?[ \t]*:[ \t]*["']?%s\b""" % re.escape(kind).encode())
    paths = {side.label(path): path for path, text in sorted(texts.items()) if is_of_kind.search(text)}
    for document in side.read([*paths.values()]).documents if paths else ():
        if (document.ref.kind, document.ref.name) == (kind, name):
            yield paths[document.file], document


def nearness(file: str, other: str) -> int:
    """Return the number of leading folders that two files have in common; both are paths, or both displayed names."""
    pairs = zip(file.split("/")[:-1], other.split("/")[:-1], strict=False)
    return next((number for number, (one, two) in enumerate(pairs) if one != two), file.count("/"))
