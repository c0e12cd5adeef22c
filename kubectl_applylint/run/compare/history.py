"""The manifests of an earlier git revision, and the changed ones of a later revision."""

import os
import posixpath
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import CRD_KIND, is_definition
from kubectl_applylint.lint.relations import IndexQuery
from kubectl_applylint.run.compare.base import Base, IntermediateCommit, Stdin, problems_hiding_objects
from kubectl_applylint.run.compare.related_files import folder_distance, related_paths
from kubectl_applylint.run.sides.kustomize_roots import Roots, applied_roots, rendering_problems, roots_of
from kubectl_applylint.run.sides.work_tree import NOTHING, not_checked_out, touched_submodules, uncompared_submodules
from kubectl_applylint.sources.files import files
from kubectl_applylint.sources.git import committed, git, revision
from kubectl_applylint.sources.git.blob_cache import BlobCache
from kubectl_applylint.sources.git.committed import Reader
from kubectl_applylint.sources.git.git import LINK, SHORT, SUBMODULE, Repository, Revision, RevisionTree
from kubectl_applylint.sources.git.revision import Range, RevisionPair
from kubectl_applylint.sources.render.kustomization import Folders, kustomization_in
from kubectl_applylint.sources.system.contents import CHART, MAX_BYTES, STDIN, read_file
from kubectl_applylint.sources.system.displayed_path import displayed_path
from kubectl_applylint.sources.text.manifests import Input, join

