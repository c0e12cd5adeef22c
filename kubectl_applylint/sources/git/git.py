"""Reads revisions with few calls of the ``git`` program; the work tree is never changed.

Paths are those of git: relative to the root of the repository, with ``/`` between folders.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.shortage import remedy
from kubectl_applylint.sources.git.git_command import GitFailure, run
from kubectl_applylint.sources.git.git_config import without_filters
from kubectl_applylint.sources.render.checkout import work_tree_of

INDEX: Final = "index"
"""The name of the staged files in place of a revision."""
EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The empty tree, which exists in every repository."""
LINK, SUBMODULE = "120000", "160000"
SHORT: Final = 7
"""Length of an abbreviated id in messages."""
_ID: Final = regex("[0-9a-f]{40}")
_SKIPPED: Final = "S"
"""The tag of files that are excluded from a sparse work tree."""
_UNTRACKED: Final = "?"
_RAW: Final = ("-z", "--raw", "--no-renames", "--ignore-submodules=dirty", "--no-ext-diff", "--no-textconv")
"""Git would look for dirty submodules with another git process, which follows their configuration."""
_GREP: Final = (
    "--no-literal-pathspecs",
    "grep",
    "-l",
    "-z",
    "-I",
    "-w",
    "-F",
    "--no-color",
    "--no-textconv",
    "--no-recurse-submodules",
    "-f",
    "-",
)
_MANIFESTS: Final = ("--", "*.json", "*.yaml", "*.yml")
"""The files to search: most files of a repository are no manifests, and all searched contents have to be unpacked."""
_NOTHING_FOUND: Final = 1
_ZEROS: Final = regex("0{40}|0{64}")


class GitError(UnreadableError):
    """Raised if git fails; ``problem`` has its message and advice."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository. ``root`` is the real path of its work tree, or the starting folder of a bare repository."""

    root: str
    is_shallow: bool
    is_bare: bool = False

    def path_of(self, file: str) -> str | None:
        """Return the path of a file or folder in the repository (``""`` for its root), ``None`` for one outside.

        Symlinks to folders are followed, the file itself is not.
        """
        folder, name = os.path.split(os.path.abspath(file))
        whole = os.path.join(os.path.realpath(folder), name)
        if whole == self.root:
            return ""
        return (
            whole.removeprefix(self.root + os.sep).replace(os.sep, "/")
            if whole.startswith(self.root + os.sep)
            else None
        )


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit or a tree that a user named. ``id`` is that of the object; the index has none."""

    name: str
    id: str = ""

    @property
    def is_index(self) -> bool:
        """Whether this is the index, the staged files."""
        return not self.id

    @property
    def short(self) -> str:
        """The name for ``git show NAME:PATH``, with each id in it abbreviated."""
        if self.id and self.id.startswith(self.name):
            return self.id[:SHORT]
        return _ID.sub(lambda found: found[0][:SHORT], self.name)

    def __str__(self) -> str:
        if self.is_index:
            return "the git index"
        if self.id == EMPTY_TREE:
            return "an empty repository"
        return self.short if self.id.startswith(self.name) else f"{self.short} ({self.id[:SHORT]})"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a revision: its mode (``LINK`` and ``SUBMODULE`` are special) and the id of its content."""

    mode: str
    id: str


@dataclass(frozen=True, slots=True)
class RevisionTree:
    """The files of a revision by path."""

    revision: Revision
    entries: Mapping[str, Entry] = field(repr=False)


def repository(folder: str) -> Repository | Problem:
    """Return the repository of a folder; a bare one only if the folder is in no work tree."""
    found = run(_start_folder(folder), "rev-parse", "--show-toplevel", "--is-shallow-repository")
    if isinstance(found, GitFailure):
        return (
            _bare_repository(folder, found)
            if "must be run in a work tree" in found.words
            else _no_repository(folder, found)
        )
    root, shallow = os.fsdecode(found).rsplit("\n", 2)[:2]
    return Repository(os.path.realpath(root), shallow == "true")


