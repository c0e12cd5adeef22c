"""Whether a declaration refers to the examined repository and revision."""

from collections.abc import Callable, Collection, Iterable
from typing import Final

from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, dig, text_at
from kubectl_applylint.core.version_ranges import parse_range, parse_version
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.model import IncludedSource
from kubectl_applylint.units.tree import Tree

BRANCH: Final = "branch "
"""Prefix of a revision that is a branch."""
OTHER_SOURCE: Final = "its source is "
"""Prefix of the reason that a declaration refers to another source."""
OTHER_REVISION: Final = "it applies "
"""Prefix of the reason that a declaration refers to another revision."""
_REFERENCES: Final = {"commit": "commit ", "semver": "version ", "tag": "tag ", "branch": BRANCH}
"""The fields of ``spec.ref`` of a GitRepository by precedence, without ``name``."""
_VARIABLE: Final = regex(r"\$\{|\{\{|\$\(")
_BORDER: Final = regex("[/:]")
_USER: Final = regex("(?<=//)[^/@]*@")
_VERSION: Final = regex(r"[v^~=<>]*\s*[0-9]+(?:\.[0-9x*]+)+(?:[-+].*)?")
_COMMIT: Final = regex("[0-9a-f]{7,40}")
_SCHEME: Final = regex("^[a-z]+://")


@dataclass(frozen=True, slots=True)
class OwnSources:
    """What counts as the examined files, in addition to the remotes and branches of the repository."""

    revisions: tuple[str, ...] = ()
    """Branches, tags and commits that count as the examined revision."""
    folders: tuple[tuple[str, str], ...] = ()
    """Sources by URL or ``KIND/NAMESPACE/NAME``, each with the folder of the repository that it contains."""

    def folder(self, declared: Declared) -> str | None:
        """Return the folder that the source of a declaration contains, ``None`` for other sources."""
        names = {_address(declared.source), declared.source_object.lower()} - {""}
        return next((folder for name, folder in self.folders if _address(name) in names), None)

    def has_revision(self, revision: str) -> bool:
        """Return whether a revision is one of these; a range of versions is if it contains one."""
        kind, _, name = revision.partition(" ")
        return any(_is_revision(kind, name, own.strip()) for own in self.revisions)


NO_OWN: Final = OwnSources()


def _address(url: str) -> str:
    """Return a URL without the parts that differ between spellings: scheme, user, ``.git``."""
    return _SCHEME.sub("", _USER.sub("", url.strip().lower())).rstrip("/").removesuffix(".git")


def _is_revision(kind: str, name: str, own: str) -> bool:
    if f"{kind} {name}" == revision_named(own) or own == name:
        return True
    if kind == "commit":
        return _COMMIT.fullmatch(own) is not None and name.startswith(own)
    wanted, version = parse_range(name), parse_version(own.removeprefix("refs/tags/"))
    return bool(kind in ("tag", "version") and wanted and version and wanted.allows(version))


@dataclass(frozen=True, slots=True)
class Checkout:
    """The examined repository, and its revision."""

    remotes: frozenset[str] = frozenset()
    """The URLs of its remotes."""
    branches: Callable[[], Collection[str]] = field(default=frozenset, repr=False, compare=False)
    """Returns the branches that count as this revision; empty if unknown."""
    own: OwnSources = NO_OWN
    examined_branches: Callable[[], Collection[str]] = field(default=frozenset, repr=False, compare=False)
    """Returns the branches that are this revision even if no default branch is known."""


def unused_revisions(checkout: Checkout, declared: Iterable[str]) -> tuple[str, ...]:
    """Return the revisions that count only on request, and that none of the declared ones is."""
    named = frozenset(declared)
    rest = (one for one in checkout.own.revisions if not any(map(OwnSources((one,)).has_revision, named)))
    return tuple(one for one in rest if one.removeprefix("refs/heads/") not in checkout.branches())


def locate(declared: Declared, checkout: Checkout, files: Tree) -> Declared:
    """Return a declaration with its path in the repository, or with the reason why it refers to other files.

    The source of the installation of Flux is taken to be the repository if the path exists there. An artifact of it is
    often pushed from one folder, so the path may be below exactly one folder at the top.
    """
    if declared.applied.includes:
        included = tuple(_locate_include(one, declared.source, checkout) for one in declared.applied.includes)
        declared = replace(declared, applied=replace(declared.applied, includes=included))
    others = tuple(one for one in declared.revisions if not is_revision_here(one, checkout))
    every = dict.fromkeys((declared.revision, *declared.revisions))
    branches = tuple(one for one in every if is_revision_assumed(one, checkout))
    if others or branches:
        applied = replace(declared.applied, other_revisions=others, assumed_revisions=branches)
        declared = replace(declared, applied=applied)
    if declared.elsewhere:
        return declared
    folder = checkout.own.folder(declared)
    if folder:
        declared = _below(declared, folder)
    other = _other_source(declared, checkout) if folder is None else ""
    assumed = _as_root_source(declared, files) if other and declared.is_root_source and declared.path else None
    if assumed:
        declared, other = assumed, ""
    if other:
        return replace(declared, elsewhere=f"{OTHER_SOURCE}{other}")
    is_here = is_revision_here(declared.revision, checkout)
    return declared if is_here else replace(declared, elsewhere=f"{OTHER_REVISION}{declared.revision}")


