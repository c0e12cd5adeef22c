"""Manifests from files and standard input, found and ordered as ``kubectl apply -f`` does."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Rendering
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.sources.files import globs
from kubectl_applylint.sources.system import contents
from kubectl_applylint.sources.system.contents import CHART, MAX_BYTES, STDIN
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES, SkipReason, patch_paths
from kubectl_applylint.sources.text.manifests import Input, Skipped, first_document, join, read_text

EXTENSIONS = (".json", ".yaml", ".yml")
"""The extensions of manifests in folders; a file that is named, or matches a pattern, may have any name."""

PIPED: Final = Rendering("…", "-f -")
"""Standard input; the command that writes to it is unknown."""
_LEVELS_UP = 3


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, ``-`` for standard input; ``is_named`` if the user wrote this very name.

    With ``is_rendered`` it is a kustomization to be rendered.
    """

    path: str
    is_named: bool
    is_rendered: bool = False


_Content: TypeAlias = Callable[[str], bytes | Problem]


def read(names: Sequence[str], *, recursive: bool, stdin: Callable[[], bytes]) -> Input:
    """Read the manifests in files, folders and patterns; ``-`` is standard input.

    Never raises: each unreadable file is a ``Problem``, and the others are still read. ``stdin`` is called at most
    once. A folder with a kustomization is rendered, unless ``recursive`` requests the files in it. Patch files of a
    kustomization are skipped unread, if the kustomization is read as well, or is in the folder of the file or one of
    the three above.
    """
    return read_found(find(names, recursive=recursive) or [_no_manifests_problem(names)] * bool(names), stdin=stdin)


def find(names: Sequence[str], *, recursive: bool) -> list[Source | Problem]:
    """Return the files that ``names`` expand to, in the order in which kubectl reads them."""
    return [source for name in names for source in _expand(name, recursive)]


def _no_content(path: str) -> bytes:
    return b""


@dataclass(frozen=True, slots=True)
class FileCache:
    """Cached file contents, for callers that read some files repeatedly."""

    content: Callable[[str], bytes] = _no_content
    """Returns the cached content of a file, empty if it is not cached."""
    patches_of: Callable[[str], frozenset[str]] = field(default_factory=lambda: cache(patch_files))
    """Returns the absolute paths of the patch files of the kustomization in a folder."""


def read_found(
    sources: Sequence[Source | Problem], *, stdin: Callable[[], bytes], known: FileCache | None = None
) -> Input:
    """Read the manifests of these files; see ``read``."""
    known = known or FileCache()
    content, is_patch = _reader(stdin, known.content), _patch_finder(sources, known.patches_of)
    return join(
        Input(problems=(source,)) if isinstance(source, Problem) else _read_file(source, content, is_patch)
        for source in sources
    )


def _no_manifests_problem(names: Sequence[str]) -> Problem:
    return Problem(
        ", ".join(names),
        f"no manifests there: recognized file extensions are {' '.join(EXTENSIONS)}",
        "pass a directory with manifests, or include subdirectories (--recursive)",
    )


def _expand(name: str, recursive: bool) -> Iterator[Source | Problem]:
    """Expand ``name``: to itself, the files of a folder, or the matches of a pattern."""
    if name.startswith(("http://", "https://")):
        yield Problem(name, "nothing is downloaded", f"download it and pass it on stdin: curl -sSfL {name} | … -f -")
        return
    if name == STDIN or name.startswith(CHART):
        yield Source(name, is_named=True, is_rendered=name != STDIN)
        return
    for path in _matches(name):
        if isinstance(path, Problem):
            yield path
        elif os.path.isdir(path) and (path.endswith(os.sep) or not os.path.islink(path)):
            kustomization = "" if recursive else kustomization_in(path)
            yield from [Source(kustomization, True, is_rendered=True)] if kustomization else _walk(path, recursive)
        else:
            yield Source(path, is_named=path == name)


def kustomization_in(folder: str) -> str:
    """Return the path of the kustomization in a folder, empty if there is none."""
    paths = (os.path.join(folder, name) for name in KUSTOMIZATION_FILES)
    return next((path for path in paths if os.path.isfile(path)), "")


def _matches(name: str) -> list[str | Problem]:
    if os.path.lexists(name):
        return [name]
    try:
        return [*globs.expand(name)] or [contents.missing_problem(name)]
    except globs.PatternError:
        return [Problem(name, f'pattern "{name}" is not valid: syntax error in pattern', "close the bracket")]


