"""Paths that come out of a repository: values that cannot lead out of the folder below which they are used."""

import os
import re
from contextlib import suppress
from functools import lru_cache
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex

_MOST_BYTES_OF_A_PART: Final = 255
_MOST_BYTES: Final = 4096
_LENGTH: Final = "it is empty or too long"
# Windows takes these for devices whatever follows the first dot, and drops spaces and dots at the end of a name.
_DEVICE: Final = regex(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])[ ]*(?:\..*)?", re.IGNORECASE)
_DRIVE: Final = regex(r"[A-Za-z]:")
_HAS_FOLDER_DESCRIPTORS: Final = {os.open, os.mkdir} <= os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")


@dataclass(frozen=True, slots=True)
class InnerPath:
    """A file or folder below some folder, by the names that lead to it.

    It has at least one part; making one of parts that may lead elsewhere raises ``ValueError``. ``parse`` tells of
    text whether it is such a path.
    """

    parts: tuple[str, ...]

    def __post_init__(self) -> None:
        if fault := _fault(self.parts):
            raise ValueError(fault)

    def __str__(self) -> str:
        return "/".join(self.parts)


@dataclass(frozen=True, slots=True)
class UnsafePath:
    """Text that is no such path, and why."""

    text: str
    reason: str


def parse(text: str) -> InnerPath | UnsafePath:
    """Return the path that ``text`` is, with ``/`` between its parts; nothing in it is resolved or made simpler."""
    fault = _fault_of_text(text)
    return UnsafePath(text, fault) if fault else InnerPath(tuple(text.split("/")))


def is_inner(text: str) -> bool:
    """Return whether ``text`` is such a path."""
    return not _fault_of_text(text)


def _fault_of_text(text: str) -> str:
    return "it is absolute" if text.startswith("/") else _fault(tuple(text.split("/")))


def create(folder: str, path: InnerPath, content: bytes) -> None:
    """Create a file below an existing folder, with the folders on the way, readable by the user alone.

    No link is followed and no file is overwritten: what is in the way raises ``OSError``.
    """
    if _HAS_FOLDER_DESCRIPTORS:
        _create_by_descriptors(folder, path, content)
    else:
        _create_by_names(folder, path, content)


def is_below(folder: str, file: str) -> bool:
    """Return whether a file lies below a folder once all links are followed."""
    start, end = os.path.realpath(folder), os.path.realpath(file)
    return end != start and end.startswith(os.path.join(start, ""))


def _create_by_descriptors(folder: str, path: InnerPath, content: bytes) -> None:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    at = os.open(folder, flags)
    try:
        for part in path.parts[:-1]:
            with suppress(FileExistsError):
                os.mkdir(part, 0o700, dir_fd=at)
            below = os.open(part, flags | os.O_NOFOLLOW, dir_fd=at)
            os.close(at)
            at = below
        made = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        _write(os.open(path.parts[-1], made, 0o600, dir_fd=at), content)
    finally:
        os.close(at)


def _create_by_names(folder: str, path: InnerPath, content: bytes) -> None:
    place = os.path.join(folder, *path.parts)
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    if not is_below(folder, place):
        raise OSError(0, "a symlink points outside the directory", place)
    _write(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600), content)


def _write(descriptor: int, content: bytes) -> None:
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)


def _fault(parts: tuple[str, ...]) -> str:
    """Return what is wrong with the parts of a path, empty where nothing is."""
    examined = [*map(_check_part, parts)]
    if not parts or sum(size for size, _ in examined) + len(parts) > _MOST_BYTES:
        return _LENGTH
    return next((fault for _, fault in examined if fault), "")


@lru_cache(maxsize=1 << 16)
def _check_part(part: str) -> tuple[int, str]:
    """Return the bytes of one part of a path, and what is wrong with it; most paths share theirs with others."""
    try:
        size = len(os.fsencode(part))
    except UnicodeEncodeError:
        return 0, "it is not a valid file name"
    return size, _LENGTH if size > _MOST_BYTES_OF_A_PART else _fault_of_part(part)


def _fault_of_part(part: str) -> str:
    if part in ("", ".", ".."):
        return f"it contains {part!r}"
    if "\0" in part or "\\" in part or "/" in part or _DRIVE.match(part):
        return "a name in it contains a NUL, a backslash, a slash or a drive letter"
    if _DEVICE.fullmatch(part) or part.rstrip(" .").lower() == ".git":
        return f"it contains the reserved name {part!r}"
    return ""