def _start_folder(folder: str) -> str:
    """Return the folder to start git in: the work tree of a folder, unless ``GIT_DIR`` is set."""
    return folder if os.environ.get("GIT_DIR") else work_tree_of(folder) or folder


def _bare_repository(folder: str, failure: GitFailure) -> Repository | Problem:
    """Return a repository without a work tree, or with one elsewhere."""
    found = run(folder, "rev-parse", "--is-shallow-repository")
    if isinstance(found, GitFailure):
        return _no_repository(folder, failure)
    return Repository(os.path.realpath(folder), found.strip() == b"true", is_bare=True)


def _no_repository(folder: str, failure: GitFailure) -> Problem:
    if "not a git repository" in failure.words:
        return Problem(
            folder, "not in a git repository, so there is no revision to compare with", "compare with dir:PATH"
        )
    if "dubious ownership" in failure.words:
        return Problem(
            folder,
            "git does not trust repositories of other users",
            f"git config --global --add safe.directory {os.path.abspath(folder)}",
        )
    if advice := remedy(failure.words):
        return Problem(folder, f"git failed: {failure.words}", advice)
    if not failure.code:
        return Problem(folder, f"git failed: {failure.words}", "check that git runs here, or compare with dir:PATH")
    return Problem(folder, f"git failed: {failure.words}", "repair the repository, or compare with dir:PATH")


def resolve(repo: Repository, name: str) -> Revision | None:
    """Return the revision of that name, or ``None`` if it does not exist.

    A name of zeros means no revision, as git hooks and CI servers use it for new branches.
    """
    if name == INDEX:
        return Revision(INDEX)
    if _ZEROS.fullmatch(name):
        return Revision(name, EMPTY_TREE)
    names = f"{name}^{{tree}}\n{name}\n"
    found = run(repo.root, "cat-file", "--batch-check", stdin=names.encode("utf-8", "surrogateescape"))
    if isinstance(found, GitFailure) and (found.lacks_objects or found.is_not_run):
        raise _error(name, found)
    lines = [] if isinstance(found, GitFailure) else found.decode("utf-8", "replace").splitlines()
    if len(lines) != 2 or not all(_is_object(line) for line in lines):
        return Revision(name, EMPTY_TREE) if name == "HEAD" and _is_unborn(repo) else None
    return Revision(name, lines[1].split()[0])


def _is_object(line: str) -> bool:
    return len(line.split()) == 3 and line.split()[1] in ("commit", "tree", "tag")


def _is_unborn(repo: Repository) -> bool:
    """Return whether the repository has no commits yet."""
    return isinstance(run(repo.root, "rev-parse", "--verify", "--quiet", "HEAD"), GitFailure)


def merge_base(repo: Repository, one: Revision, other: Revision) -> Revision | None:
    """Return the merge base of two revisions, or ``None`` if none is known."""
    found = run(repo.root, "merge-base", one.id, other.id)
    if isinstance(found, GitFailure):
        if found.lacks_objects:
            raise _error(one.name, found)
        return None
    commit = found.decode("ascii").strip()
    return Revision(commit, commit)


def commits(repo: Repository, base: Revision, head: Revision) -> tuple[Revision, ...]:
    """Return the commits after ``base`` up to ``head``; the commits of a merged branch count as one step.

    Their names are the displayed ones: the abbreviated id and the subject.
    """
    # Unlike log, rev-list ignores the log.* configuration; log.showSignature would start a program.
    span = f"{base.id}..{head.id}"
    output = _ask(repo, "rev-list", "--first-parent", "--reverse", "--encoding=UTF-8", "--format=tformat:%H %s", span)
    records = (line.decode("utf-8", "replace").partition(" ") for line in output.split(b"\n")[1::2])
    return tuple(Revision(f"{commit[:SHORT]} {subject}", commit) for commit, _, subject in records)


