"""Creates the sides of a comparison: of a revision, the index, the work tree, or a directory."""

import os
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final, TypeAlias

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.sides.disk_files import disk_files
from kubectl_applylint.run.sides.resource_sets import build_set_unit
from kubectl_applylint.run.sides.revision_sides import revision_finder
from kubectl_applylint.run.sides.side import Side, unreadable_problem
from kubectl_applylint.run.sides.work_tree import NOTHING
from kubectl_applylint.sources.files import files
from kubectl_applylint.sources.files.files import Source
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.blob_cache import MOST_SEARCHED, BlobCache
from kubectl_applylint.sources.git.committed import Reader, is_manifest
from kubectl_applylint.sources.git.git import Repository, Revision, RevisionTree
from kubectl_applylint.sources.part_files import without_parts
from kubectl_applylint.sources.render.checkout import path_below
from kubectl_applylint.sources.render.kustomization import Folders, files_of
from kubectl_applylint.sources.system import contents, inner_path
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.system.displayed_path import displayed_path
from kubectl_applylint.sources.text.classify import SkipReason
from kubectl_applylint.sources.text.manifests import Input, Skipped, join
from kubectl_applylint.sources.text.word_search import paths_with_words
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL
from kubectl_applylint.units.model import Form, Unit

_Renderers: TypeAlias = Mapping[Form, Callable[[Unit], Input]]
_MOST_KEPT: Final = 64 * 1024 * 1024
"""Maximum number of cached bytes of the files of a folder."""


def of_revision(repo: Repository, revision: Revision, label: Callable[[str], str]) -> Side:
    """Return the files of a commit, or of the index."""
    reader = Reader(BlobCache(repo), git.tree(repo, revision), label)
    links = {path: end for path, end in reader.links.items() if inner_path.is_inner(path)}
    named = (path for path, entry in reader.tree.entries.items() if entry.mode not in (git.LINK, git.SUBMODULE))
    entries = {path for path in named if inner_path.is_inner(path)} | manifest_links(links)
    where = cache(reader.folders)
    found = Side(
        str(revision),
        frozenset(entries),
        content=lambda path: where().read(path),
        contents=lambda paths: reader.texts(sorted(paths)),
        mentioning=reader.mentioning,
        read=reader.read,
        render=lambda folder: reader.render(folder, where()),
        label=label,
        fault=reader.fault,
        link_ends={path: end for path, end in links.items() if end},
        link_targets=partial(_revision_links, reader),
        find_revision=revision_finder(repo, of_revision),
    )
    return _with_charts(_with_read_cache(found))


def manifest_links(links: Mapping[str, str | None]) -> frozenset[str]:
    """Return the symlinks that lead to a file, and broken ones whose name is that of a manifest."""
    return frozenset(path for path, end in links.items() if end or path.endswith(files.EXTENSIONS))


def _with_read_cache(side: Side) -> Side:
    """Return a side that parses a file only once if it is requested by its own path and by symlinks."""

    def read(paths: Sequence[str]) -> Input:
        twins = side.duplicate_links(paths)
        found = side.read([path for path in paths if path not in twins])
        skipped = (Skipped(side.label(path), 1, SkipReason.LINK) for path in sorted(twins))
        return replace(found, skipped=(*found.skipped, *skipped)) if twins else found

    return replace(side, read=read) if side.link_ends else side


def _revision_links(reader: Reader, folder: str) -> Mapping[str, str | None]:
    start = f"{folder}/" if folder else ""
    entries = reader.tree.entries
    ids = {path: entry.id for path, entry in entries.items() if entry.mode == git.LINK and path.startswith(start)}
    texts = reader.blobs.contents({*ids.values()})
    return {path: _link_target(path, texts[one].decode("utf-8", "surrogateescape")) for path, one in ids.items()}


