"""Quantities of memory, CPU and storage that the server cannot parse."""

from typing import Final

from kubectl_applylint.core.paths import leaves
from kubectl_applylint.core.regex import regex
from kubectl_applylint.engine.placeholders import is_unfinished
from kubectl_applylint.lint.checks._lists import with_merge_keys
from kubectl_applylint.lint.fixes.field_edits import SetValue
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.schema.lookup import at
from kubectl_applylint.server.quantity import IncalculableError, QuantityError, parse

_ERROR: Final = regex("quantit(?:y|ies)")
_SPACED: Final = regex(r"([0-9.]+)\s+([A-Za-z]+)")
"""A quantity that is invalid only because of a space: ``1 Gi``."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each invalid quantity if the apply fails because of one.

    Placeholders in units are skipped. For a quantity with a space before its suffix the edit removes the space.
    Facts: value (as written).
    """
    causes = tuple(one for one in subject.predict(Scenario.APPLY).errors if _ERROR.search(one.message))
    if not causes or subject.kind is None:
        return
    for path, value in leaves(subject.manifest):
        node = at(subject.kind.root, path) if isinstance(value, str) and not _is_amount(value) else None
        if node is None or node.format != "quantity":
            continue
        if not (subject.flags.is_unit and is_unfinished(value)):
            spaced = _SPACED.fullmatch(str(value).strip())
            whole = spaced[1] + spaced[2] if spaced else ""
            edits = (SetValue(path, whole),) if whole and _is_amount(whole) else ()
            place = with_merge_keys(subject.manifest, subject.kind.root, path)
            yield Hit(place, {"value": value}, explains=causes, edits=edits)


def _is_amount(text: str) -> bool:
    """Return whether a text is a valid quantity."""
    try:
        parse(text.strip())
    except QuantityError:
        return False
    except IncalculableError:
        return True
    return True
