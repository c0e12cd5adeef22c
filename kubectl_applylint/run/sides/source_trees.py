"""The files of the sources of Flux: of the repository, of the store, and composed of several repositories.

An artifact mirrors ``GitRepositoryReconciler`` of source-controller 1.9. ``spec.sparseCheckout`` limits the checkout.
The artifacts of ``spec.include`` are copied in their order, each to a path that does not exist yet; then the ignore
rules apply to all files.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.sides.side import ASK_AGAIN, FETCH_ADVICE, Side
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_archive import MOST_ENTRIES, ArchiveError
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind, public_url
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.tools.flux.build import SourceTree
from kubectl_applylint.tools.flux.declarations import applied_folder
from kubectl_applylint.tools.flux.source_files import packed_files
from kubectl_applylint.units.model import IncludedSource, SourceFilter

_MOST_FILES: Final = 4 * MOST_ENTRIES
"""The most files that includes may add."""


class SourceError(Exception):
    """The files of a source are not known, or Flux cannot compose them; the text is the reason."""

    def __init__(self, message: str, advice: str = FETCH_ADVICE, *, is_certain: bool = False) -> None:
        super().__init__(message)
        self.advice = advice
        self.is_certain = is_certain
        """Whether Flux fails as well."""


def own_tree(side: Side) -> SourceTree:
    """Return all files of a side but symlinks."""
    return SourceTree(side.paths.difference(side.link_ends), partial(_contents, side), side.label, side.fault)


def _contents(side: Side, paths: Collection[str]) -> Mapping[str, bytes]:
    """Return the contents of files; kustomizations come from the cache of the side, as each is read several times."""
    named = (path for path in paths if path.rpartition("/")[2] in KUSTOMIZATION_FILES)
    known = {path: text for path in named if (text := side.content(path))}
    others = [path for path in paths if path not in known]
    return {**known, **side.contents(others)} if others else known


def stored_tree(source: ChartSource | None) -> SourceTree:
    """Return all files of a git repository or an OCI artifact in the store; raise ``SourceError`` without it."""
    found = store.chart(source) if source else None
    if source is None or found is None:
        raise SourceError("its source is not known")
    if isinstance(found, store.MissingChart):
        raise SourceError(found.reason, ASK_AGAIN if found.absence else FETCH_ADVICE)
    try:
        files = found.files()
    except ArchiveError as error:
        raise SourceError(str(error)) from error
    url = public_url(source.url)
    home = url.partition("://")[2] if source.kind is SourceKind.GIT else url.removeprefix("oci://")
    name = f"{home}@{found.version[:12]}"
    return SourceTree(
        frozenset(files),
        lambda paths: {path: files[path] for path in paths if path in files},
        lambda path: f"{name}/{path}",
    )


def packed_tree(tree: SourceTree, ignore: str) -> SourceTree:
    """Return the files that the artifact of a source has: those that are not ignored."""
    return replace(tree, files=packed_files(tree.files, tree.read, ignore))


def composed_tree(
    side: Side, source: ChartSource | None, includes: Sequence[IncludedSource], files: SourceFilter
) -> SourceTree:
    """Return the files of the artifact of a source, which may include git repositories; raise ``SourceError``.

    ``source`` is the one in the store, ``None`` for the examined repository.
    """
    base = _checkout(stored_tree(source) if source else own_tree(side), files.sparse)
    if not includes:
        return packed_tree(base, files.ignore)
    origins = {path: (base, path) for path in base.files}
    for one in includes:
        if one.reason:
            raise SourceError(f"{one.name}, which its source includes: {one.reason}", "")
        copied = _copied_files(one, composed_tree(side, one.source, one.includes, one.filter))
        _require_room(one, origins, copied)
        origins |= copied
        if len(origins) > len(base.files) + _MOST_FILES:
            raise SourceError(f"its source includes more than {_MOST_FILES} files", "")
    return packed_tree(_tree(origins), files.ignore)


def _checkout(tree: SourceTree, sparse: Sequence[str]) -> SourceTree:
    """Return the files whose paths start with one of ``sparse``, all if it is empty; raise ``SourceError``.

    Each entry has to be the path of a file or folder as well.
    """
    if not sparse:
        return tree
    starts = tuple(one.removeprefix("./") for one in sparse)
    files = frozenset(path for path in tree.files if path.startswith(starts))
    for path in map(applied_folder, sparse):
        if path and path not in files and not any(one.startswith(f"{path}/") for one in files):
            raise SourceError(
                f"its source has no {path}, which its sparseCheckout names", "correct it", is_certain=True
            )
    return replace(tree, files=files)


def _copied_files(one: IncludedSource, tree: SourceTree) -> dict[str, tuple[SourceTree, str]]:
    """Return the files that an include copies, by their new paths."""
    if one.from_path in tree.files:
        return {one.to_path: (tree, one.from_path)}
    start = f"{one.from_path}/" if one.from_path else ""
    found = {f"{one.to_path}/{path[len(start) :]}": (tree, path) for path in tree.files if path.startswith(start)}
    if not found:
        message = f"Flux cannot include {one.name}: it has nothing in {one.from_path or '.'}"
        raise SourceError(message, "correct fromPath", is_certain=True)
    return found


def _require_room(one: IncludedSource, origins: Mapping[str, object], copied: Mapping[str, object]) -> None:
    """Raise ``SourceError`` if Flux cannot copy: to a folder that exists, or where a file is in the way."""
    parts = one.to_path.split("/")
    above = {"/".join(parts[:end]) for end in range(1, len(parts))}
    is_file = one.to_path in copied
    start = f"{one.to_path}/" if one.to_path else ""
    is_taken = (one.to_path in origins and not is_file) or not above.isdisjoint(origins)
    if is_taken or any(path.startswith(start) for path in origins):
        message = f"Flux cannot include {one.name}: its source has {one.to_path or '.'} already"
        raise SourceError(message, "set another toPath", is_certain=True)


def _tree(origins: Mapping[str, tuple[SourceTree, str]]) -> SourceTree:
    """Return a tree of files from other trees; findings are at the places in these."""

    def contents_of(paths: Collection[str]) -> Mapping[str, bytes]:
        wanted: dict[int, list[str]] = {}
        for path in paths:
            if path in origins:
                wanted.setdefault(id(origins[path][0]), []).append(path)
        found: dict[str, bytes] = {}
        for each in wanted.values():
            texts = origins[each[0]][0].contents_of([origins[path][1] for path in each])
            found |= {path: texts[origins[path][1]] for path in each if origins[path][1] in texts}
        return found

    def label(path: str) -> str:
        tree, name = origins[path]
        return tree.label(name)

    def fault_of(path: str) -> Problem:
        tree, name = origins[path]
        return tree.fault_of(name)

    return SourceTree(frozenset(origins), contents_of, label, fault_of)
