"""A cache of renderings in the user's cache folder, keyed by all inputs, so that no entry is ever outdated.

Only renderings of copies are cached, whose files are known exactly. Renderings with a Secret that contains data or with
a recognized credential are never cached, nor those that may read the environment.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.secrets.credential_forms import has_certain_form
from kubectl_applylint.secrets.credential_places import credentials_in
from kubectl_applylint.secrets.names_and_credentials import has_credentials
from kubectl_applylint.secrets.secret_places import is_secret
from kubectl_applylint.sources.system import cache_folder
from kubectl_applylint.sources.text.manifests import Input

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


def cached_objects(
    key: str,
    render: Callable[[], bytes | Problem],
    parse: Callable[[bytes], Input | Problem],
    values: Callable[[], Iterable[JsonObject]] = tuple,
) -> tuple[bytes, Input] | Problem:
    """Return the cached output of a key and its objects; on a miss call ``render`` and cache what that returns.

    ``values`` returns the values that are rendered: an output with a credential of them is not cached either.
    """
    found = cache_folder.read(_SORT, key) if key else None
    printed = render() if found is None else found
    if isinstance(printed, Problem):
        return printed
    parsed = parse(printed)
    if isinstance(parsed, Problem):
        return parsed
    if found is None and key and not _holds_credentials(printed, parsed, values()):
        cache_folder.write(_SORT, key, printed)
        cache_folder.make_room(_SORT)
    return printed, parsed


def _holds_credentials(rendered: bytes, parsed: Input, values: Iterable[JsonObject]) -> bool:
    secrets = (document for document in _SEPARATOR.split(rendered) if _SECRET.search(document))
    if any(map(_VALUES.search, secrets)):
        return True
    text = rendered.decode("utf-8", "replace")
    given = (max(one.splitlines(), key=len) for each in values for one in credentials_in({"values": each}) if one)
    return has_certain_form(text) or any(one in text for one in given) or any(map(_is_credential, parsed.documents))


def _is_credential(document: Document) -> bool:
    """Return whether an object has a credential; a Secret here has no data."""
    return not is_secret(document.ref) and has_credentials(document.object)
