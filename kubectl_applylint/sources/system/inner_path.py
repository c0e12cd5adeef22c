"""Safe relative paths from repositories, which cannot lead out of the folder they are used in."""

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
# Windows treats these as devices whatever follows the first dot, and drops spaces and dots at the end of a name.
_DEVICE: Final = regex(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])[ ]*(?:\..*)?", re.IGNORECASE)
_DRIVE: Final = regex(r"[A-Za-z]:")
_HAS_FOLDER_DESCRIPTORS: Final = {os.open, os.mkdir} <= os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")


@dataclass(frozen=True, slots=True)
class InnerPath:
    """The path of a file or folder relative to some folder, as a sequence of names.

    It has at least one part; unsafe parts raise ``ValueError``. ``parse`` checks text without raising.
    """

    parts: tuple[str, ...]

    def __post_init__(self) -> None:
        if fault := _fault(self.parts):
            raise ValueError(fault)

    def __str__(self) -> str:
        return "/".join(self.parts)


@dataclass(frozen=True, slots=True)
class UnsafePath:
    """The reason why a text is not a safe path."""

    text: str
    reason: str


def parse(text: str) -> InnerPath | UnsafePath:
    """Parse a path with ``/`` between its parts; nothing in it is resolved or normalized."""
    fault = _fault_of_text(text)
    return UnsafePath(text, fault) if fault else InnerPath(tuple(text.split("/")))


def is_inner(text: str) -> bool:
    """Return whether ``text`` is a safe relative path."""
    return not _fault_of_text(text)


def _fault_of_text(text: str) -> str:
    return "it is absolute" if text.startswith("/") else _fault(tuple(text.split("/")))


def create(folder: str, path: InnerPath, content: bytes, *, is_executable: bool = False) -> None:
    """Create a file below an existing folder, with parent folders, readable (and executable) only by the user.

    No symlink is followed and no file is overwritten; existing files in the way raise ``OSError``.
    """
    create_file = _create_by_descriptors if _HAS_FOLDER_DESCRIPTORS else _create_by_names
    create_file(folder, path, content, 0o700 if is_executable else 0o600)


def is_below(folder: str, file: str) -> bool:
    """Return whether a file is below a folder after following all symlinks."""
    start, end = os.path.realpath(folder), os.path.realpath(file)
    return end != start and end.startswith(os.path.join(start, ""))


def _create_by_descriptors(folder: str, path: InnerPath, content: bytes, mode: int) -> None:
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
        _write(os.open(path.parts[-1], made, mode, dir_fd=at), content)
    finally:
        os.close(at)


def _create_by_names(folder: str, path: InnerPath, content: bytes, mode: int) -> None:
    place = os.path.join(folder, *path.parts)
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    if not is_below(folder, place):
        raise OSError(0, "a symlink points outside the directory", place)
    _write(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode), content)


def _write(descriptor: int, content: bytes) -> None:
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)


def _fault(parts: tuple[str, ...]) -> str:
    """Return why the parts of a path are unsafe, empty if they are safe."""
    examined = [*map(_check_part, parts)]
    if not parts or sum(size for size, _ in examined) + len(parts) > _MOST_BYTES:
        return _LENGTH
    return next((fault for _, fault in examined if fault), "")


@lru_cache(maxsize=1 << 16)
def _check_part(part: str) -> tuple[int, str]:
    """Return the size of one part of a path in bytes, and why it is unsafe; cached, as paths share parts."""
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
