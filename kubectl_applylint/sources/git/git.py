"""What git knows of earlier revisions, asked of the ``git`` program in few calls; the work tree is never touched.

Paths are those of git: from the root of the repository, with ``/`` between folders.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.problem import Problem, Unreadable
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.shortage import remedy
from kubectl_applylint.sources.git.git_command import GitFailure, run
from kubectl_applylint.sources.render.checkout import work_tree_of

INDEX: Final = "index"
"""What the staged files are called where a revision is asked for."""
EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The tree without files, which git knows in every repository."""
LINK, SUBMODULE = "120000", "160000"
SHORT: Final = 7
"""How many characters of an id people are shown."""
_SKIPPED: Final = "S"
"""The tag of files that the work tree is not to have."""
_RAW: Final = ("-z", "--raw", "--no-renames", "--ignore-submodules=dirty", "--no-ext-diff", "--no-textconv")
"""Git would look for dirty submodules with a program of its own, which follows the configuration of those."""
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
"""Where to search: most files of a repository are no manifests, and all contents of a revision have to be unpacked."""
_NOTHING_FOUND: Final = 1
_ZEROS: Final = regex("0{40}|0{64}")


class GitError(Unreadable):
    """Git refused; ``problem`` is what it said and what helps."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository. ``root`` is the folder of its work tree, without links in it; a bare one has none, and is where
    it was found.
    """

    root: str
    is_shallow: bool
    is_bare: bool = False

    def path_of(self, file: str) -> str | None:
        """Return the path of a file or folder in the repository (``""`` for its root), ``None`` for one outside.

        Links to folders on the way are followed, the file itself is not.
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
        """Whether the staged files are meant."""
        return not self.id

    @property
    def short(self) -> str:
        """The name as ``git show NAME:PATH`` takes it, short for an id."""
        return self.id[:SHORT] if self.id and self.id.startswith(self.name) else self.name

    def __str__(self) -> str:
        if self.is_index:
            return "the git index"
        if self.id == EMPTY_TREE:
            return "an empty repository"
        return self.short if self.short != self.name or self.id == self.name else f"{self.name} ({self.id[:SHORT]})"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a revision: its mode (``LINK`` and ``SUBMODULE`` are special) and the id of its content."""

    mode: str
    id: str


@dataclass(frozen=True, slots=True)
class RevisionTree:
    """The files of a revision by their paths."""

    revision: Revision
    entries: Mapping[str, Entry] = field(repr=False)


def repository(folder: str) -> Repository | Problem:
    """Return the repository that a folder is in; one without a work tree only if the folder is in no work tree."""
    found = run(_start(folder), "rev-parse", "--show-toplevel", "--is-shallow-repository")
    if isinstance(found, GitFailure):
        return _bare(folder, found) if "must be run in a work tree" in found.words else _no_repository(folder, found)
    root, shallow = os.fsdecode(found).rsplit("\n", 2)[:2]
    return Repository(os.path.realpath(root), shallow == "true")


def _start(folder: str) -> str:
    """Return where git is to look for the repository of a folder: in its work tree, unless ``GIT_DIR`` names one."""
    return folder if os.environ.get("GIT_DIR") else work_tree_of(folder) or folder


def _bare(folder: str, failure: GitFailure) -> Repository | Problem:
    """Return a repository without a work tree, or whose work tree is elsewhere."""
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
    """Return the revision of that name, ``None`` where the repository has none.

    Nothing but zeros stands for nothing, as in what hooks and CI servers are told of a branch that is new.
    """
    if name == INDEX:
        return Revision(INDEX)
    if _ZEROS.fullmatch(name):
        return Revision(name, EMPTY_TREE)
    asked = f"{name}^{{tree}}\n{name}\n"
    found = run(repo.root, "cat-file", "--batch-check", stdin=asked.encode("utf-8", "surrogateescape"))
    if isinstance(found, GitFailure) and (found.lacks_objects or found.is_no_answer):
        raise _error(name, found)
    lines = [] if isinstance(found, GitFailure) else found.decode("utf-8", "replace").splitlines()
    if len(lines) != 2 or not all(_is_object(line) for line in lines):
        return Revision(name, EMPTY_TREE) if name == "HEAD" and _is_unborn(repo) else None
    return Revision(name, lines[1].split()[0])


def _is_object(line: str) -> bool:
    return len(line.split()) == 3 and line.split()[1] in ("commit", "tree", "tag")


def _is_unborn(repo: Repository) -> bool:
    """Return whether nothing was committed yet."""
    return isinstance(run(repo.root, "rev-parse", "--verify", "--quiet", "HEAD"), GitFailure)


def merge_base(repo: Repository, one: Revision, other: Revision) -> Revision | None:
    """Return the newest commit that both have in their history, ``None`` where nobody knows one."""
    found = run(repo.root, "merge-base", one.id, other.id)
    if isinstance(found, GitFailure):
        if found.lacks_objects:
            raise _error(one.name, found)
        return None
    commit = found.decode("ascii").strip()
    return Revision(commit, commit)


def commits(repo: Repository, base: Revision, head: Revision) -> tuple[Revision, ...]:
    """Return the commits that lead from one to another, that one included; of a merge what it brought is one step.

    Their names are what people see of them: the short id and the subject.
    """
    # Unlike log, rev-list follows no log.* of the configuration, of which showSignature starts a program.
    span = f"{base.id}..{head.id}"
    told = _ask(repo, "rev-list", "--first-parent", "--reverse", "--encoding=UTF-8", "--format=tformat:%H %s", span)
    records = (line.decode("utf-8", "replace").partition(" ") for line in told.split(b"\n")[1::2])
    return tuple(Revision(f"{commit[:SHORT]} {subject}", commit) for commit, _, subject in records)