def _locate_include(one: IncludedSource, source: str, checkout: Checkout) -> IncludedSource:
    """Return an included repository, without a source of the store if its files are those that are examined.

    If the repository has no remotes, these are the files of ``source``, the URL of the one that includes it.
    """
    includes = tuple(_locate_include(inner, source, checkout) for inner in one.includes)
    is_same = is_same_repository(one.url, checkout.remotes or frozenset((source,)))
    is_own = bool(one.url) and is_same and is_revision_here(one.revision, checkout)
    found = replace(one, source=None, reason="") if is_own else one
    return replace(found, includes=includes)


def _as_root_source(declared: Declared, files: Tree) -> Declared | None:
    """Return a declaration whose source is taken to be the repository or one folder of it, ``None`` if neither fits."""
    # The bootstrap of Flux stores its own manifests in this source.
    if files.exists(declared.path):
        return replace(declared, assumed=f"as it has the path {declared.path}")
    if declared.source_object.startswith("GitRepository/"):
        return None
    folders = [top for top in files.top_folders() if files.exists(f"{top}/{declared.path}")]
    if len(folders) != 1:
        return None
    return replace(_below(declared, folders[0]), assumed=f"as its folder {folders[0]} has the path {declared.path}")


def _below(declared: Declared, folder: str) -> Declared:
    """Return a declaration whose paths are below a folder."""
    path, *others = (f"{folder}/{one}".rstrip("/") for one in (declared.path, *declared.folders, *declared.read_files))
    number = len(declared.folders)
    return replace(declared, path=path, folders=tuple(others[:number]), read_files=tuple(others[number:]))


def _other_source(declared: Declared, checkout: Checkout) -> str:
    """Return the source of a declaration, empty if it is the repository."""
    url = _USER.sub("", declared.source.strip())
    if declared.other_source:
        return f"{declared.other_source} ({url})" if url else declared.other_source
    return "" if is_same_repository(declared.source, checkout.remotes) else url


def is_revision_here(revision: str, checkout: Checkout) -> bool:
    """Return whether a revision is the examined one. Without remotes the repository is unknown, so none is."""
    if not revision or not checkout.remotes or _VARIABLE.search(revision) or checkout.own.has_revision(revision):
        return True
    branches = checkout.branches() if revision.startswith(BRANCH) else ("",)
    return not branches or revision.removeprefix(BRANCH) in branches


def is_revision_assumed(revision: str, checkout: Checkout) -> bool:
    """Return whether a branch counts as the examined revision only because no default branch is known."""
    is_branch = revision.startswith(BRANCH) and not _VARIABLE.search(revision)
    if not (is_branch and checkout.remotes) or checkout.own.has_revision(revision) or checkout.branches():
        return False
    return revision.removeprefix(BRANCH) not in checkout.examined_branches()


def reference_revision(repository: JsonObject) -> str:
    """Return the revision in ``spec.ref`` of a GitRepository of Flux, from the first field that is set."""
    reference = dig(repository, "spec", "ref")
    name = text_at(reference, "name")
    if not text_at(reference, "commit") and name:
        return revision_named(name)
    words = ((text, text_at(reference, field)) for field, text in _REFERENCES.items())
    return next((f"{text}{value}" for text, value in words if value), "")


def revision_named(word: str) -> str:
    """Return the revision for a word that may be a branch, a tag, a version range or a commit."""
    name = word.strip().removeprefix("refs/heads/")
    if name in ("", "HEAD"):
        return ""
    if name.startswith("refs/tags/") or _VERSION.fullmatch(name):
        return f"tag {name.removeprefix('refs/tags/')}"
    return f"commit {name}" if _COMMIT.fullmatch(name) else f"{BRANCH}{name}"


def is_same_repository(source: str, remotes: Collection[str]) -> bool:
    """Return whether the URL of a repository refers to the one with these remotes.

    This is also assumed if it is unknown: if the source is empty or contains a variable, or there are no remotes to
    compare with. Otherwise the name decides, the last part of the path: scheme, user, host, port and ``.git`` differ
    between the spellings of one repository (``git@host:owner/name.git``, ``https://host/owner/name``), and the owner
    between it and its forks and mirrors, which have the same paths. If two repositories share a name, a path that both
    have gets the options of the wrong one.
    """
    if not source.strip() or _VARIABLE.search(source) or not remotes:
        return True
    return _name(source) in map(_name, remotes)


def _name(url: str) -> str:
    return _BORDER.split(url.strip().rstrip("/"))[-1].removesuffix(".git").lower()
