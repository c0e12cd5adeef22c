"""What programs have rendered, kept among the user's caches by all that goes into it: nothing that is kept can be old.

Only renderings of copies are kept, whose files are known to the byte. One with a Secret that holds something is never
kept, nor one that may take values from the environment.
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
"""What a Secret holds has one of these words before it; a field may be there and empty."""
_SEPARATOR: Final = regex(rb"^---.*$", re.MULTILINE)
_FROM_ENVIRONMENT: Final = regex(rb"\benvs?\b")


def key_of(tool: Sequence[str], files: Mapping[str, bytes], kustomizations: Sequence[bytes] = ()) -> str:
    """Return what a rendering is kept by: the program with its arguments, and the files by their paths.

    Empty for one that is not kept: one of its ``kustomizations`` may take values from the environment.
    """
    if not cache_folder.is_kept() or takes_from_environment(kustomizations):
        return ""
    program = identity_of(tool[0])
    own = chain.from_iterable((os.fsencode(path), files[path]) for path in sorted(files))
    return cache_folder.key_of((_FORM, *map(os.fsencode, tool), program, *own)) if program else ""


def identity_of(program: str) -> bytes:
    """Return what changes when a program is replaced, empty where it cannot be told."""
    try:
        found = os.stat(program)
    except OSError:
        return b""
    return f"{found.st_size} {found.st_mtime_ns}".encode()


def takes_from_environment(kustomizations: Sequence[bytes]) -> bool:
    """Tell whether one of the texts of kustomizations may take values from the environment."""
    return any(map(_FROM_ENVIRONMENT.search, kustomizations))


def kept(key: str, render: Callable[[], bytes | Problem]) -> bytes | Problem:
    """Return what is kept by a key, else what ``render`` gives, which is kept from then on."""
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
