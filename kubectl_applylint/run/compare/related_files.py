"""Ranks unchanged files by relevance to the changed ones: by their words and their distance."""

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.lint.relations import IndexQuery

_KIND: Final = regex(rb"""\bkind["']?\s*:\s*["']?(\w+)""")
_MOST_ALIKE: Final = 50
"""Maximum number of files for a distinctive word; one in more of them, as the name of the team, is ignored."""


def related_paths(texts: Mapping[str, bytes], index_query: IndexQuery) -> list[str]:
    """Return the paths whose texts contain a kind and one of its words, unless very many files contain that."""
    words = {word.encode() for wanted in index_query.values() for word in wanted}
    if not words:
        return []
    pattern = re.compile(rb"(?<![\w.-])(?:%s)(?![\w.-])" % b"|".join(map(re.escape, sorted(words, reverse=True))))
    found = {path: set(pattern.findall(text)) for path, text in texts.items()}
    numbers = Counter(chain.from_iterable(found.values()))
    distinctive = {
        kind.partition(".")[0].encode(): {word.encode() for word in wanted if numbers[word.encode()] <= _MOST_ALIKE}
        for kind, wanted in index_query.items()
    }
    return [
        path
        for path, text in texts.items()
        if any(not found[path].isdisjoint(distinctive.get(kind, ())) for kind in set(_KIND.findall(text)))
    ]


def folder_distance(folders: Collection[str], path: str) -> int:
    """Return the number of folders between a path and the nearest of ``folders``."""
    own = posixpath.dirname(path).split("/")
    return min((_steps(own, folder.split("/")) for folder in folders), default=0)


def _steps(one: Sequence[str], other: Sequence[str]) -> int:
    return len(one) + len(other) - 2 * len(posixpath.commonprefix([list(one), list(other)]))
