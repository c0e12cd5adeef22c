"""YAML of our own files and of kubeconfigs, bounded before PyYAML makes values of it.

Its composer calls itself in C for each level, so that 100,000 brackets end the program, and what references unfold to
is walked through by whoever reads the values. Its constructor raises ``ValueError`` for numbers and dates.
"""

import re
from collections.abc import Iterator
from typing import Final

import yaml

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json

MOST_LEVELS: Final = 100
MOST_VALUES: Final = 100_000
"""How many values references may make of a text; without references the text itself is the bound."""

# A configuration of 100 entries takes libyaml 10 ms and the parser in pure Python 150 ms.
LOADER: Final[type[yaml.SafeLoader]] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INDENT: Final = regex(r"^[ \t?:-]+", re.MULTILINE)


def load(text: str, loader: type[yaml.SafeLoader] = LOADER) -> Json:
    """Return the value of the one document of ``text``, ``None`` for none; raise ``yaml.YAMLError``."""
    return load_with_nodes(text, loader)[1]


def load_with_nodes(text: str, loader: type[yaml.SafeLoader] = LOADER) -> tuple[yaml.Node | None, Json]:
    """Return the nodes beside the value, to tell where it is written; see ``load``."""
    check(text)
    reader = loader(text)
    try:
        root = reader.get_single_node()
        return root, reader.construct_document(root) if root else None
    except ValueError:
        # The words of the exception may quote the file, which may be a kubeconfig.
        raise yaml.MarkedYAMLError(problem="a number or date that cannot be read; quote it") from None
    finally:
        reader.dispose()


def check(text: str) -> None:
    """Raise ``yaml.YAMLError`` for text that nests too deep, or that references unfold to too much.

    Text without references and with few brackets is not looked at any closer.
    """
    if "*" in text or _most_levels(text) > MOST_LEVELS:
        _count(yaml.parse(text, Loader=LOADER))


def _most_levels(text: str) -> int:
    """Return a number that the depth does not exceed: in each column a map and a list can begin, else at a bracket."""
    columns = max(map(len, _INDENT.findall(text)), default=0) + 1
    return text.count("[") + text.count("{") + 2 * columns


def _count(events: Iterator[yaml.Event]) -> None:
    """Count levels, and what values there would be if each reference was written out."""
    total = 0
    sizes: dict[str, int] = {}
    opened: list[tuple[str | None, int]] = []
    for event in events:
        total += 1
        match event:
            case yaml.AliasEvent(anchor=anchor):
                if any(anchor == outer for outer, _ in opened):
                    raise _refusal(f"anchor {anchor!r} contains itself", event)
                total += sizes.get(str(anchor), 0)
            case yaml.CollectionStartEvent(anchor=anchor):
                opened.append((anchor, total))
            case yaml.CollectionEndEvent():
                anchor, before = opened.pop()
                sizes |= {anchor: total - before} if anchor else {}
        if total > MOST_VALUES and sizes:
            raise _refusal("document contains excessive aliasing", event)
        if len(opened) > MOST_LEVELS:
            raise _refusal(f"nested deeper than {MOST_LEVELS} levels", event)


def _refusal(problem: str, event: yaml.Event) -> yaml.MarkedYAMLError:
    mark = event.start_mark
    place = yaml.Mark("", mark.index, mark.line, mark.column, None, 0) if mark else None
    return yaml.MarkedYAMLError(problem=problem, problem_mark=place)
