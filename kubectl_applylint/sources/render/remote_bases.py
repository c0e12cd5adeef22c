"""Remote bases and remote files of kustomizations: how their URLs are read, and where their stored copies come from.

The syntax is that of kustomize's ``NewRepoSpecFromURL``. Programs that render never fetch: only what the store has is
rendered.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeAlias
from urllib.parse import parse_qs

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex

FOLDER: Final = ".applylint-remote"
"""The folder of the private copy that has the stored bases, each in a folder of its own."""
_FILES: Final = (".yaml", ".yml", ".json")
_GITHUB: Final = "github.com"
_SEGMENTS: Final = 2
"""The length of the path of a repository on GitHub."""
_SPEC: Final = regex(
    r"(?:git::)?(?P<scheme>(?:ssh|https?)://)?(?:[A-Za-z][A-Za-z0-9-]*(?::[^@/]*)?@)?(?P<host>[^/:@\s]+)"
    r"(?P<port>:[0-9]{1,5}(?=/))?[/:](?P<rest>[^\s]+)",
    re.IGNORECASE,
)
_USER: Final = regex(r"(?:git::)?[A-Za-z][A-Za-z0-9-]*@")


@dataclass(frozen=True, slots=True)
class RemoteReference:
    """A folder of a git repository, or a file of a server, as a kustomization names it."""

    url: str
    """The URL of the repository or of the file, without a user."""
    path: str = ""
    """The path of the folder in the repository."""
    revision: str = ""
    """A branch, a tag or a commit, empty for the default branch."""
    is_file: bool = False

    def __str__(self) -> str:
        """Return a name for paths below it."""
        place = self.url.partition("://")[2]
        return f"{place}@{self.revision}" if self.revision else place


@dataclass(frozen=True, slots=True)
class RemoteChart:
    """A chart of a Helm repository or registry, as ``helmCharts`` of a kustomization names it."""

    url: str
    name: str
    version: str

    def __str__(self) -> str:
        # The URL may contain a password.
        return f"{self.name} {self.version}"


Lookup: TypeAlias = Callable[[RemoteReference | RemoteChart], Mapping[str, bytes] | None]
"""Returns the files of a repository or chart or the one file from the store, ``None`` if it has none."""


def _nothing(reference: RemoteReference | RemoteChart) -> Mapping[str, bytes] | None:
    return None


_lookup: Final[ContextVar[Lookup]] = ContextVar("lookup", default=_nothing)


@contextmanager
def use_bases(lookup: Lookup) -> Iterator[None]:
    """Take remote bases from a store until the block ends."""
    before = _lookup.set(lookup)
    try:
        yield
    finally:
        _lookup.reset(before)


def stored_files(reference: RemoteReference | RemoteChart) -> Mapping[str, bytes] | None:
    """Return the stored files of a repository or chart, or the one stored file; ``None`` if the store has none."""
    return _lookup.get()(reference)


def remote_reference(text: str, *, is_folder: bool = False) -> RemoteReference | None:
    """Return what a value of ``resources`` refers to, or ``None`` if it is no such URL.

    ``is_folder``: the value cannot be a file, as in ``components``.
    """
    place, _, query = text.partition("?")
    found = _SPEC.fullmatch(place)
    if found is None:
        return None
    scheme, host, rest = (found["scheme"] or "").lower(), found["host"].lower(), found["rest"]
    if not scheme and host != _GITHUB and not _USER.match(place):
        return None
    is_web = scheme in ("https://", "http://")
    if is_web and rest.lower().endswith(_FILES) and "//" not in rest and not is_folder:
        return RemoteReference(f"{scheme}{host}{found['port'] or ''}/{rest}", is_file=True)
    # Repositories of servers with SSH are asked by HTTPS, at the same path.
    start = f"{scheme}{host}{found['port'] or ''}" if is_web else f"https://{host}"
    repository, inside = _split(rest, host)
    folder = posixpath.normpath(inside) if inside else ""
    if not repository or posixpath.isabs(folder) or folder == ".." or folder.startswith("../"):
        return None
    return RemoteReference(f"{start}/{repository.strip('/')}", "" if folder == "." else folder, _revision(query))


def _revision(query: str) -> str:
    given = parse_qs(query)
    return next((given[name][0] for name in ("ref", "version") if name in given), "")


def _split(path: str, host: str) -> tuple[str, str]:
    """Return the path of a repository, and the path in it."""
    start, marker, rest = path.partition("_git/")
    if marker:
        name, _, inside = rest.partition("/")
        return f"{start}{marker}{name}", inside.lstrip("/")
    start, marker, rest = path.partition("//")
    if marker:
        return start, rest
    start, marker, rest = path.partition(".git")
    if marker:
        return f"{start}{marker}", rest.removeprefix("/")
    names = path.split("/")
    return ("/".join(names[:_SEGMENTS]), "/".join(names[_SEGMENTS:])) if host == _GITHUB else (path, "")


def base_folder(path: str) -> str:
    """Return the folder of the stored base that a path of the private copy is in, empty for other paths.

    A base that another one names is in a folder of that, so that the files of both are apart.
    """
    start, marker, rest = path.rpartition(f"{FOLDER}/") if FOLDER in path else ("", "", "")
    return f"{start}{marker}{rest.partition('/')[0]}" if marker and (not start or start.endswith("/")) else ""