def tree(repo: Repository, revision: Revision) -> RevisionTree:
    """Return the files of a revision; raise ``GitError`` where git cannot tell, as the functions below do."""
    if revision.is_index:
        return RevisionTree(revision, {path: entry for _, path, entry in _index(repo)})
    records = filter(None, _ask(repo, "ls-tree", "-r", "-z", "--full-tree", revision.id).split(b"\0"))
    return RevisionTree(revision, dict(map(_of_tree, records)))


def _of_tree(record: bytes) -> tuple[str, Entry]:
    """Read ``MODE TYPE ID\\tPATH``."""
    header, _, path = record.partition(b"\t")
    mode, _, name = header.decode("ascii").split()
    return os.fsdecode(path), Entry(mode, name)


def _index(repo: Repository) -> Iterator[tuple[str, str, Entry]]:
    """Yield the tag, the path and the entry of each file of the index, ``TAG MODE ID STAGE\\tPATH``."""
    for record in filter(None, _ask(repo, "ls-files", "-s", "-t", "-z").split(b"\0")):
        header, _, path = record.partition(b"\t")
        tag, mode, name, stage = header.decode("ascii").split()
        if stage != "0":
            raise GitError(
                Problem(
                    os.fsdecode(path),
                    "this path is unmerged in the index",
                    "resolve the conflict, and git add it",
                )
            )
        yield tag, os.fsdecode(path), Entry(mode, name)


def not_checked_out(repo: Repository) -> RevisionTree:
    """Return the files that the index has and the work tree is not to have, as in a sparse checkout."""
    return RevisionTree(Revision(INDEX), {path: entry for tag, path, entry in _index(repo) if tag == _SKIPPED})


def is_sparse(repo: Repository) -> bool:
    """Return whether the work tree is meant to lack files."""
    found = run(repo.root, "config", "--type=bool", "--get", "core.sparseCheckout")
    return not isinstance(found, GitFailure) and found.strip() == b"true"


def changed_paths(repo: Repository, base: Revision, head: Revision | None) -> Mapping[str, frozenset[str]]:
    """Return the paths that differ between two revisions; without ``head``, between one and the work tree.

    In the work tree that may be too many: a file that was written anew counts, whatever is in it. Files that git does
    not track are not among them, and of a submodule only its commit counts. The modes of before and after go with each.
    """
    if head and base.id == head.id:
        return {}
    settings = _without_filters(repo) if head is None else {}
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


def _without_filters(repo: Repository) -> Mapping[str, str]:
    """Return settings that switch off every program by which git would filter a file of the work tree."""
    found = run(repo.root, "config", "-z", "--name-only", "--get-regexp", r"^filter\.")
    names = {} if isinstance(found, GitFailure) else dict.fromkeys(_paths(found))
    drivers = dict.fromkeys(name.rpartition(".")[0] for name in names)
    off = {"clean": "", "smudge": "", "process": "", "required": "false"}
    return {f"{driver}.{key}": value for driver in drivers for key, value in off.items()}


def remotes(repo: Repository) -> frozenset[str]:
    """Return the URLs of the remotes of a repository, as its configuration spells them."""
    found = run(repo.root, "config", "-z", "--get-regexp", r"^remote\..*\.url$")
    # Each record is the name, a line break and the value.
    records = () if isinstance(found, GitFailure) else _paths(found)
    return frozenset(record.partition("\n")[2] for record in records)


def own_branches(repo: Repository) -> frozenset[str]:
    """Return the default branches of the remotes and the current branch; empty if no default branch is known.

    ``git clone`` records the default branch, the checkout of a CI job often does not.
    """
    defaults = run(repo.root, "for-each-ref", "--format=%(symref:lstrip=3)", "refs/remotes/*/HEAD")
    if isinstance(defaults, GitFailure) or not defaults.strip():
        return frozenset()
    current = run(repo.root, "symbolic-ref", "--quiet", "--short", "HEAD")
    lines = defaults + (b"" if isinstance(current, GitFailure) else current)
    return frozenset(filter(None, lines.decode("utf-8", "surrogateescape").splitlines()))


def is_touched(folder: str) -> bool:
    """Return whether the work tree of a submodule is not as its last commit; one that is not checked out is."""
    repo = repository(folder)
    if isinstance(repo, Problem) or repo.root != os.path.realpath(folder):
        return False
    head = resolve(repo, "HEAD")
    return head is None or bool(changed_paths(repo, head, None)) or bool(untracked_files(repo))


def untracked_files(repo: Repository) -> tuple[str, ...]:
    """Return the files of the work tree that git neither tracks nor ignores."""
    return tuple(_paths(_ask(repo, "ls-files", "-z", "--others", "--exclude-standard")))


def work_tree(repo: Repository) -> tuple[str, ...]:
    """Return the paths that git tracks, and those that it neither tracks nor ignores, each once.

    Some may not be there, and in a merge some are not decided yet.
    """
    listed = _ask(repo, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return tuple(dict.fromkeys(_paths(listed)))


def files_mentioning(repo: Repository, revision: Revision | None, words: Collection[str]) -> frozenset[str]:
    """Return the manifests of a revision, or else of the work tree, that have one of these words in them, whole.

    What counts is the extension: files of other names are not searched.
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
    """Return the contents of these ids; raise ``GitError`` where the repository lacks one."""
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
    """Yield what ``git cat-file --batch`` tells: ``ID TYPE SIZE``, the content, a line break; or ``ID missing``."""
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
