"""Files in Jsonnet, evaluated by the installed ``jsonnet`` from a private copy of what they import.

Jsonnet reads any file of the machine that an import names. Names of imports are literals, so every one is checked
before the program starts: it must be plain text, and lead to a path inside the source wherever Jsonnet looks for it.
"""

import json
import os
import posixpath
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.render import render_cache
from kubectl_applylint.sources.render.render_programs import copy_files, output, rendered_text
from kubectl_applylint.sources.text.manifests import Input

MISSING_TOOL: Final = "evaluating Jsonnet requires jsonnet, which was not found on the PATH"
_IMPORT: Final = regex(
    rb"(?<![A-Za-z_])import(?:str|bin)?(?:\s|//[^\n]*\n|#[^\n]*\n|/\*.*?\*/)*"
    rb"(?:\"(?P<double>[^\"\\]*)\"|'(?P<single>[^'\\]*)'|(?P<other>[\"'@|]))",
    re.DOTALL,
)
"""An import, or what looks like one in a comment or a text. Its name has no escapes."""
_MOST_FILES: Final = 2000
_ADVICE: Final = "correct the file, or render it elsewhere"


class _ImportError(Exception):
    """A file has an import that is not followed; the text says why."""


@dataclass(frozen=True, slots=True)
class JsonnetFile:
    """A file to evaluate, with the files of its source and its options."""

    path: str
    paths: Collection[str] = field(repr=False)
    contents: Callable[[Collection[str]], Mapping[str, bytes]] = field(repr=False)
    """Returns the contents of files of the source."""
    libraries: tuple[str, ...] = ()
    """The folders in which imports are looked for; later ones come first."""
    arguments: tuple[str, ...] = field(default=(), repr=False)
    """Flags that set external variables and arguments."""
    codes: tuple[str, ...] = field(default=(), repr=False)
    """The texts among the arguments that are evaluated."""


def render(file: JsonnetFile, where: str) -> Input:
    """Return the objects of a file in Jsonnet, which is displayed as ``where``. Never raises."""
    tool = shutil.which("jsonnet")
    if not tool:
        return Input(problems=(Problem(where, MISSING_TOOL, "install jsonnet", reason=MISSING_TOOL),))
    try:
        texts = _imported_files(file)
    except _ImportError as error:
        return Input(problems=(Problem(where, f"it is not evaluated: {error}", _ADVICE),))
    made = render_cache.cached_objects(
        render_cache.key_of([tool, *_command(file)], texts),
        partial(_output, tool, file, texts, where),
        partial(_objects, where=where),
        partial(_values, file),
    )
    return Input(problems=(made,)) if isinstance(made, Problem) else made[1]


def _command(file: JsonnetFile, folder: str = "") -> Iterator[str]:
    """Yield the arguments of the program, for files in a folder."""
    for one in file.libraries:
        yield from ("--jpath", os.path.join(folder, one))
    yield from (*file.arguments, "--", os.path.join(folder, file.path))


def _output(tool: str, file: JsonnetFile, texts: Mapping[str, bytes], where: str) -> bytes | Problem:
    """Run the program on a copy of the files, and return what it prints."""
    with copy_files(texts) as copy:
        if copy.problems:
            return replace(copy.problems[0], where=where)
        printed = output([tool, *_command(file, copy.folder)], where, _ADVICE, environment={})
        if isinstance(printed, Problem):
            return replace(printed, message=printed.message.replace(copy.folder + os.sep, ""))
        return printed


def _values(file: JsonnetFile) -> Iterator[JsonObject]:
    """Yield the external variables and arguments by name."""
    yield dict(text.split("=", 1) for text in file.arguments if "=" in text)


def _objects(printed: bytes, where: str) -> Input | Problem:
    """Return the objects in the output: one, or a list of them."""
    try:
        value: Json = json.loads(printed)
    except (ValueError, RecursionError):
        return Problem(where, "it cannot be rendered: jsonnet printed what is no JSON", _ADVICE)
    every = value if isinstance(value, list) else [value]
    if not all(isinstance(one, dict) for one in every):
        return Problem(where, "it is neither an object nor a list of objects", _ADVICE)
    found = rendered_text("\n---\n".join(map(json.dumps, every)).encode(), where, "jsonnet")
    return found if isinstance(found, Problem) else replace(found, texts={})


def imported_paths(
    starts: Iterable[str], libraries: Sequence[str], paths: Collection[str], read: Callable[[str], bytes]
) -> frozenset[str]:
    """Return the paths that files in Jsonnet import, directly or not, without imports that are not followed.

    ``libraries`` are as in ``JsonnetFile``, ``paths`` are the files of the source, ``read`` returns their contents.
    """
    found: set[str] = set()
    waiting = [*starts]
    while waiting and len(found) < _MOST_FILES:
        path = waiting.pop()
        with suppress(_ImportError):
            new = set(_imports(path, read(path), libraries, paths)) - found
            found |= new
            waiting += new
    return frozenset(found)


def _imported_files(file: JsonnetFile) -> Mapping[str, bytes]:
    """Return a file with all files that it imports; raise ``_ImportError`` for an import that leads out of the source.

    An import that names no file is left to Jsonnet.
    """
    if any(True for code in file.codes for _ in _IMPORT.finditer(code.encode())):
        raise _ImportError("code of a variable has an import")
    texts: dict[str, bytes] = {}
    waiting = [file.path]
    while waiting:
        path = waiting.pop()
        if path in texts:
            continue
        texts.update(file.contents([path]))
        waiting += _imports(path, texts.get(path, b""), file.libraries, file.paths)
        if len(texts) > _MOST_FILES:
            raise _ImportError(f"it imports more than {_MOST_FILES} files")
    return texts


def _imports(path: str, text: bytes, libraries: Sequence[str], paths: Collection[str]) -> Iterator[str]:
    """Yield the paths that one file imports; raise ``_ImportError`` for a name that is not followed."""
    bases = (posixpath.dirname(path), *reversed(libraries))
    yield from filter(None, (_find(name, bases, paths) for name in _names(path, text)))


def _names(path: str, text: bytes) -> Iterator[str]:
    """Yield the names of the imports in a file."""
    for found in _IMPORT.finditer(text):
        if found["other"]:
            raise _ImportError(f"the name of an import in {path} has escapes")
        yield (found["double"] or found["single"] or b"").decode("utf-8", "replace")


def _find(name: str, bases: Collection[str], paths: Collection[str]) -> str:
    """Return the path of an import, empty if no file has it, in the order in which Jsonnet tries the folders."""
    for base in bases:
        path = posixpath.normpath(posixpath.join(base, name))
        if name.startswith("/") or path == ".." or path.startswith("../"):
            raise _ImportError(f"the import {name} leads out of its source")
        if path in paths:
            return path
    return ""
