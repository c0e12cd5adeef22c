"""Which objects a text names, read quickly: enough to tell whether two files of a folder hold the same one."""

import re
from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Identity, ObjectRef
from kubectl_applylint.sources.manifests import read_text

_DOCUMENTS: Final = regex(r"\n---(?:[ \t].*)?(?=\n|\Z)")
"""What stands between two documents; each then begins with the end of the line before it."""
_PLAIN: Final = r"[\"']?([\w./:-]+)[\"']?[ \t]*(?:#.*)?$"
_ACTION: Final = regex(r"\{[{%]")
_BEFORE_STATEMENT: Final = regex(r"[ \t]*(?:-[ \t]+)?")
_VALUE: Final = regex(rf"[ \t]+{_PLAIN}", re.MULTILINE)
_METADATA: Final = regex(r"[ \t]*(?:#.*)?\n((?:(?:[ \t].*|#.*|)\n)*)")
_PATTERNS: Final = {"apiVersion": _VALUE, "kind": _VALUE, "metadata": _METADATA}
"""What follows the keys that each object has."""
_KEYS: Final = regex(rf"\n({'|'.join(_PATTERNS)}):")
_NAME: Final = regex(rf"^([ \t]+)name:[ \t]+{_PLAIN}", re.MULTILINE)
_NAMESPACE: Final = regex(rf"^([ \t]+)namespace:[ \t]+{_PLAIN}", re.MULTILINE)


def is_template(text: str) -> bool:
    """Tell whether a text is a template of Go or Jinja: whether a line begins with an action or a statement.

    An action inside a value may be what a controller expands, as in an ApplicationSet: that is YAML all the same.
    """
    begins = (text[text.rfind("\n", 0, found.start()) + 1 : found.start()] for found in _ACTION.finditer(text))
    return any(map(_BEFORE_STATEMENT.fullmatch, begins))


def names(text: str) -> frozenset[Identity]:
    """Return the names of the objects in a text of YAML; what is not written plainly is parsed.

    Objects that the server is to name (``generateName``) have none.
    """
    lines = "\n" + (text.replace("\r\n", "\n") if "\r" in text else text)
    parts = _DOCUMENTS.split(lines) if "\n---" in lines else [lines]
    found = [_name(part + "\n") for part in parts if may_hold_objects(part)]
    if any(name is None for name in found):
        every = (document.ref for document in read_text(text.encode(), "").documents)
        return frozenset(ref.identity for ref in every if ref.name)
    return frozenset(name for name in found if name is not None)


def is_created_only(text: str) -> bool:
    """Tell whether a text has an object that the server is to name: kubectl creates such a file and cannot apply it."""
    return "generateName" in text and any(not document.ref.name for document in read_text(text.encode(), "").documents)


def may_hold_objects(text: str) -> bool:
    """Tell whether a text can hold an object at all: whether it has the first word of each, which is told quickly."""
    return "apiVersion" in text


def _name(part: str) -> Identity | None:
    """Return the name of the one object of a document; ``None`` where only a parser can tell."""
    found = [*_KEYS.finditer(part)]
    ends = {key[1]: key.end() for key in found}
    if len(found) > len(ends) or len(ends) < len(_PATTERNS):
        return None
    values = {key: pattern.match(part, ends[key]) for key, pattern in _PATTERNS.items()}
    version, kind, block = (value[1] if value else None for value in values.values())
    if version is None or kind is None or block is None or kind.endswith("List"):
        return None
    name, namespace = _outermost(_NAME, block), _outermost(_NAMESPACE, block)
    return None if name is None else ObjectRef(version, kind, namespace or "", name).identity


def _outermost(pattern: re.Pattern[str], block: str) -> str | None:
    indents = [len(line) - len(line.lstrip()) for line in block.splitlines() if line.strip() and line.strip()[0] != "#"]
    found = (match[2] for match in pattern.finditer(block) if len(match[1]) == min(indents))
    return next(found, None)


def hold_the_same(texts: Iterable[str]) -> bool:
    """Tell whether two of some texts name the same object, so that they are alternatives and not one apply."""
    seen: set[Identity] = set()
    for text in texts:
        own = names(text)
        if not seen.isdisjoint(own):
            return True
        seen |= own
    return False
