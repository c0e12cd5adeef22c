"""What programs have rendered, kept among the user's caches by all that goes into it: nothing that is kept can be old.

Only renderings of copies are kept, whose files are known to the byte. One with a Secret that holds something is never
kept, nor one that may take values from the environment. What was damaged, or what others may write, counts for nothing.
"""

import hashlib
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.temporary import replaced

VARIABLE: Final = "APPLYLINT_CACHE_DIR"
"""Names the folder of the cache; empty for none."""
MOST_BYTES: Final = 256 << 20
"""How much is kept; what was not asked for the longest goes first."""
_FORM: Final = b"1"
_SECRET: Final = re.compile(rb"""\bkind["']?[ \t]*:[ \t]*["']?Secret(?:List)?\b""")
_VALUES: Final = re.compile(
    rb"\b(?:data|stringData)\b(?!:[ \t]*\{\}[ \t]*$)|\b(?:items|last-applied-\w+)\b", re.MULTILINE
)
"""What a Secret holds has one of these words before it; a field may be there and empty."""
_SEPARATOR: Final = re.compile(rb"^---.*$", re.MULTILINE)
_FROM_ENVIRONMENT: Final = re.compile(rb"\benvs?\b")
_DIGEST: Final = hashlib.sha256().digest_size
_folder: Final = ContextVar("folder", default="")


def folder_of(environ: Mapping[str, str]) -> str:
    """Return where renderings are kept, empty where the caller wants none kept or has no such place."""
    if VARIABLE in environ:
        return os.path.join(environ[VARIABLE], "renders") if environ[VARIABLE] else ""
    caches = environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(caches, "kubectl-applylint", "renders") if os.path.isabs(caches) else ""


@contextmanager
def kept_in(folder: str) -> Iterator[None]:
    """Keep renderings in a folder until the block ends; none where it is empty."""
    before = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(before)


def key_of(tool: Sequence[str], files: Mapping[str, bytes], kustomizations: Sequence[bytes] = ()) -> str:
    """Return what a rendering is kept by: the program with its arguments, and the files by their paths.

    Empty for one that is not kept: one of its ``kustomizations`` may take values from the environment.
    """
    if not _folder.get() or any(map(_FROM_ENVIRONMENT.search, kustomizations)):
        return ""
    try:
        program = os.stat(tool[0])
    except OSError:
        return ""
    found = hashlib.sha256(_FORM)
    for part in (*tool, str(program.st_size), str(program.st_mtime_ns)):
        _add(found, os.fsencode(part))
    for path in sorted(files):
        _add(found, os.fsencode(path))
        _add(found, files[path])
    return found.hexdigest()


def _add(digest: "hashlib._Hash", part: bytes) -> None:
    digest.update(len(part).to_bytes(8, "big"))
    digest.update(part)


def kept(key: str, render: Callable[[], bytes | Problem]) -> bytes | Problem:
    """Return what is kept by a key, else what ``render`` gives, which is kept from then on."""
    folder = _folder.get()
    if not key or not folder:
        return render()
    path = os.path.join(folder, key)
    found = _read(path)
    if found is None:
        made = render()
        if not isinstance(made, Problem) and not _holds_secrets(made):
            _write(path, made)
        return made
    return found


def _holds_secrets(rendered: bytes) -> bool:
    found = (document for document in _SEPARATOR.split(rendered) if _SECRET.search(document))
    return any(map(_VALUES.search, found))


def _read(path: str) -> bytes | None:
    try:
        if not _is_private(os.path.dirname(path)):
            return None
        with open(path, "rb") as file:
            content = file.read(MOST_BYTES)
        text = zlib.decompress(content[_DIGEST:])
        with suppress(OSError):
            os.utime(path)
    except (OSError, zlib.error):
        return None
    return text if hashlib.sha256(text).digest() == content[:_DIGEST] else None


def _is_private(folder: str) -> bool:
    """Tell whether nobody but the user can write to a folder."""
    found = os.lstat(folder)
    is_own = sys.platform == "win32" or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
    return stat.S_ISDIR(found.st_mode) and is_own


def _write(path: str, text: bytes) -> None:
    """Keep a rendering; that it cannot be kept is no trouble."""
    with suppress(OSError):
        replaced(path, hashlib.sha256(text).digest() + zlib.compress(text, 1))
        _make_room(os.path.dirname(path))


def _make_room(folder: str) -> None:
    """Remove what was not asked for the longest, until what is kept is no more than it may be."""
    with os.scandir(folder) as found:
        files = sorted((one.stat().st_mtime_ns, one.stat().st_size, one.path) for one in found)
    total = sum(size for _, size, _ in files)
    for _, size, path in files:
        if total <= MOST_BYTES:
            return
        with suppress(OSError):
            os.unlink(path)
        total -= size