def tree(repo: Repository, revision: Revision) -> RevisionTree:
    """Return the files of a revision; raises ``GitError`` if git fails, as the functions below do."""
    if revision.is_index:
        return RevisionTree(revision, {path: entry for _, path, entry in _parse_index(repo)})
    records = filter(None, _ask(repo, "ls-tree", "-r", "-z", "--full-tree", revision.id).split(b"\0"))
    return RevisionTree(revision, dict(map(_parse_tree_record, records)))


def _parse_tree_record(record: bytes) -> tuple[str, Entry]:
    """Parse ``MODE TYPE ID\\tPATH``."""
    header, _, path = record.partition(b"\t")
    mode, _, name = header.decode("ascii").split()
    return os.fsdecode(path), Entry(mode, name)


def _parse_index(repo: Repository) -> Iterator[tuple[str, str, Entry]]:
    """Yield the tag, the path and the entry of each file of the index, ``TAG MODE ID STAGE\\tPATH``."""
    for record in filter(None, _ask(repo, "ls-files", "-s", "-t", "-z").split(b"\0")):
        header, _, path = record.partition(b"\t")
        tag, mode, name, stage = header.decode("ascii").split()
        if stage != "0":
            raise GitError(
                Problem(os.fsdecode(path), "this path is unmerged in the index", "resolve the conflict, and git add it")
            )
        yield tag, os.fsdecode(path), Entry(mode, name)


def files_not_checked_out(repo: Repository) -> RevisionTree:
    """Return the files of the index that are excluded from the work tree, as in a sparse checkout."""
    return RevisionTree(Revision(INDEX), {path: entry for tag, path, entry in _parse_index(repo) if tag == _SKIPPED})


def changed_paths(repo: Repository, base: Revision, head: Revision | None) -> Mapping[str, frozenset[str]]:
    """Return the paths that differ between two revisions; without ``head``, between one and the work tree.

    In the work tree the result may be too large: a rewritten file counts even if its content is unchanged. Untracked
    files are not included, and of a submodule only its commit counts. The values are the old and new file modes.
    """
    if head and base.id == head.id:
        return {}
    settings = without_filters(repo.root) if head is None else {}
    found = _ask(repo, *_comparison(base, head), *_RAW, settings=settings)
    # Each record is two fields: ``:MODE MODE ID ID STATUS``, and the path.
    fields = found.split(b"\0")
    modes = (header.decode("ascii").lstrip(":").split()[:2] for header in fields[0:-1:2])
    return dict(zip(map(os.fsdecode, fields[1::2]), map(frozenset, modes), strict=True))


def _comparison(base: Revision, head: Revision | None) -> tuple[str, ...]:
    if head is None:
        return ("diff-files",) if base.is_index else ("diff-index", base.id)
    if head.is_index:
        return ("diff-index", "--cached", base.id)
    return ("diff-index", "--cached", "-R", head.id) if base.is_index else ("diff-tree", "-r", base.id, head.id)


def default_branch(repo: Repository) -> Revision | None:
    """Return the default branch of ``origin``, ``None`` if it is unknown."""
    found = (resolve(repo, f"refs/remotes/origin/{name}") for name in ("HEAD", "main", "master"))
    return next(filter(None, found), None)


def default_branches(repo: Repository) -> frozenset[str]:
    """Return the default branches of the remotes.

    ``git clone`` records the default branch, the checkout of a CI job often does not.
    """
    return _lines(repo, "for-each-ref", "--format=%(symref:lstrip=3)", "refs/remotes/*/HEAD")


def current_branches(repo: Repository) -> frozenset[str]:
    """Return the current branch alone, nothing if a commit is checked out."""
    return _lines(repo, "symbolic-ref", "--quiet", "--short", "HEAD")


def _lines(repo: Repository, *words: str) -> frozenset[str]:
    output = run(repo.root, *words)
    text = "" if isinstance(output, GitFailure) else output.decode("utf-8", "surrogateescape")
    return frozenset(filter(None, text.splitlines()))


