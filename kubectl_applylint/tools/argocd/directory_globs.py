"""The patterns ``include`` and ``exclude`` of a ``directory``: those of ``gobwas/glob`` without separators.

``*`` matches slashes as well, ``{a,b}`` one of several, ``[a-c]`` and ``[!a]`` one character.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.regex import regex

_TOKEN: Final = regex(r"\*+|\[!?(?P<set>[^\]]+)\]|\\.|.", re.DOTALL)
_STAR: Final = "*"
_MOST: Final = 256
"""The maximum number of alternatives of a pattern with braces."""


def glob_matcher(glob: str) -> Callable[[str], bool]:
    """Return a function that matches paths, in time proportional to their length; an invalid pattern matches none."""
    try:
        patterns = [_compile(one) for one in _alternatives(_tokens(glob))]
    except (re.error, ValueError):
        patterns = []
    return lambda path: any(one.fullmatch(path) for one in patterns)


def _tokens(glob: str) -> Iterator[str]:
    """Yield stars, braces and commas as they are, and regular expressions for everything else."""
    for found in _TOKEN.finditer(glob):
        text = found[0]
        if found["set"]:
            negation = "^" * text.startswith("[!")
            yield f"[{negation}{re.escape(found['set'])}]".replace(r"\-", "-")
        elif text.startswith(_STAR):
            yield _STAR
        elif text in "{},":
            yield text
        else:
            yield "." if text == "?" else re.escape(text.removeprefix("\\") or "\\")


def _alternatives(tokens: Iterator[str], depth: int = 0) -> Sequence[tuple[str, ...]]:
    """Return the patterns without braces that a pattern means, up to the brace that ends it; raise ``ValueError``."""
    done: list[tuple[str, ...]] = []
    current: list[tuple[str, ...]] = [()]
    for token in tokens:
        if token == "{":
            current = [(*one, *other) for other in _alternatives(tokens, depth + 1) for one in current]
        elif depth and token == ",":
            done, current = [*done, *current], [()]
        elif depth and token == "}":
            break
        else:
            current = [(*one, token) for one in current]
        if len(done) + len(current) > _MOST:
            raise ValueError("too many alternatives")
    return [*done, *current]


def _compile(tokens: Sequence[str]) -> re.Pattern[str]:
    """Return a regular expression; the first match of a part between two stars is sufficient, so no other is tried."""
    parts: list[str] = [""]
    for token in tokens:
        if token == _STAR:
            parts.append("")
        else:
            parts[-1] += re.escape(token) if token in "{}," else token
    inner = "".join(f"(?>.*?{part})" for part in parts[1:-1])
    last = f".*{parts[-1]}" if len(parts) > 1 else ""
    return re.compile(f"{parts[0]}{inner}{last}", re.DOTALL)
