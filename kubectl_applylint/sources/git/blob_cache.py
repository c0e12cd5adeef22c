"""The contents of a repository's blobs, each read once: a git process takes longer than most of what it returns."""

from collections.abc import Collection, Mapping
from typing import Final

from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import Repository

_MOST_BYTES: Final = 32 * 1024 * 1024
"""Maximum number of cached bytes."""
MOST_SEARCHED: Final = 2000
"""Maximum number of files that are read to be searched; git searches more of them faster."""
_STEP: Final = 250
"""Number of blobs that are read at once, so that large ones end the search early."""


class BlobCache:
    """Reads the blobs of a repository by id, and caches them until its limit is reached."""

    def __init__(self, repo: Repository) -> None:
        self.repo = repo
        self._kept: dict[str, bytes] = {}
        self._room = _MOST_BYTES
        self._is_full = False

    def contents(self, ids: Collection[str]) -> Mapping[str, bytes]:
        """Return the contents of these ids; raises ``GitError`` if the repository does not have one."""
        new = git.contents(self.repo, [name for name in ids if name not in self._kept])
        for name, text in new.items():
            self._keep(name, text)
        return {name: new[name] if name in new else self._kept[name] for name in ids}

    def texts_to_search(self, ids: Collection[str]) -> Mapping[str, bytes] | None:
        """Return the contents of these ids, read once; ``None`` if they are too many or too large."""
        missing = [name for name in ids if name not in self._kept]
        if len(ids) > MOST_SEARCHED:
            return None
        for start in range(0, len(missing), _STEP):
            if self._is_full:
                return None
            self.contents(missing[start : start + _STEP])
        return None if self._is_full and missing else {name: self._kept[name] for name in ids}

    def _keep(self, name: str, text: bytes) -> None:
        self._is_full = self._is_full or len(text) > self._room
        if not self._is_full:
            self._kept[name] = text
            self._room -= len(text)