def is_modified(folder: str) -> bool:
    """Return whether the work tree of a submodule differs from its last commit, or is missing."""
    repo = repository(folder)
    if isinstance(repo, Problem) or repo.root != os.path.realpath(folder):
        return False
    head = resolve(repo, "HEAD")
    return head is None or bool(changed_paths(repo, head, None)) or bool(untracked_files(repo))


def untracked_files(repo: Repository) -> tuple[str, ...]:
    """Return the untracked files of the work tree that are not ignored."""
    return tuple(path for tag, path in _work_tree(repo) if tag == _UNTRACKED)


def work_tree(repo: Repository) -> tuple[str, ...]:
    """Return the tracked and the untracked paths that are not ignored, each once.

    Some may not exist, and during a merge some may have conflicts.
    """
    return tuple(dict.fromkeys(path for _, path in _work_tree(repo)))


def _work_tree(repo: Repository) -> Iterator[tuple[str, str]]:
    """Yield the tag and the path of each file, ``TAG PATH``."""
    for record in _paths(_ask(repo, "ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard")):
        tag, _, path = record.partition(" ")
        yield tag, path


def files_mentioning(repo: Repository, revision: Revision | None, words: Collection[str]) -> frozenset[str]:
    """Return the manifests of a revision, or of the work tree, that contain one of these words as a whole word.

    Only files with an extension of manifests are searched.
    """
    where = [] if revision is None else ["--cached"] if revision.is_index else [revision.id]
    patterns = "".join(f"{word}\n" for word in words).encode()
    found = run(repo.root, *_GREP, *where, *_MANIFESTS, stdin=patterns)
    if isinstance(found, GitFailure) and found.code != _NOTHING_FOUND:
        raise _error(str(revision or repo.root), found)
    start = f"{revision.id}:" if revision and revision.id else ""
    return (
        frozenset() if isinstance(found, GitFailure) else frozenset(path.removeprefix(start) for path in _paths(found))
    )


def _paths(listed: bytes) -> Iterator[str]:
    return (os.fsdecode(path) for path in listed.split(b"\0") if path)


def contents(repo: Repository, ids: Collection[str]) -> Mapping[str, bytes]:
    """Return the contents of these ids; raises ``GitError`` if the repository does not have one."""
    if not ids:
        return {}
    found = run(repo.root, "cat-file", "--batch", stdin="".join(f"{one}\n" for one in ids).encode("ascii"))
    if isinstance(found, GitFailure):
        raise _error(repo.root, found)
    texts = dict(_contents(found))
    missing = sorted(set(ids) - texts.keys())
    if missing:
        raise _error(repo.root, GitFailure(f"missing blob {missing[0]}"))
    return texts


def _contents(batch: bytes) -> Iterator[tuple[str, bytes]]:
    """Parse the output of ``git cat-file --batch``: ``ID TYPE SIZE``, the content, a line break; or ``ID missing``."""
    position = 0
    while position < len(batch):
        end = batch.index(b"\n", position)
        words = batch[position:end].split()
        position = end + 1
        if len(words) == 3:
            size = int(words[2])
            yield words[0].decode("ascii"), batch[position : position + size]
            position += size + 1


def _ask(repo: Repository, *arguments: str, settings: Mapping[str, str] | None = None) -> bytes:
    found = run(repo.root, *arguments, settings=settings)
    if isinstance(found, GitFailure):
        raise _error(repo.root, found)
    return found


def _error(where: str, failure: GitFailure) -> GitError:
    if failure.lacks_objects:
        return GitError(
            Problem(
                where,
                f"objects of a compared revision are missing, and nothing is fetched: {failure.words}",
                "fetch them first: git fetch --refetch, or in a partial clone git fetch --refetch --no-filter",
            )
        )
    if "must be run in a work tree" in failure.words:
        return GitError(Problem(where, "the repository has no work tree", "specify both revisions: --against A..B"))
    return GitError(Problem(where, f"git failed: {failure.words}", remedy(failure.words) or "run git fsck"))