_MOST_COMMITS: Final = 100
"""Maximum number of intermediate commits to apply."""
_MOST_NEAR: Final = 200
"""Maximum number of unchanged files to read for context."""


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Two sides of a repository: the earlier tree, the later one (``None``: the work tree), and the differences.

    ``names`` are paths of the repository, the current folder by default.
    """

    blobs: BlobCache
    before: RevisionTree
    after: RevisionTree | None
    differ: frozenset[str]
    names: tuple[str, ...]
    untracked: tuple[str, ...] | None
    """The untracked files if the user named no files, otherwise ``None``."""
    recursive: bool
    charts: tuple[str, ...] = ()
    """The named charts that differ."""
    modules: tuple[str, ...] = ()
    """The submodules that differ."""
    absent: RevisionTree = NOTHING
    """The files of the later side that are only in the index, as the checkout is sparse."""
    commits: tuple[Revision, ...] = ()
    """The commits in between; files that one of these changes count as different."""

    @property
    def repo(self) -> Repository:
        return self.blobs.repo


def in_git(text: str, names: Sequence[str], *, recursive: bool, every_commit: bool = False) -> Base | Problem:
    """Return the manifests that differ between the revisions in ``text``.

    ``names`` are the files and folders to examine, all tracked files in the current folder by default. With
    ``every_commit`` those of the commits in between are available as well.
    """
    repo = git.repository(os.curdir)
    if isinstance(repo, Problem):
        return repo
    try:
        return _compare(repo, revision.parse(text), names, recursive=recursive, every_commit=every_commit)
    except git.GitError as fault:
        return fault.problem


def _compare(
    repo: Repository, wanted: Range, names: Sequence[str], *, recursive: bool, every_commit: bool
) -> Base | Problem:
    found = revision.revision_pair(repo, wanted)
    if isinstance(found, Problem):
        return found
    if wanted.path:
        return _at_path(repo, found, wanted.path, recursive=recursive)
    between = _comparison(repo, found, names, recursive=recursive)
    passed = _with_commits(between, found) if every_commit else between
    return passed if isinstance(passed, Problem) else _base(passed, [name for name in names if _is_outside(repo, name)])


def _with_commits(between: _Comparison, found: RevisionPair) -> _Comparison | Problem:
    head = found.head if found.head and not found.head.is_index else git.resolve(between.repo, "HEAD")
    if head is None or found.base.is_index or found.base.id == git.EMPTY_TREE:
        return Problem(
            str(found.base), "there are no commits between it and the later side", "specify two commits: A..B"
        )
    every = git.commits(between.repo, found.base, head)
    if len(every) > _MOST_COMMITS:
        number = f"there are {len(every)} commits in between, more than {_MOST_COMMITS}"
        return Problem(f"{found.base.short}..{head.short}", number, "specify a later commit")
    commits = every[:-1] if found.head == head else every
    steps = pairwise((found.base, *every))
    touched = (git.changed_paths(between.repo, earlier, later) for earlier, later in steps)
    return replace(between, commits=commits, differ=between.differ.union(*touched))


def _at_path(repo: Repository, found: RevisionPair, path: str, *, recursive: bool) -> Base | Problem:
    """Return all manifests at another path than the later ones have; a kustomization is rendered."""
    tree = git.tree(repo, found.base)
    reader = Reader(BlobCache(repo), tree, partial(_label, found.base.short))
    side = reader.folders()
    if not recursive and kustomization_in(path, side):
        rendered = reader.render(path, side)
        return Base(f"{found.base}:{path}", rendered, lacking=problems_hiding_objects(rendered))
    paths = committed.find([path], tree, recursive=recursive)
    label = f"{found.base.short}:{path}"
    if not paths and not any(file.startswith(f"{path}/") for file in tree.entries):
        return Problem(
            label,
            f"{found.base} has no {path}",
            "check the spelling; the path is relative to the root of the repository",
        )
    return Base(f"{found.base}:{path}", reader.read(paths))


def _label(name: str, path: str) -> str:
    return f"{name}:{path}"


def _comparison(repo: Repository, found: RevisionPair, names: Sequence[str], *, recursive: bool) -> _Comparison:
    charts = [name for name in names if name.startswith(CHART)]
    others = [name for name in names if name not in charts]
    inside = [path for path in (_path(repo, name) for name in others) if path is not None]
    # Outside of the work tree, git diff compares all of it as well.
    names_inside = tuple(inside) if names else (_path(repo, os.curdir) or "",)
    before, modes = git.tree(repo, found.base), git.changed_paths(repo, found.base, found.head)
    is_worked_on = found.head is None
    touched = touched_submodules(repo, before.entries, inside) if is_worked_on else frozenset()
    between = _Comparison(
        blobs=BlobCache(repo),
        before=before,
        after=git.tree(repo, found.head) if found.head else None,
        differ=frozenset(modes) | touched,
        names=names_inside,
        untracked=None if names else git.untracked_files(repo) if is_worked_on else (),
        recursive=recursive or not names,
        modules=tuple(sorted({path for path, kinds in modes.items() if SUBMODULE in kinds} | touched)),
        absent=not_checked_out(repo, {*modes, *inside}) if is_worked_on else NOTHING,
    )
    return replace(between, charts=_changed_charts(between, charts)) if charts else between


def _changed_charts(between: _Comparison, names: Sequence[str]) -> tuple[str, ...]:
    # The programs that render them take 15 ms to import, and most repositories have no charts.
    from kubectl_applylint.run.sides import charts  # noqa: PLC0415

    paths = between.differ if between.after else between.differ.union(git.untracked_files(between.repo))
    return tuple(name for name in names if charts.differs(name, between.repo, paths))


def _charts(between: _Comparison, reader: Reader) -> list[Input]:
    from kubectl_applylint.run.sides import charts  # noqa: PLC0415  15 ms, as above

    return [charts.render_named(name, reader) for name in between.charts]


def _path(repo: Repository, name: str) -> str | None:
    """Return the repository path of a name, after following symlinks to folders."""
    if name == STDIN:
        return None
    return repo.path_of(os.path.realpath(name) if os.path.isdir(name) else name)


def _is_outside(repo: Repository, name: str) -> bool:
    return _path(repo, name.removeprefix(CHART).partition(":")[0] if name.startswith(CHART) else name) is None


def _base(between: _Comparison, outside: Sequence[str]) -> Base:
    base = between.before.revision
    reader = Reader(between.blobs, between.before, partial(_label, base.short))
    is_same = _is_same(between)
    rendered, problems = _roots(between, reader, is_same)
    paths = _plain(between, between.before, rendered, rendered.before)
    before = [path for path in paths if not is_same(path)]
    gone = [path for path in _deleted_manifests(between) if path not in paths and path not in rendered.parts]
    given = join([reader.read(before), *_rendered_inputs(between, reader, rendered.earlier, rendered.before)])
    return Base(
        origin=str(base),
        given=given,
        lacking=(*_base_problems(between, given), *problems),
        later=partial(_later_input, between, rendered),
        moved=reader.read(gone),
        definitions=cache(partial(_definitions, between, reader, is_same)),
        context_of=partial(_context_of, between, [path for path in paths if is_same(path)]),
        steps=partial(_all_steps, between, rendered),
        notes=(*_skip_notes("file", len(paths) - len(before)), *_skip_notes("kustomization", rendered.unchanged)),
        doubts=tuple(_doubts(between, outside)),
        later_name=lambda file: displayed_path(between.repo.root, file.removeprefix(f"{base.short}:")),
    )


def _rendered_inputs(between: _Comparison, reader: Reader, roots: Sequence[str], side: Folders) -> Iterator[Input]:
    """Yield the rendered kustomizations and charts of a revision."""
    yield from (reader.render(root, side) for root in roots)
    yield from _charts(between, reader) if between.charts else ()


def _all_steps(between: _Comparison, rendered: Roots) -> Sequence[IntermediateCommit]:
    return [_step(between, rendered, commit) for commit in between.commits]


def _step(between: _Comparison, rendered: Roots, commit: Revision) -> IntermediateCommit:
    reader = Reader(between.blobs, git.tree(between.repo, commit), partial(_label, commit.id[:SHORT]))
    side = reader.folders()
    plain = [path for path in _plain(between, reader.tree, rendered, side) if path in between.differ]
    roots = [root for root in rendered.changed if kustomization_in(root, side)]
    return IntermediateCommit(commit.name, join([reader.read(plain), *_rendered_inputs(between, reader, roots, side)]))


def _skip_notes(what: str, number: int) -> Iterator[str]:
    if number:
        yield f"skipped {number} unchanged {what}{'s' * (number > 1)}"


def _plain(between: _Comparison, tree: RevisionTree, rendered: Roots, side: Folders) -> list[str]:
    """Return the files of a tree that are read without rendering."""
    is_every = between.untracked is not None
    names = [name for name in between.names if is_every or between.recursive or not kustomization_in(name, side)]
    paths = committed.find(names, tree, recursive=between.recursive)
    return [path for path in paths if path not in rendered.parts] if is_every else paths


def _roots(between: _Comparison, reader: Reader, is_same: Callable[[str], bool]) -> tuple[Roots, tuple[Problem, ...]]:
    """Return the kustomizations to render, and the problems of others.

    They are the named ones, or else all root kustomizations.
    """
    before, after = reader.folders(), _folders(between)
    if between.untracked is None:
        return roots_of([] if between.recursive else between.names, before, after, is_same), ()
    every = {*between.before.entries, *(between.after.entries if between.after else between.differ), *between.untracked}
    folders, far = applied_roots(every, before, after, between.names)
    return (found := roots_of(folders, before, after, is_same)), rendering_problems(far, found)


def _folders(between: _Comparison) -> Folders:
    """Return the later side: a revision, or the work tree."""
    if between.after is not None:
        return _reader(between, between.after).folders()
    return Folders(partial(_exists_later, between), partial(_content, between))


def _reader(between: _Comparison, tree: RevisionTree) -> Reader:
    return Reader(between.blobs, tree, partial(displayed_path, between.repo.root))


def _content(between: _Comparison, path: str) -> bytes:
    if path in between.absent.entries:
        return Reader(between.blobs, between.absent, str).texts([path]).get(path, b"")
    found = read_file(os.path.join(between.repo.root, path), MAX_BYTES)
    return b"" if isinstance(found, Problem) else found


def _is_same(between: _Comparison) -> Callable[[str], bool]:
    """Return a predicate for paths with the same content on both sides; of a symlink, that of its target."""
    tree = between.before
    links = {entry.id for entry in tree.entries.values() if entry.mode == LINK}
    texts = between.blobs.contents(links)
    submodules = {path for path, entry in tree.entries.items() if entry.mode == SUBMODULE}

    def is_same(path: str) -> bool:
        if path not in tree.entries:
            return any(path.startswith(f"{module}/") for module in submodules - between.differ)
        end = committed.target(path, tree, texts.get)
        return end is not None and between.differ.isdisjoint((path, end))

    return is_same


def _definitions(between: _Comparison, reader: Reader, is_same: Callable[[str], bool]) -> Sequence[JsonObject]:
    """Return the CustomResourceDefinitions in all unchanged files of the repository."""
    found = _files_mentioning(between, [CRD_KIND])
    paths = [path for path in sorted(found) if committed.is_manifest(path) and is_same(path)]
    return [document.object for document in reader.read(paths).documents if is_definition(document.ref)]


def _context_of(between: _Comparison, alike: Sequence[str], index_query: IndexQuery) -> Input:
    """Return related manifests in unchanged files, those nearest to the changes first.

    A file is read only if its text contains a word of the query, and the kind for it.
    """
    tree = between.before
    words = frozenset().union(*index_query.values())
    candidates = _files_mentioning(between, words) if words else frozenset()
    relevant = [path for path in alike if path in candidates]
    texts = between.blobs.contents({tree.entries[path].id for path in relevant})
    found = related_paths({path: texts.get(tree.entries[path].id, b"") for path in relevant}, index_query)
    nearest = sorted(found, key=partial(folder_distance, [posixpath.dirname(path) for path in between.differ]))
    return _reader(between, tree).read(nearest[:_MOST_NEAR])


def _files_mentioning(between: _Comparison, words: Collection[str]) -> frozenset[str]:
    """Return the unchanged files that contain one of these words.

    If the work tree is one of the sides it contains those as well, and git searches it three times as fast.
    """
    return git.files_mentioning(between.repo, between.before.revision if between.after else None, words)


def _deleted_manifests(between: _Comparison) -> list[str]:
    """Return the manifests of the earlier revision that the later one does not have."""
    gone = (path for path in sorted(between.differ & between.before.entries.keys()) if committed.is_manifest(path))
    if between.after is not None:
        return [path for path in gone if path not in between.after.entries]
    there = between.absent.entries
    return [path for path in gone if path not in there and not os.path.lexists(os.path.join(between.repo.root, path))]


def _doubts(between: _Comparison, outside: Sequence[str]) -> list[str]:
    name = between.before.revision
    strangers = [f"{name} does not contain {one}, which is outside this repository" for one in outside if one != STDIN]
    stdin = [f"{name} has nothing to compare stdin with"] if STDIN in outside else []
    changed = [f"the submodule {path} changed, and its files are not compared" for path in between.modules]
    return [*stdin, *strangers, *changed]


def _base_problems(between: _Comparison, given: Input) -> Iterator[Problem]:
    entries = between.before.entries
    links = {path for path, entry in entries.items() if entry.mode == LINK}
    yield from (one for one in problems_hiding_objects(given) if one.where.partition(":")[2] not in links)
    yield from uncompared_submodules(between.modules)


def _later_input(between: _Comparison, rendered: Roots, names: Sequence[str], recursive: bool, stdin: Stdin) -> Input:
    if between.after is not None:
        reader = _reader(between, between.after)
        paths = _plain(between, between.after, rendered, rendered.after)
        plain = reader.read([path for path in paths if not rendered.is_same(path)])
        return join([plain, *_rendered_inputs(between, reader, rendered.later, rendered.after)])
    if between.untracked is not None:
        worked_on = [path for path in _changed_files(between, between.untracked) if path not in rendered.parts]
        kustomizations = [kustomization_in(root, rendered.after) for root in rendered.later]
        sources = [
            *(files.Source(displayed_path(between.repo.root, path), is_named=False) for path in worked_on),
            *(
                files.Source(displayed_path(between.repo.root, path), is_named=True, is_rendered=True)
                for path in kustomizations
            ),
        ]
        return join([files.read_found(sources, stdin=stdin), _index_only(between)])
    names = [name for name in names if not _is_absent(between, name)]
    found = files.find(names, recursive=recursive)
    differ = [one for one in found if isinstance(one, Problem) or _differs(between, one, rendered)]
    read = files.read_found(differ, stdin=stdin) if found else files.read(names, recursive=recursive, stdin=stdin)
    return join([read, _index_only(between)])


def _is_absent(between: _Comparison, name: str) -> bool:
    """Return whether a name refers only to files that a sparse checkout leaves out."""
    if not between.absent.entries or name == STDIN or os.path.lexists(name):
        return False
    path = _path(between.repo, name)
    return path is not None and bool(committed.find([path], between.absent, recursive=True))


def _index_only(between: _Comparison) -> Input:
    """Return the requested files that differ and are only in the index."""
    paths = committed.find(between.names, between.absent, recursive=between.recursive)
    differ = [path for path in paths if path in between.differ]
    return _reader(between, between.absent).read(differ) if differ else Input()


def _differs(between: _Comparison, one: files.Source, rendered: Roots) -> bool:
    if one.path.startswith(CHART):
        return one.path in between.charts
    if one.is_rendered:
        return (_path(between.repo, os.path.dirname(one.path) or os.curdir) or "") in rendered.changed
    return not rendered.is_same(between.repo.path_of(one.path) or "")


def _changed_files(between: _Comparison, untracked: Sequence[str]) -> list[str]:
    """Return the manifests of the work tree that differ or are untracked."""
    every = {*between.differ, *untracked}
    tree = RevisionTree(
        between.before.revision, {path: git.Entry("100644", "") for path in every if _is_file(between.repo, path)}
    )
    return committed.find(between.names, tree, recursive=True)


def _exists_later(between: _Comparison, path: str) -> bool:
    """Return whether a file exists in the later side, a work tree."""
    return path in between.absent.entries or _is_file(between.repo, path)


def _is_file(repo: Repository, path: str) -> bool:
    """Return whether a path, which may lead out of the repository, is a file of its work tree."""
    return not path.startswith(("../", "/")) and os.path.isfile(os.path.join(repo.root, path))
