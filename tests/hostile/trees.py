"""Commits whose trees hold names that git itself would never write."""

import hashlib
import subprocess
from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.sources.repositories import Repo

FILE, FOLDER, LINK = b"100644", b"40000", b"120000"
_LINKED: Final = "-> "
"""The beginning of a text that is the target of a link."""


def commit_of(repo: Repo, tree: Mapping[str, Any], filled: Callable[[str], str]) -> str:
    """Return the id of a commit with this tree: folders are mappings, files and links (``-> TARGET``) are texts."""
    return repo.git("commit-tree", "-m", "x", _tree(repo, tree, filled))


def _tree(repo: Repo, tree: Mapping[str, Any], filled: Callable[[str], str]) -> str:
    return _object(repo, "tree", b"".join(_entry(repo, filled(name), item, filled) for name, item in tree.items()))


def _entry(repo: Repo, name: str, item: Any, filled: Callable[[str], str]) -> bytes:
    mode, number = _content(repo, item, filled)
    return mode + b" " + name.encode("utf-8", "surrogateescape") + b"\0" + bytes.fromhex(number)


def _content(repo: Repo, item: Any, filled: Callable[[str], str]) -> tuple[bytes, str]:
    if isinstance(item, dict):
        return FOLDER, _tree(repo, item, filled)
    text = filled(item)
    mode = LINK if text.startswith(_LINKED) else FILE
    return mode, _object(repo, "blob", text.removeprefix(_LINKED).encode())


def _object(repo: Repo, kind: str, content: bytes) -> str:
    command = ["git", "hash-object", "--literally", "-t", kind, "-w", "--stdin"]
    done = subprocess.run(command, cwd=repo.folder, input=content, capture_output=True, check=True)
    number = done.stdout.decode().strip()
    assert number == hashlib.sha1(b"%s %d\0%s" % (kind.encode(), len(content), content)).hexdigest()
    return number
