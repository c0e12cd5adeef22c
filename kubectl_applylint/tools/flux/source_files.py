"""The files of a repository that Flux' source-controller packs: all but those that are ignored, and symlinks.

Mirrors ``github.com/fluxcd/pkg/sourceignore`` 0.18: the defaults, then ``.sourceignore`` files from the top down, then
``spec.ignore`` of the source. Later patterns win. Unlike git, it looks into folders that are ignored.
"""

import posixpath
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sources.files.globs import PathPattern, PatternError, path_pattern

IGNORE_FILE: Final = ".sourceignore"
_DEFAULTS: Final = (
    *(".git/", ".gitignore", ".gitmodules", ".gitattributes"),
    *("*.jpg", "*.jpeg", "*.gif", "*.png", "*.wmv", "*.flv", "*.tar.gz", "*.zip"),
    *(".github/", ".circleci/", ".travis.yml", ".gitlab-ci.yml", "appveyor.yml", ".drone.yml", "cloudbuild.yaml"),
    *("codeship-services.yml", "codeship-steps.yml", "**/.goreleaser.yml", "**/.sops.yaml", "**/.flux.yaml"),
)
_ANY_FOLDERS: Final = "**"
_SKIPPED_PARTS: Final = ("", _ANY_FOLDERS)
"""The parts of a pattern with several parts that name no file or folder."""
_WILDCARDS: Final = frozenset("*?[\\")


_Names: TypeAlias = Mapping[str, frozenset[str]]
"""The names of files and folders of a source that each part of a pattern matches."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A line of an ignore file in ``folder``."""

    folder: tuple[str, ...]
    parts: tuple[str, ...]
    includes: bool
    is_of_folders: bool

    def matches(self, path: Sequence[str], names: _Names) -> bool:
        """Return whether the path of a file matches, or a folder on it."""
        if len(path) <= len(self.folder) or tuple(path[: len(self.folder)]) != self.folder:
            return False
        inner = path[len(self.folder) :]
        return self._matches_path(inner, names) if len(self.parts) > 1 else self._matches_name(inner, names)

    def may_match(self, names: _Names) -> bool:
        """Return whether the path of any file may match; most patterns match none."""
        return all(names[part] or (len(self.parts) > 1 and part in _SKIPPED_PARTS) for part in self.parts)

    def _matches_name(self, path: Sequence[str], names: _Names) -> bool:
        place = next((place for place, name in enumerate(path) if name in names[self.parts[0]]), None)
        return place is not None and not (self.is_of_folders and place == len(path) - 1)

    def _matches_path(self, path: Sequence[str], names: _Names) -> bool:
        rest, is_found, can_skip = list(path), False, False
        for place, part in enumerate(self.parts):
            if part == _ANY_FOLDERS and place == len(self.parts) - 1:
                break
            if part in _SKIPPED_PARTS:
                can_skip = part == _ANY_FOLDERS
                continue
            if _ANY_FOLDERS in part or not rest:
                return False
            skipped = next((place for place, name in enumerate(rest) if name in names[part]), None)
            if not can_skip and skipped != 0:
                return False
            is_found, can_skip = skipped is not None, False
            rest = rest[skipped + 1 :] if skipped is not None else []
        return is_found and not (self.is_of_folders and not rest)


def packed_files(files: Collection[str], read: Callable[[str], bytes], ignore: str = "") -> frozenset[str]:
    """Return the files that the artifact of a source has. ``files`` are regular files, by path with ``/``.

    ``ignore`` is ``spec.ignore`` of the source; ``read`` returns the content of an ignore file.
    """
    found = [path for path in files if posixpath.basename(path) == IGNORE_FILE]
    texts = ((tuple(path.split("/")[:-1]), read(path).decode("utf-8", "replace")) for path in sorted(found, key=_order))
    patterns = [
        *(_pattern((), line) for line in _DEFAULTS),
        *(pattern for folder, text in texts for pattern in _patterns(folder, text)),
        *_patterns((), ignore),
    ]
    every = frozenset(name for path in files for name in path.split("/"))
    names = {part: _matching(part, every) for pattern in patterns for part in pattern.parts}
    used = [pattern for pattern in patterns if pattern.may_match(names)]
    return frozenset(path for path in files if not _is_ignored(path.split("/"), used, names))


def _order(path: str) -> tuple[str, ...]:
    """Return the sort key of an ignore file: those of inner folders come after it."""
    return tuple(path.split("/")[:-1])


def _is_ignored(path: Sequence[str], patterns: Sequence[_Pattern], names: _Names) -> bool:
    last = next((pattern for pattern in reversed(patterns) if pattern.matches(path, names)), None)
    return last is not None and not last.includes


def _patterns(folder: tuple[str, ...], text: str) -> Iterator[_Pattern]:
    for line in text.split("\n"):
        bare = line.removesuffix("\r")
        if not bare.startswith("#") and bare.strip():
            yield _pattern(folder, bare)


def _pattern(folder: tuple[str, ...], line: str) -> _Pattern:
    text = line.removeprefix("!")
    text = text if text.endswith("\\ ") else text.rstrip(" ")
    is_of_folders = text.endswith("/")
    return _Pattern(folder, tuple(text.removesuffix("/").split("/")), line.startswith("!"), is_of_folders)


def _matching(part: str, names: frozenset[str]) -> frozenset[str]:
    """Return the names that a part of a pattern matches; most parts are plain names."""
    if _WILDCARDS.isdisjoint(part):
        return names & {part}
    pattern = _part_pattern(part)
    return frozenset(name for name in names if pattern.matches(name)) if pattern else frozenset()


@lru_cache(maxsize=1024)
def _part_pattern(part: str) -> PathPattern | None:
    """Return the pattern of one name, ``None`` if it is not valid."""
    try:
        return path_pattern(part)
    except PatternError:
        return None
