"""Which objects a text names, read quickly: enough to tell whether two files of a folder hold the same one."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Identity, ObjectRef
from kubectl_applylint.sources.text.manifests import read_text

_FIRST_WORD: Final = "apiVersion"
_PLAIN: Final = r"[\"']?([\w./:-]+)[\"']?[ \t]*(?:#.*)?$"
_ACTION: Final = regex(r"\{[{%]")
_BEFORE_STATEMENT: Final = regex(r"[ \t]*(?:-[ \t]+)?")
_VALUE: Final = regex(rf"[ \t]+{_PLAIN}", re.MULTILINE)
_METADATA: Final = regex(r"[ \t]*(?:#.*)?\n((?:(?:[ \t].*|#.*|)\n)*)")
_PATTERNS: Final = {"apiVersion": _VALUE, "kind": _VALUE, "metadata": _METADATA}
"""What follows the keys that each object has."""
_MARKS: Final = regex(rf"\n(?=[a-z-])(?:---(?:[ \t].*)?(?=\n|\Z)|({'|'.join(_PATTERNS)}):)")
"""The lines that separate documents, and the keys that each object has; a look at one character skips most lines."""
_INDENT: Final = regex(r"^[ \t]+(?=[^\s#])", re.MULTILINE)
_NAME: Final = regex(rf"^([ \t]+)name:[ \t]+{_PLAIN}", re.MULTILINE)
_NAMESPACE: Final = regex(rf"^([ \t]+)namespace:[ \t]+{_PLAIN}", re.MULTILINE)


def is_template(text: str) -> bool:
    """Return whether a text is a template of Go or Jinja: whether a line begins with an action or a statement.

    An action inside a value may be what a controller expands, as in an ApplicationSet: that is YAML all the same.
    """
    begins = (text[text.rfind("\n", 0, found.start()) + 1 : found.start()] for found in _ACTION.finditer(text))
    return any(map(_BEFORE_STATEMENT.fullmatch, begins))


def names(text: str) -> frozenset[Identity]:
    """Return the names of the objects in a text of YAML; what is not written plainly is parsed.

    Objects that the server is to name (``generateName``) have none.
    """
    plain = text.replace("\r\n", "\n") if "\r" in text else text
    found = [*_names(f"\n{plain}\n")]
    if any(name is None for name in found):
        every = (document.ref for document in read_text(text.encode(), "").documents)
        return frozenset(ref.identity for ref in every if ref.name)
    return frozenset(name for name in found if name is not None)


def is_created_only(text: str) -> bool:
    """Return whether a text has an object that the server is to name: kubectl creates such a file and cannot apply it."""
    return "generateName" in text and any(not document.ref.name for document in read_text(text.encode(), "").documents)


def _names(lines: str) -> Iterator[Identity | None]:
    """Yield the name of the object of each document that may hold one; ``None`` where only a parser can tell."""
    begin, keys = 0, list[re.Match[str]]()
    for mark in chain(_MARKS.finditer(lines), (None,)):
        if mark and mark[1]:
            # One more than there are tells that one comes twice; a text may have millions.
            if len(keys) <= len(_PATTERNS):
                keys.append(mark)
            continue
        end = mark.start() if mark else len(lines)
        if lines.find(_FIRST_WORD, begin, end) >= 0:
            yield _name(lines, keys)
        begin, keys = end + 1, []


def _name(lines: str, keys: Sequence[re.Match[str]]) -> Identity | None:
    ends = {key[1]: key.end() for key in keys}
    if len(keys) > len(ends) or len(ends) < len(_PATTERNS):
        return None
    values = {key: pattern.match(lines, ends[key]) for key, pattern in _PATTERNS.items()}
    version, kind, block = (value[1] if value else None for value in values.values())
    if version is None or kind is None or block is None or kind.endswith("List"):
        return None
    indent = _INDENT.search(block)
    name, namespace = (_outermost(pattern, block, indent[0] if indent else "") for pattern in (_NAME, _NAMESPACE))
    return None if name is None else ObjectRef(version, kind, namespace or "", name).identity


def _outermost(pattern: re.Pattern[str], block: str, indent: str) -> str | None:
    """Return the value of an entry of a map; all keys of the map are indented as the first one."""
    return next((match[2] for match in pattern.finditer(block) if match[1] == indent), None)


def hold_the_same(texts: Iterable[str]) -> bool:
    """Return whether two of some texts name the same object, so that they are alternatives and not one apply."""
    seen: set[Identity] = set()
    for text in texts:
        own = names(text)
        if not seen.isdisjoint(own):
            return True
        seen |= own
    return False
