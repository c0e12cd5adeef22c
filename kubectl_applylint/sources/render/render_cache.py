"""A cache of renderings in the user's cache folder, keyed by all inputs, so that no entry is ever outdated.

Only renderings of copies are cached, whose files are known exactly. Renderings with a Secret that contains data or with
a recognized credential are never cached, nor those that may read the environment.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
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
_OF_TEMPLATE: Final = regex(r'executing "[^"]*" at <|execution error at \(|values don\'t meet the specifications')
"""Matches the messages of Helm about templates and values, which are the same whenever these are rendered."""
_FAILED: Final = b"\0"
"""The start of a cached message; no output with objects begins with it."""
_UNREADABLE: Final = b"\1"
"""The start of a cached problem of an output that is not manifests."""
_FOLDER: Final = "\0folder\0"


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


@dataclass(frozen=True, slots=True)
class FailedRendering:
    """The parts of the problem of a rendering that fails, besides what the program says."""

    where: str
    advice: str
    folder: str = ""
    """The folder that the program reads, which has another name in each run."""

    def problem(self, cached: bytes) -> Problem:
        """Return the problem for a cached message."""
        message = cached.removeprefix(_FAILED).decode("utf-8", "surrogateescape")
        return Problem(self.where, message.replace(_FOLDER, self.folder), self.advice, is_refused=True)

    def cacheable(self, problem: Problem) -> bytes | None:
        """Return what is cached of a problem, or ``None`` if it may depend on more than the input."""
        if problem.reason or not _OF_TEMPLATE.search(problem.message):
            return None
        message = problem.message.replace(self.folder, _FOLDER) if self.folder else problem.message
        cached = _FAILED + message.encode("utf-8", "surrogateescape")
        return cached if self.problem(cached) == problem else None

    def output_problem(self, cached: bytes) -> Problem:
        """Return the problem of an output that was not manifests."""
        message, advice = json.loads(cached.removeprefix(_UNREADABLE))
        return Problem(self.where, message, advice)

    def cacheable_output(self, problem: Problem) -> bytes | None:
        """Return what is cached of the problem of an output, which has none of its text; ``None`` if it has more."""
        cached = _UNREADABLE + json.dumps([problem.message, problem.advice]).encode()
        return cached if self.output_problem(cached) == problem else None


def cached_objects(
    key: str,
    render: Callable[[], bytes | Problem],
    parse: Callable[[bytes], Input | Problem],
    values: Callable[[], Iterable[JsonObject]] = tuple,
    failed: FailedRendering | None = None,
) -> tuple[bytes, Input] | Problem:
    """Return the cached output of a key and its objects; on a miss call ``render`` and cache what that returns.

    ``values`` returns the values that are rendered: an output with a credential of them is not cached either. With
    ``failed``, the problems of templates and of outputs that are not manifests are cached as well.
    """
    found = cache_folder.read(_SORT, key) if key else None
    if found is not None and failed and found.startswith((_FAILED, _UNREADABLE)):
        return failed.problem(found) if found.startswith(_FAILED) else failed.output_problem(found)
    printed = render() if found is None else found
    if isinstance(printed, Problem):
        message = failed.cacheable(printed) if failed else None
        if message is not None and not _quotes_credentials(printed.message, values()):
            _keep(key, message)
        return printed
    parsed = parse(printed)
    if isinstance(parsed, Problem):
        message = failed.cacheable_output(parsed) if failed else None
        if message is not None:
            _keep(key, message)
        return parsed
    if found is None and key and not _holds_credentials(printed, parsed, values()):
        _keep(key, printed)
    return printed, parsed


def _keep(key: str, content: bytes) -> None:
    if key:
        cache_folder.write(_SORT, key, content)
        cache_folder.make_room(_SORT)


def _holds_credentials(rendered: bytes, parsed: Input, values: Iterable[JsonObject]) -> bool:
    secrets = (document for document in _SEPARATOR.split(rendered) if _SECRET.search(document))
    if any(map(_VALUES.search, secrets)):
        return True
    text = rendered.decode("utf-8", "replace")
    return _quotes_credentials(text, values) or any(map(_is_credential, parsed.documents))


def _quotes_credentials(text: str, values: Iterable[JsonObject]) -> bool:
    """Return whether a text contains a recognized credential, or one of the rendered values."""
    given = (max(one.splitlines(), key=len) for each in values for one in credentials_in({"values": each}) if one)
    return has_certain_form(text) or any(one in text for one in given)


def _is_credential(document: Document) -> bool:
    """Return whether an object has a credential; a Secret here has no data."""
    return not is_secret(document.ref) and has_credentials(document.object)
