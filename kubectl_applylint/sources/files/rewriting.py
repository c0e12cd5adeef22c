"""Overwrites manifest files with edited text, except generated and foreign files."""

import codecs
import os
import re
import stat
from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.system.contents import STDIN
from kubectl_applylint.sources.system.inner_path import is_below
from kubectl_applylint.sources.system.temporary import replace_file
from kubectl_applylint.sources.text.manifests import decode

_GENERATED: Final = regex(r"^# Source: \S+/templates/|^[#/]+ .*\bDO NOT EDIT\b", re.MULTILINE)
"""The comment of ``helm template`` above each object, and the marker of generated files (``go help generate``).
"""


def tree_of(folder: str) -> str:
    """Return the root of the work tree of a folder, or the folder itself outside of work trees."""
    start = at = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(at, ".git")):
        above = os.path.dirname(at)
        if above == at:
            return start
        at = above
    return at


def refusal(file: str, text: str, named: Iterable[str], tree: str) -> str:
    """Return why a file must not be overwritten, empty if it may.

    ``text`` is its content when read, ``named`` are the files and directories that the caller named, ``tree`` is the
    directory to stay in.
    """
    if file == STDIN or not os.path.isfile(file):
        return "it is not a file"
    if not any(_is_named(file, name) for name in named):
        return "it was not named, nor a directory that it is in"
    if not is_below(tree, file):
        return "it is outside of the working tree"
    if _is_in_another(os.path.dirname(os.path.realpath(file)), tree):
        return "it belongs to another repository or a submodule"
    if _GENERATED.search(text):
        return "it is generated"
    return _of_content(os.path.realpath(file), text)


def _is_in_another(folder: str, tree: str) -> bool:
    """Return whether a folder in the tree belongs to a nested repository."""
    while folder != tree:
        if os.path.lexists(os.path.join(folder, ".git")):
            return True
        folder = os.path.dirname(folder)
    return False


def _is_named(file: str, name: str) -> bool:
    path, named = os.path.abspath(file), os.path.abspath(name)
    return path == named or path.startswith(os.path.join(named, ""))


def _of_content(path: str, text: str) -> str:
    try:
        content = _content(path)
    except OSError as fault:
        return f"it cannot be read: {fault.strerror}"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "it is not UTF-8"
    if decode(content) != (text, None):
        return "it is not what was checked: it changed, or another revision was"
    is_writable = os.access(path, os.W_OK) and os.access(os.path.dirname(path), os.W_OK)
    return "" if is_writable else "it cannot be written"


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def rewrite(file: str, text: str) -> None:
    """Overwrite a file atomically, with its mode and its byte order mark; raises ``OSError``.

    For a symlink, the target is overwritten.
    """
    path = os.path.realpath(file)
    mark = codecs.BOM_UTF8 if _content(path).startswith(codecs.BOM_UTF8) else b""
    replace_file(path, mark + text.encode(), mode=stat.S_IMODE(os.stat(path).st_mode))
