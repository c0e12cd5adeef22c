"""The names of the objects in a text: whether two files of a folder contain the same object."""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Identity
from kubectl_applylint.sources.text.manifests import read_text

_ACTION: Final = regex(r"\{[{%]")
_BEFORE_STATEMENT: Final = regex(r"[ \t]*(?:-[ \t]+)?")


def is_template(text: str) -> bool:
    """Return whether a text is a template of Go or Jinja: whether a line begins with an action or a statement.

    An action inside a value may be for a controller to expand, as in an ApplicationSet: that is still YAML.
    """
    begins = (text[text.rfind("\n", 0, found.start()) + 1 : found.start()] for found in _ACTION.finditer(text))
    return any(map(_BEFORE_STATEMENT.fullmatch, begins))


def names(text: str) -> frozenset[Identity]:
    """Return the names of the objects in a text of YAML. Objects that the server names (``generateName``) have none."""
    if "apiVersion" not in text:
        return frozenset()
    every = (document.ref for document in read_text(text.encode(), "").documents)
    return frozenset(ref.identity for ref in every if ref.name)


def is_created_only(text: str) -> bool:
    """Return whether an object in a text has ``generateName``: kubectl can create such a file but not apply it."""
    return "generateName" in text and any(not document.ref.name for document in read_text(text.encode(), "").documents)


def have_duplicate_objects(texts: Iterable[str]) -> bool:
    """Return whether two of some texts define the same object, so that they are alternatives and not one apply."""
    seen: set[Identity] = set()
    for text in texts:
        own = names(text)
        if not seen.isdisjoint(own):
            return True
        seen |= own
    return False
