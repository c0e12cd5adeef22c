"""Manifests of a revision in git, found and ordered as ``kubectl apply -f`` does in a checkout."""

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.blob_cache import BlobCache
from kubectl_applylint.sources.git.git import LINK, SUBMODULE, RevisionTree
from kubectl_applylint.sources.render import chart_files
from kubectl_applylint.sources.render.kustomization import Folders, files_of
from kubectl_applylint.sources.system import contents
from kubectl_applylint.sources.text.classify import SkipReason, is_kustomization, patch_paths
from kubectl_applylint.sources.text.manifests import Input, Skipped, first_document, join, read_text
from kubectl_applylint.sources.text.word_search import paths_with_words

_MOST_LINKS: Final = 8
_LEVELS_UP: Final = 3


def find(names: Collection[str], tree: RevisionTree, *, recursive: bool) -> list[str]:
    """Return the paths of a tree that ``names``, files and folders, expand to, in kubectl's order.

    In folders only files with an extension of manifests count. Names that the tree does not have are ignored.
    """
    return [path for name in names for path in _expand(name, tree, recursive=recursive)]


def _expand(name: str, tree: RevisionTree, *, recursive: bool) -> list[str]:
    if name in tree.entries:
        return [name] if tree.entries[name].mode != SUBMODULE else []
    start = f"{name}/" if name else ""
    inside = [path for path in tree.entries if path.startswith(start)]
    wanted = (path for path in inside if recursive or "/" not in path[len(start) :])
    return sorted(
        filter(is_manifest, wanted),
        key=lambda path: [part.encode("utf-8", "surrogateescape") for part in path.split("/")],
    )


def is_manifest(path: str) -> bool:
    """Return whether a file of a folder counts as a manifest, by its name."""
    return path.endswith(EXTENSIONS)


def target(path: str, tree: RevisionTree, text_of: Callable[[str], bytes | None]) -> str | None:
    """Return the path of a file after following symlinks in the tree; ``None`` for broken links.

    ``text_of`` returns the content of an object id.
    """
    for _ in range(_MOST_LINKS):
        entry = tree.entries.get(path)
        if entry is None or entry.mode != LINK:
            return path if entry and entry.mode != SUBMODULE else None
        leads = text_of(entry.id)
        if leads is None:
            return None
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), leads.decode("utf-8", "surrogateescape")))
    return None


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads files of one revision; ``label`` returns the displayed name of a path."""

    blobs: BlobCache
    tree: RevisionTree
    label: Callable[[str], str]

    def mentioning(self, words: Collection[str]) -> frozenset[str]:
        """Return the manifests that contain one of these words as a whole word."""
        entries = self.tree.entries.items()
        ids = {path: entry.id for path, entry in entries if is_manifest(path) and entry.mode not in (LINK, SUBMODULE)}
        texts = self.blobs.texts_to_search({*ids.values()})
        if texts is None:
            return git.files_mentioning(self.blobs.repo, self.tree.revision, words)
        return paths_with_words(((path, texts[name]) for path, name in ids.items()), words)

    def read(self, paths: Sequence[str]) -> Input:
        """Return the manifests at ``paths``; unreadable files are problems."""
        kustomizations = [path for path in self.tree.entries if is_kustomization(path)]
        near = set(chain.from_iterable(_folders_up(path) for path in paths))
        to_read = [*paths, *(path for path in kustomizations if posixpath.dirname(path) in near)]
        texts = self._texts(to_read)
        patches = {
            found: set(_patches(found, texts.get(self._id(found), b""))) for found in to_read if found in kustomizations
        }
        are_patches = frozenset().union(*patches.values())
        return join(self._read(path, texts, is_patch=path in are_patches) for path in paths)

    def folders(self) -> Folders:
        """Return the files of the revision; kustomizations and charts are read at once, other files one by one."""
        entries = self.tree.entries
        paths = [path for path in entries if is_kustomization(path) or posixpath.basename(path) in chart_files.NAMES]
        texts = self._texts(paths)
        ends = {path: target(path, self.tree, texts.get) or path for path in paths}

        def content(path: str) -> bytes:
            return texts.get(self._id(ends[path]), b"") if path in ends else self.texts([path]).get(path, b"")

        return files_of(entries.keys(), content)

    def render(self, folder: str, where: Folders) -> Input:
        """Render the kustomization in a folder from a copy of its files, and return its objects."""
        # The programs that it starts take 15 ms to import, and most runs render nothing.
        from kubectl_applylint.sources.render.kustomize import render_folder  # noqa: PLC0415

        return render_folder(folder, where, lambda paths: self.texts(sorted(paths)), self.label, self.fault)

    def texts(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        """Return the contents of files by path, of symlinks those of their targets.

        Unreadable files are left out: ``fault`` returns the reason.
        """
        found = self._texts(paths)
        read = {path: self._content(path, found) for path in paths}
        return {path: content for path, content in read.items() if isinstance(content, bytes)}

    def fault(self, path: str) -> Problem:
        """Return the reason why ``texts`` leaves out a file."""
        content = self._content(path, self._texts([path]))
        return content if isinstance(content, Problem) else Problem(self.label(path), "it was read", "")

    @property
    def links(self) -> Mapping[str, str | None]:
        """The symlinks of the revision with their target files; ``None`` for broken links."""
        ids = {path: entry.id for path, entry in self.tree.entries.items() if entry.mode == LINK}
        texts = self.blobs.contents({*ids.values()})
        return {path: target(path, self.tree, texts.get) for path in ids}

    def _texts(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        """Return the contents of files and of the targets of symlinks among them, by id."""
        entries = self.tree.entries
        ids = {entries[path].id for path in paths}
        if not any(entries[path].mode == LINK for path in paths):
            return self.blobs.contents(ids)
        texts = self.blobs.contents(ids | {entry.id for entry in entries.values() if entry.mode == LINK})
        ends = {target(path, self.tree, texts.get) for path in paths}
        return {**texts, **self.blobs.contents({entries[end].id for end in ends if end})}

    def _id(self, path: str) -> str:
        return self.tree.entries[path].id

    def _read(self, path: str, texts: Mapping[str, bytes], *, is_patch: bool) -> Input:
        label = self.label(path)
        if is_patch:
            return Input(skipped=(Skipped(label, 1, SkipReason.PATCH),))
        content = self._content(path, texts)
        return Input(problems=(content,)) if isinstance(content, Problem) else read_text(content, label)

    def _content(self, path: str, texts: Mapping[str, bytes]) -> bytes | Problem:
        label, end = self.label(path), target(path, self.tree, texts.get)
        if end is None:
            return contents.stray_link_problem(label)
        content = texts.get(self._id(end))
        if content is None:
            return Problem(label, "its content is missing from the repository", "git fetch --refetch")
        return contents.check_content(label, content, contents.MAX_BYTES)


def _folders_up(path: str) -> Iterator[str]:
    for _ in range(_LEVELS_UP + 1):
        path = posixpath.dirname(path)
        yield path


def _patches(kustomization: str, content: bytes) -> Iterator[str]:
    """Yield the paths of the patch files of a kustomization."""
    for patch in patch_paths(first_document(content)):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(kustomization), patch))
