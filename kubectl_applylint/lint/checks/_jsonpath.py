"""Parses the JSONPaths of user-written rules and rejects expensive ones.

jsonpath-ng calculates (``name * 1000000000`` makes a text of a gigabyte), replaces by patterns of Python and recurses
for each step.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from kubectl_applylint.core.patterns.linear import Matcher
from kubectl_applylint.lint.checks._patterns import compile_for_python

MAX_LENGTH: Final = 1_000
"""The longest path, in characters."""
_MAX_STEPS: Final = 100
_MAX_DESCENTS: Final = 2
"""The maximum number of ``..`` in a path: each searches everything below all matches so far."""
_REJECTED_NODES: Final = {"Operation": "calculates", "Sub": "replaces text"}


class JsonPathError(ValueError):
    """A text that is not a valid JSONPath, or one that is rejected; the message contains the reason."""


@lru_cache(maxsize=256)
def parse_path(path: str) -> Any:
    """Return the path parsed by jsonpath-ng; raise ``JsonPathError``."""
    from jsonpath_ng.exceptions import JSONPathError  # noqa: PLC0415  # 35 ms that only declarative rules pay
    from jsonpath_ng.ext.parser import parse  # noqa: PLC0415  # 35 ms, as above
    from jsonpath_ng.ext.string import DefintionInvalid  # noqa: PLC0415  # 35 ms, as above

    if len(path) > MAX_LENGTH:
        raise JsonPathError(f"longer than {MAX_LENGTH} characters")
    try:
        tree = parse(path)
    except (JSONPathError, DefintionInvalid, ValueError, OverflowError, RecursionError) as fault:
        raise JsonPathError(f"not a JSONPath: {fault or type(fault).__name__}") from None
    _check(tree)
    return tree


def _check(tree: Any) -> None:
    """Raise ``JsonPathError`` for a path that may be expensive."""
    nodes = list(_nodes(tree))
    names = [type(node).__name__ for node in nodes]
    for name, does in _REJECTED_NODES.items():
        if name in names:
            raise JsonPathError(f"a path that {does} is not followed; compare what it finds with equals or matches")
    if len(nodes) > _MAX_STEPS:
        raise JsonPathError(f"of more than {_MAX_STEPS} steps")
    if names.count("Descendants") > _MAX_DESCENTS:
        raise JsonPathError(f"'..' occurs more than {_MAX_DESCENTS} times")
    patterns = [node.value for node in nodes if type(node).__name__ == "Expression" and node.op == "=~"]
    for pattern in patterns:
        if not isinstance(compile_for_python(str(pattern)), Matcher):
            raise JsonPathError(f"{pattern!r} might not end, or is no pattern; use matches")


def _nodes(tree: Any) -> Iterator[Any]:
    """Yield the parts of a path, including those in filters, without recursion, since a path may be long."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, (list, tuple)):
            todo.extend(node)
        elif type(node).__module__.startswith("jsonpath_ng"):
            yield node
            todo.extend(vars(node).values())
