"""What git knows of earlier revisions, asked of the ``git`` program in few calls; the work tree is never touched.

Paths are those of git: from the root of the repository, with ``/`` between folders.
"""

import os
import re
import subprocess
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from kubectl_applylint.model import Problem

INDEX: Final = "index"
"""What the staged files are called where a revision is asked for."""
EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The tree without files, which git knows in every repository."""
LINK, SUBMODULE = "120000", "160000"
_QUIET: Final = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
"""Git refreshes no index, asks nobody, and speaks a language that can be looked up."""
SHORT: Final = 7
"""How many characters of an id people are shown."""
_ZEROS: Final = re.compile("0{40}|0{64}")


class GitError(Exception):
    """Git refused; the text is what it said."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What git said when it refused."""

    words: str


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository with a work tree. ``root`` is its folder, without links in it."""

    root: str
    is_shallow: bool

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
class Tree:
    """The files of a revision by their paths."""

    revision: Revision
    entries: Mapping[str, Entry] = field(repr=False)


def repository(folder: str) -> Repository | Problem:
    """Return the repository that a folder is in."""
    found = _git(folder, "rev-parse", "--show-toplevel", "--is-shallow-repository")
    if isinstance(found, Failure):
        return _no_repository(folder, found)
    root, shallow = os.fsdecode(found).splitlines()
    return Repository(os.path.realpath(root), shallow == "true")


def _no_repository(folder: str, failure: Failure) -> Problem:
    if "not a git repository" in failure.words:
        return Problem(
            folder, "not in a git repository, so that there is no revision to compare with", "compare by dir:PATH"
        )
    if "dubious ownership" in failure.words:
        return Problem(
            folder,
            "git trusts no repository of another user",
            f"git config --global --add safe.directory {os.path.abspath(folder)}",
        )
    return Problem(folder, f"git could not be asked: {failure.words}", "repair the repository, or compare by dir:PATH")


def resolve(repo: Repository, name: str) -> Revision | None:
    """Return the revision of that name, ``None`` where the repository has none.

    Nothing but zeros stands for nothing, as in what hooks and CI servers are told of a branch that is new.
    """
    if name == INDEX:
        return Revision(INDEX)
    if _ZEROS.fullmatch(name):
        return Revision(name, EMPTY_TREE)
    asked = f"{name}^{{tree}}\n{name}\n"
    found = _git(repo.root, "cat-file", "--batch-check", stdin=asked.encode("utf-8", "surrogateescape"))
    lines = [] if isinstance(found, Failure) else found.decode("utf-8", "replace").splitlines()
    if len(lines) != 2 or not all(_is_object(line) for line in lines):
        return Revision(name, EMPTY_TREE) if name == "HEAD" and _is_unborn(repo) else None
    return Revision(name, lines[1].split()[0])


def _is_object(line: str) -> bool:
    return len(line.split()) == 3 and line.split()[1] in ("commit", "tree", "tag")


def _is_unborn(repo: Repository) -> bool:
    """Tell whether nothing was committed yet."""
    return isinstance(_git(repo.root, "rev-parse", "--verify", "--quiet", "HEAD"), Failure)


def merge_base(repo: Repository, one: Revision, other: Revision) -> Revision | None:
    """Return the newest commit that both have in their history, ``None`` where nobody knows one."""
    found = _git(repo.root, "merge-base", one.id, other.id)
    if isinstance(found, Failure):
        return None
    commit = found.decode("ascii").strip()
    return Revision(commit, commit)


def commits(repo: Repository, base: Revision, head: Revision) -> tuple[Revision, ...]:
    """Return the commits that lead from one to another, that one included; of a merge what it brought is one step.

    Their names are what people see of them: the short id and the subject.
    """
    log = _ask(repo, "log", "-z", "--first-parent", "--reverse", "--format=%H %s", f"{base.id}..{head.id}")
    records = (record.decode("utf-8", "replace").partition(" ") for record in log.split(b"\0") if record)
    return tuple(Revision(f"{commit[:SHORT]} {subject}", commit) for commit, _, subject in records)


def tree(repo: Repository, revision: Revision) -> Tree:
    """Return the files of a revision; raise ``GitError`` where git cannot tell, as the functions below do."""
    arguments = ("ls-files", "-s", "-z") if revision.is_index else ("ls-tree", "-r", "-z", "--full-tree", revision.id)
    records = filter(None, _ask(repo, *arguments).split(b"\0"))
    return Tree(revision, dict(_entry(record, is_index=revision.is_index) for record in records))


def _entry(record: bytes, *, is_index: bool) -> tuple[str, Entry]:
    """Read ``MODE ID STAGE\\tPATH`` of the index, or ``MODE TYPE ID\\tPATH`` of a tree."""
    header, _, path = record.partition(b"\t")
    words = header.decode("ascii").split()
    return os.fsdecode(path), Entry(words[0], words[1] if is_index else words[2])


def changed(repo: Repository, base: Revision, head: Revision | None) -> frozenset[str]:
    """Return the paths that differ between two revisions; without ``head``, between one and the work tree.

    In the work tree that may be too many: a file that was written anew counts, whatever is in it. Files that git does
    not track are not among them.
    """
    records = _ask(repo, *_comparison(base, head), "-z", "--no-renames", "--ignore-submodules=none")
    # Each record is two fields: what became of the file, and its path.
    return frozenset(map(os.fsdecode, records.split(b"\0")[1::2]))


def _comparison(base: Revision, head: Revision | None) -> tuple[str, ...]:
    if head is None:
        return ("diff-files",) if base.is_index else ("diff-index", base.id)
    if head.is_index:
        return ("diff-index", "--cached", base.id)
    return ("diff-index", "--cached", "-R", head.id) if base.is_index else ("diff-tree", "-r", base.id, head.id)


def untracked(repo: Repository) -> tuple[str, ...]:
    """Return the files of the work tree that git neither tracks nor ignores."""
    return tuple(_paths(_ask(repo, "ls-files", "-z", "--others", "--exclude-standard")))


def mentioning(repo: Repository, revision: Revision | None, words: Collection[str]) -> frozenset[str]:
    """Return the files of a revision, or else of the work tree, that have one of these words in them, whole."""
    where = [] if revision is None else ["--cached"] if revision.is_index else [revision.id]
    patterns = "".join(f"{word}\n" for word in words).encode()
    found = _git(repo.root, "grep", "-l", "-z", "-I", "-w", "-F", "-f", "-", *where, stdin=patterns)
    start = f"{revision.id}:" if revision and revision.id else ""
    return frozenset() if isinstance(found, Failure) else frozenset(path.removeprefix(start) for path in _paths(found))


def _paths(listed: bytes) -> Iterator[str]:
    return (os.fsdecode(path) for path in listed.split(b"\0") if path)


def contents(repo: Repository, ids: Collection[str]) -> Mapping[str, bytes]:
    """Return the contents of these ids; one that the repository lacks is not in it."""
    if not ids:
        return {}
    found = _git(repo.root, "cat-file", "--batch", stdin="".join(f"{one}\n" for one in ids).encode("ascii"))
    return {} if isinstance(found, Failure) else dict(_contents(found))


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


def _ask(repo: Repository, *arguments: str) -> bytes:
    found = _git(repo.root, *arguments)
    if isinstance(found, Failure):
        raise GitError(found.words)
    return found


def _git(folder: str, *arguments: str, stdin: bytes = b"") -> bytes | Failure:
    environment = {**os.environ, **_QUIET}
    try:
        done = subprocess.run(
            ["git", "-c", "core.fsmonitor=false", *arguments],
            cwd=folder,
            env=environment,
            input=stdin,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        return Failure("there is no git program here")
    except OSError as fault:
        return Failure(fault.strerror or "the program does not start")
    if done.returncode:
        return Failure(os.fsdecode(done.stderr).strip() or f"git {arguments[0]} ended with {done.returncode}")
    return done.stdout