def _link_target(link: str, leads: str) -> str | None:
    """Return the path that a symlink leads to, ``None`` if it is outside of the repository."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(link), leads))
    return None if posixpath.isabs(leads) or path in (".", "..") or path.startswith("../") else path


def _with_charts(side: Side) -> Side:
    """Return a side that renders each of its units once, and once more to find random values."""
    definitions, kept = cache(partial(_api_versions, side)), replace(side, render=cache(side.render))
    again, first = _renderers(side, definitions), _renderers(kept, definitions)
    first = {form: cache(function) for form, function in first.items()}
    return replace(
        kept,
        charts=first[Form.CHART],
        releases=first[Form.RELEASE],
        builds=partial(_build, cache(partial(_builder, kept))),
        second_rendering=cache(partial(_render_again, first, again)),
    )


def _renderers(side: Side, definitions: Callable[[], Sequence[str]]) -> _Renderers:
    return {
        Form.CHART: partial(_chart, side, definitions),
        Form.RELEASE: partial(_release, side, definitions),
        Form.KUSTOMIZATION: lambda unit: side.render(unit.root),
    }


def _build(builder: Callable[[], Callable[[Unit], Input]], unit: Unit) -> Input:
    return builder()(unit)


def _api_versions(side: Side) -> Sequence[str]:
    from kubectl_applylint.run.sides.definitions import api_versions_of, definitions_in  # noqa: PLC0415  40 ms, as below

    return api_versions_of(definitions_in(side))


def _release(side: Side, definitions: Callable[[], Sequence[str]], unit: Unit) -> Input:
    if unit.form is Form.RESOURCE_SET:
        return build_set_unit(unit)
    if unit.applied.tool == ARGO_TOOL:
        from kubectl_applylint.run.sides.application_builds import build_application  # noqa: PLC0415  40 ms, as below

        return build_application(side, unit, definitions)
    from kubectl_applylint.run.sides.release_builds import build_release  # noqa: PLC0415  40 ms, as below

    return build_release(side, unit, definitions)


def _builder(side: Side) -> Callable[[Unit], Input]:
    # The modules that it needs take 40 ms to import, and most repositories have no Kustomizations.
    from kubectl_applylint.run.sides.flux_builds import builder  # noqa: PLC0415

    return builder(side)


def _chart(side: Side, definitions: Callable[[], Sequence[str]], unit: Unit) -> Input:
    # The programs that render charts take 15 ms to import, and most repositories have none.
    from kubectl_applylint.run.sides.charts import of_unit  # noqa: PLC0415

    return of_unit(side, unit, definitions)


def _render_again(first: _Renderers, again: _Renderers, unit: Unit) -> Input:
    found = first[unit.form](unit)
    if not found.is_random:
        return found
    with use_folder(""):
        return again[unit.form](unit)


def of_work_tree(repo: Repository, extra: Collection[str] = (), absent: RevisionTree = NOTHING) -> Side:
    """Return the side of the work tree: tracked and untracked files that are not ignored, and ``extra`` ones.

    ``absent`` are files that a sparse checkout leaves out: they are read from the index.
    """
    new = git.untracked_files(repo)
    parts = frozenset(new) - _without_parts(repo.root, new)
    paths = [path for path in git.work_tree(repo) if path not in parts]
    found = _side_of_files("the work tree", repo.root, [*paths, *_ignored_files(repo, extra, paths)])
    searched = {path for path in found.paths - found.link_ends.keys() if is_manifest(path)}
    untracked = found.paths.intersection(new)
    is_small = len(searched) <= MOST_SEARCHED and not absent.entries

    def mentioning(words: Collection[str]) -> frozenset[str]:
        if is_small:
            return _mentioning(found.content, searched, words)
        return git.files_mentioning(repo, None, words) | _mentioning(found.content, untracked, words)

    found = replace(found, mentioning=mentioning, find_revision=revision_finder(repo, of_revision))
    return _with_charts(_with_absent(found, Reader(BlobCache(repo), absent, found.label)))


def _with_absent(found: Side, reader: Reader) -> Side:
    """Return a side with files that are only in the index."""
    absent = reader.tree.entries.keys()
    if not absent:
        return found

    def contents_of(paths: Collection[str]) -> Mapping[str, bytes]:
        return {
            **found.contents([path for path in paths if path not in absent]),
            **reader.texts(_files_in(paths, absent)),
        }

    return replace(
        found,
        paths=found.paths | absent,
        content=lambda path: contents_of([path]).get(path, b""),
        contents=contents_of,
        read=lambda paths: join([found.read(_without(paths, absent)), reader.read(_files_in(paths, absent))]),
    )


def _files_in(paths: Collection[str], some: Collection[str]) -> list[str]:
    return [path for path in paths if path in some]


def _without(paths: Collection[str], some: Collection[str]) -> list[str]:
    return [path for path in paths if path not in some]


def _ignored_files(repo: Repository, paths: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """Yield the named files that git ignores, and those in folders that it ignores completely."""
    for path in paths:
        whole = os.path.join(repo.root, path)
        if not os.path.isdir(whole):
            yield path
        elif not any(one.startswith(f"{path}/") for one in known):
            yield from (f"{path}/{inner}" for inner in _walk(whole, []))


def of_folder(folder: str) -> Side:
    """Return all files below a folder; symlinks to folders are not followed, and git folders are skipped."""
    unlisted: list[Problem] = []
    paths = _without_parts(folder, [*_walk(folder, unlisted)])
    found = _side_of_files(f"directory {folder}", folder, paths)
    return _with_charts(replace(found, problems=tuple(unlisted)))


def _without_parts(root: str, paths: Iterable[str]) -> frozenset[str]:
    """Return paths without those of partial reports, which a run may have written into its own input."""
    return frozenset(without_parts((path, os.path.join(root, path)) for path in paths))


def _side_of_files(name: str, root: str, paths: Iterable[str]) -> Side:
    shown = partial(displayed_path, root)
    on_disk = disk_files(root, paths)
    links = on_disk.links
    there = on_disk.files | manifest_links(links)
    content = _FolderContents(root, frozenset(path for path, end in links.items() if not end))
    patches_of = cache(files.patch_files)

    def read(paths: Sequence[str]) -> Input:
        shown_as = {shown(path): path for path in paths if path not in content.strays}
        known = files.FileCache(lambda file: content.kept(shown_as[file]), patches_of)
        found = files.read_found([Source(file, is_named=False) for file in shown_as], stdin=bytes, known=known)
        strays = [contents.stray_link_problem(shown(path)) for path in paths if path in content.strays]
        return replace(found, problems=(*found.problems, *strays)) if strays else found

    where = files_of(there, content)
    found = Side(
        name,
        there,
        content=content,
        contents=content.texts,
        mentioning=partial(_mentioning, content, there),
        read=read,
        render=lambda folder: _render(folder, where, content.texts, shown, content.fault),
        label=shown,
        fault=content.fault,
        link_ends={path: end for path, end in links.items() if end},
        link_targets=partial(_link_targets, root, links),
        submodules=on_disk.folders,
    )
    return _with_read_cache(found)


def _link_targets(root: str, links: Collection[str], folder: str) -> Mapping[str, str | None]:
    start, top = f"{folder}/" if folder else "", os.path.realpath(root)
    below = (path for path in links if path.startswith(start))
    return {path: path_below(top, os.path.join(root, path)) or None for path in below}


def _walk(folder: str, unlisted: list[Problem]) -> Iterator[str]:
    """Yield the files below a folder, and the symlinks to folders; unlistable folders are added to ``unlisted``."""

    def fail(error: OSError) -> None:
        unlisted.append(contents.inaccessible_problem(displayed_path(os.curdir, error.filename), error))

    for current, folders, names in os.walk(folder, onerror=fail):
        folders[:] = sorted(name for name in folders if name != ".git")
        inside = os.path.relpath(current, folder).replace(os.sep, "/")
        links = (name for name in folders if os.path.islink(os.path.join(current, name)))
        yield from (name if inside == "." else f"{inside}/{name}" for name in (*names, *links))


class _FolderContents:
    """Reads and caches the files below a folder, empty if unreadable; most are needed several times in a run.

    ``strays`` are symlinks that lead to no file below the folder: these are not followed.
    """

    def __init__(self, root: str, strays: frozenset[str]) -> None:
        self.strays = strays
        self._root, self._kept, self._room = root, dict[str, bytes](), _MOST_KEPT

    def __call__(self, path: str) -> bytes:
        """Return the content of a file."""
        found = self._read(path)
        return b"" if isinstance(found, Problem) else found

    def texts(self, paths: Collection[str]) -> Mapping[str, bytes]:
        """Return the contents of the readable files among these."""
        read = {path: self._read(path) for path in paths}
        return {path: found for path, found in read.items() if not isinstance(found, Problem)}

    def fault(self, path: str) -> Problem:
        """Return the reason why a file is unreadable."""
        found = self._read(path)
        return found if isinstance(found, Problem) else unreadable_problem(displayed_path(self._root, path))

    def kept(self, path: str) -> bytes:
        """Return the content of a file from the cache, empty if it was not read."""
        return self._kept.get(path, b"")

    def _read(self, path: str) -> bytes | Problem:
        if path in self._kept:
            return self._kept[path]
        shown = displayed_path(self._root, path)
        if path in self.strays:
            return contents.stray_link_problem(shown)
        found = contents.read_file(os.path.join(self._root, path), contents.MAX_BYTES)
        if isinstance(found, Problem):
            return replace(found, where=shown)
        if len(found) <= self._room:
            self._kept[path] = found
            self._room -= len(found)
        return found


def _mentioning(content: Callable[[str], bytes], paths: Collection[str], words: Collection[str]) -> frozenset[str]:
    return paths_with_words(((path, content(path)) for path in paths if path.endswith(files.EXTENSIONS)), words)


def _render(
    folder: str,
    where: Folders,
    contents_of: Callable[[Collection[str]], Mapping[str, bytes]],
    label: Callable[[str], str],
    fault_of: Callable[[str], Problem],
) -> Input:
    # The programs that it starts take 15 ms to import, and most runs render nothing.
    from kubectl_applylint.sources.render.kustomize import render_folder  # noqa: PLC0415

    return render_folder(folder, where, contents_of, label, fault_of)


def with_texts(side: Side, texts: Mapping[str, bytes]) -> Side:
    """Return a side with other texts of some files, such as the unsaved ones of an editor.

    Other files are read from ``side``, one by one, so that it can cache each of them.
    """
    shown = {side.label(path): text or b"\n" for path, text in texts.items()}
    known = files.FileCache(lambda file: shown[file], cache(files.patch_files))

    def content(path: str) -> bytes:
        return texts[path] if path in texts else side.content(path)

    def contents_of(paths: Collection[str]) -> Mapping[str, bytes]:
        return {**side.contents(_without(paths, texts)), **{path: texts[path] for path in _files_in(paths, texts)}}

    def read(path: str) -> Input:
        source = Source(side.label(path), is_named=False)
        return files.read_found([source], stdin=bytes, known=known) if path in texts else side.read([path])

    def mentioning(words: Collection[str]) -> frozenset[str]:
        return (side.mentioning(words) - texts.keys()) | _mentioning(content, texts, words)

    paths = side.paths | texts.keys()
    where = files_of(paths, content)
    found = replace(
        side,
        paths=paths,
        edited=frozenset(texts),
        content=content,
        contents=contents_of,
        mentioning=mentioning,
        read=lambda paths: join(map(read, paths)),
        render=lambda folder: _render(folder, where, contents_of, side.label, side.fault),
        apart=None,
    )
    return _with_charts(found)


def differing(before: Side, after: Side) -> frozenset[str]:
    """Return the paths that only one side has, or whose contents differ; every file that both have is read."""
    both = before.paths & after.paths
    earlier, later = before.contents(both), after.contents(both)
    changed = {path for path in both if earlier.get(path) != later.get(path)}
    return frozenset(changed | (before.paths ^ after.paths))
