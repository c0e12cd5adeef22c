"""Loads YAML of configuration files and kubeconfigs, with limits for its size.

PyYAML's composer recurses in C for each level, so that 100,000 brackets would crash the process, and readers of values
walk through everything that references expand to. Its constructor raises ``ValueError`` for numbers and dates.
"""

import re
from collections.abc import Iterator
from typing import Final

import yaml

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json

MOST_LEVELS: Final = 100
MOST_VALUES: Final = 100_000
"""Maximum number of values that references may expand to; without references the text itself is the limit."""

# For a configuration of 100 entries libyaml takes 10 ms, and the parser in pure Python 150 ms.
LOADER: Final[type[yaml.SafeLoader]] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INDENT: Final = regex(r"^[ \t?:-]+", re.MULTILINE)


def load(text: str, loader: type[yaml.SafeLoader] = LOADER) -> Json:
    """Return the value of the only document of ``text``, ``None`` if empty; raises ``yaml.YAMLError``."""
    return load_with_nodes(text, loader)[1]


def load_with_nodes(text: str, loader: type[yaml.SafeLoader] = LOADER) -> tuple[yaml.Node | None, Json]:
    """Return the nodes as well, which have the positions of the values; see ``load``."""
    check(text)
    reader = loader(text)
    try:
        root = reader.get_single_node()
        return root, reader.construct_document(root) if root else None
    except ValueError:
        # The message of the exception may quote the file, which may be a kubeconfig.
        raise yaml.MarkedYAMLError(problem="a number or date that cannot be read; quote it") from None
    finally:
        reader.dispose()


def check(text: str) -> None:
    """Raise ``yaml.YAMLError`` for text that is nested too deep, or that references expand too much.

    Text without references and with few brackets needs no parsing for that.
    """
    if "*" in text or _max_depth(text) > MOST_LEVELS:
        _count(yaml.parse(text, Loader=LOADER))


def _max_depth(text: str) -> int:
    """Return an upper bound of the depth: one map and one list for each column of indentation, plus the brackets."""
    columns = max(map(len, _INDENT.findall(text)), default=0) + 1
    return text.count("[") + text.count("{") + 2 * columns


def _count(events: Iterator[yaml.Event]) -> None:
    """Count the levels, and the values after expanding all references."""
    total = 0
    sizes: dict[str, int] = {}
    opened: list[tuple[str | None, int]] = []
    for event in events:
        total += 1
        match event:
            case yaml.AliasEvent(anchor=anchor):
                if any(anchor == outer for outer, _ in opened):
                    raise _limit_error(f"anchor {anchor!r} contains itself", event)
                total += sizes.get(str(anchor), 0)
            case yaml.CollectionStartEvent(anchor=anchor):
                opened.append((anchor, total))
            case yaml.CollectionEndEvent():
                anchor, before = opened.pop()
                sizes |= {anchor: total - before} if anchor else {}
        if total > MOST_VALUES and sizes:
            raise _limit_error("document contains excessive aliasing", event)
        if len(opened) > MOST_LEVELS:
            raise _limit_error(f"nested deeper than {MOST_LEVELS} levels", event)


def _limit_error(problem: str, event: yaml.Event) -> yaml.MarkedYAMLError:
    mark = event.start_mark
    place = yaml.Mark("", mark.index, mark.line, mark.column, None, 0) if mark else None
    return yaml.MarkedYAMLError(problem=problem, problem_mark=place)
