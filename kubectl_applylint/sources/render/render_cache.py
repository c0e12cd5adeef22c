"""A cache of renderings in the user's cache folder, keyed by all inputs, so that no entry is ever outdated.

Only renderings of copies are cached, whose files are known exactly. Renderings with a Secret that contains data are
never cached, nor those that may read the environment.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.system import cache_folder

_SORT: Final = "renders"
_FORM: Final = b"2"
_SECRET: Final = regex(rb"""\bkind["']?[ \t]*:[ \t]*["']?Secret(?:List)?\b""")
_VALUES: Final = regex(rb"\b(?:data|stringData)\b(?!:[ \t]*\{\}[ \t]*$)|\b(?:items|last-applied-\w+)\b", re.MULTILINE)
"""Words that precede the contents of a Secret; a field may be present and empty."""
_SEPARATOR: Final = regex(rb"^---.*$", re.MULTILINE)
_FROM_ENVIRONMENT: Final = regex(rb"\benvs?\b")


def key_of(tool: Sequence[str], files: Mapping[str, bytes], kustomizations: Sequence[bytes] = ()) -> str:
    """Return the cache key of a rendering: a digest of the program with its arguments, and of the files by path.

    Empty if it must not be cached, as one of its ``kustomizations`` may read the environment.
    """
    if not cache_folder.is_kept() or takes_from_environment(kustomizations):
        return ""
    program = identity_of(tool[0])
    own = chain.from_iterable((os.fsencode(path), files[path]) for path in sorted(files))
    return cache_folder.key_of((_FORM, *map(os.fsencode, tool), program, *own)) if program else ""


def identity_of(program: str) -> bytes:
    """Return bytes that change when a program is replaced, empty if unknown."""
    try:
        found = os.stat(program)
    except OSError:
        return b""
    return f"{found.st_size} {found.st_mtime_ns}".encode()


def takes_from_environment(kustomizations: Sequence[bytes]) -> bool:
    """Return whether one of the kustomizations may take values from the environment."""
    return any(map(_FROM_ENVIRONMENT.search, kustomizations))


def cached_output(key: str, render: Callable[[], bytes | Problem]) -> bytes | Problem:
    """Return the cached output of a key; on a miss call ``render`` and cache its output."""
    if not key:
        return render()
    found = cache_folder.read(_SORT, key)
    if found is None:
        made = render()
        if not isinstance(made, Problem) and not _holds_secrets(made):
            cache_folder.write(_SORT, key, made)
            cache_folder.make_room(_SORT)
        return made
    return found


def _holds_secrets(rendered: bytes) -> bool:
    found = (document for document in _SEPARATOR.split(rendered) if _SECRET.search(document))
    return any(map(_VALUES.search, found))