def _walk(root: str, recursive: bool) -> Iterator[Source | Problem]:
    """Yield the manifest files of a folder in byte order, as ``filepath.Walk`` does; links to folders are files."""
    todo = [(root, True)]
    while todo:
        path, is_folder = todo.pop()
        if not is_folder:
            yield Source(path, is_named=False)
            continue
        try:
            with os.scandir(path) as entries:
                inside = sorted(entries, key=lambda entry: os.fsencode(entry.name), reverse=True)
        except OSError as error:
            yield contents.inaccessible_problem(path, error)
            continue
        todo += [(_join(path, entry.name), _is_folder(entry)) for entry in inside if _is_wanted(entry, recursive)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)


def _is_wanted(entry: os.DirEntry[str], recursive: bool) -> bool:
    return recursive if _is_folder(entry) else entry.name.endswith(EXTENSIONS)


def _join(folder: str, name: str) -> str:
    return os.path.normpath(os.path.join(folder, name))


def _reader(stdin: Callable[[], bytes], known: Callable[[str], bytes]) -> _Content:
    """Return a reader of paths that reads standard input only once."""
    unread = [stdin]

    def content(path: str) -> bytes | Problem:
        if path != STDIN:
            return known(path) or contents.read_file(path, MAX_BYTES)
        if not unread:
            return Problem(STDIN, "standard input cannot be used for multiple arguments", "use - only once")
        return contents.read_stdin(unread.pop(), MAX_BYTES)

    return content


def _read_file(file: Source, content_of: _Content, is_patch: Callable[[str], bool]) -> Input:
    if file.is_rendered:
        # The programs that these start take 15 ms to import, and most runs render nothing.
        from kubectl_applylint.sources.render import helm, kustomize  # noqa: PLC0415

        if file.path.startswith(CHART):
            chart = helm.parse(file.path)
            return _rendered_by(helm.rendering(chart), helm.render(chart))
        return _rendered_by(kustomize.rendering(file.path), kustomize.render(file.path))
    if is_patch(file.path):
        return Input(skipped=(Skipped(file.path, 1, SkipReason.PATCH),))
    content = content_of(file.path)
    if isinstance(content, Problem):
        return Input(problems=(content,))
    if file.is_named and not content.strip():
        return Input(problems=(_empty(file.path),))
    found = read_text(content, file.path)
    if file.path == STDIN:
        return _rendered_by(PIPED, found)
    return found if found != Input() else Input(skipped=(Skipped(file.path, 1, SkipReason.EMPTY),))


def _rendered_by(rendering: Rendering, found: Input) -> Input:
    return replace(found, documents=tuple(replace(one, rendering=rendering) for one in found.documents))


def _empty(path: str) -> Problem:
    if path == STDIN:
        return Problem(path, "standard input is empty", "check whether the command before it failed")
    return Problem(path, "the file is empty", "check the command that writes it, or leave the file out")


def _patch_finder(
    sources: Sequence[Source | Problem], patches_of: Callable[[str], frozenset[str]]
) -> Callable[[str], bool]:
    """Return a predicate for paths that some kustomization uses as a patch."""
    kustomizations = (source.path for source in sources if isinstance(source, Source) and _is_kustomization(source))
    among_them = frozenset(chain.from_iterable(patches_of(_folder(path)) for path in kustomizations))

    def is_patch(path: str) -> bool:
        whole, folders = os.path.abspath(path), [_folder(path)]
        for _ in range(_LEVELS_UP):
            folders.append(os.path.dirname(folders[-1]))
        return path != STDIN and (whole in among_them or any(whole in patches_of(folder) for folder in folders))

    return is_patch


def _is_kustomization(file: Source) -> bool:
    return os.path.basename(file.path) in KUSTOMIZATION_FILES


def _folder(path: str) -> str:
    return os.path.dirname(os.path.abspath(path))


def patch_files(folder: str) -> frozenset[str]:
    """Return the absolute paths of the patch files of the kustomization in ``folder``."""
    for name in KUSTOMIZATION_FILES:
        path = os.path.join(folder, name)
        content = contents.read_file(path, MAX_BYTES) if os.path.isfile(path) else b""
        if isinstance(content, bytes) and content:
            return frozenset(_join(folder, patch) for patch in patch_paths(first_document(content)))
    return frozenset()
