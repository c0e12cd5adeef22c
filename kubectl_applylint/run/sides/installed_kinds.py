"""Kinds that are installed because the files of a revision contain objects of them."""

import re
from collections.abc import Callable
from functools import cache

from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.schema.types import Gvk


def kind_finder(side: Side) -> Callable[[Gvk], bool]:
    """Return a function that returns whether a file mentions a kind together with its API group, in any version."""

    @cache
    def is_shown(group: str, kind: str) -> bool:
        texts = side.contents(sorted(side.mentioning([kind]))).values()
        api_version = re.compile(rb"""\bapiVersion["']?\s*:\s*["']?%s/""" % re.escape(group).encode())
        named = re.compile(rb"""\bkind["']?\s*:\s*["']?%s\b""" % re.escape(kind).encode())
        return any(api_version.search(text) and named.search(text) for text in texts)

    return lambda gvk: is_shown(gvk[0].partition("/")[0], gvk[1])
