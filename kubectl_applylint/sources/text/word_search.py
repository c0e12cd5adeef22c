"""Search for words in the contents of files."""

import re
from collections.abc import Collection, Iterable
from typing import Final

_BINARY_WITHIN: Final = 8000
"""git treats a file as binary if one of its first bytes is zero."""


def paths_with_words(texts: Iterable[tuple[str, bytes]], words: Collection[str]) -> frozenset[str]:
    """Return the paths of the texts that contain one of these words as a whole word, as ``git grep -w -F -I`` does."""
    coded = [word.encode() for word in words]
    wanted = re.compile(rb"(?<!\w)(?:%s)(?!\w)" % b"|".join(map(re.escape, coded)))
    return frozenset(path for path, text in texts if _contains(text, coded, wanted))


def _contains(text: bytes, words: Collection[bytes], wanted: re.Pattern[bytes]) -> bool:
    """Return whether a pattern matches a text; a quick search for its ``words`` excludes most texts."""
    if not any(word in text for word in words) or b"\0" in text[:_BINARY_WITHIN]:
        return False
    return wanted.search(text) is not None
