"""Fields that every apply of an unchanged manifest sends again, so that kubectl always prints "configured"."""

from collections.abc import Iterator

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.outcome import plain
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.server_fields import is_inside
from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.lint.checks._again import ResendReason, ResentField, resent_fields
from kubectl_applylint.lint.fixes.field_edits import FieldEdit, RemoveField, SetValue
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject

_MAX_SHOWN = 3


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the first field that a second apply sends for the reason ``params["cause"]``.

    With ``params["server_fields"]`` false, fields that only the server writes do not count. Facts: fields (the first
    three of them), count, written, stored (of the first one, as JSON, null if absent).
    """
    found = [each for each in resent_fields(subject) if each.cause == params["cause"]]
    own = [each for each in found if params.get("server_fields", True) or not is_inside(each.path)]
    if not own:
        return
    names = [render(each.path) for each in own]
    fields = ", ".join([*names[:_MAX_SHOWN], *(["…"] if len(names) > _MAX_SHOWN else [])])
    values = {"written": own[0].written, "stored": own[0].stored}
    facts = {name: _text(value, secret=subject.ref.kind == "Secret") for name, value in values.items()}
    edits = tuple(edit for each in own for edit in _edits(each))
    yield Hit(own[0].path, {**facts, "fields": fields, "count": len(names)}, edits=edits)


def _edits(resent: ResentField) -> Iterator[FieldEdit]:
    """Yield the edit after which the field is not sent again: the stored spelling, or a removal."""
    if resent.cause is not ResendReason.SPELLING:
        yield RemoveField(resent.path)
    elif isinstance(resent.stored, str):
        yield SetValue(resent.path, resent.stored)


def _text(value: Json | Missing, *, secret: bool) -> str:
    """Return a value as JSON, so that the number 1 and the text "1" look different."""
    return "***" if secret else encode(plain(None if value is MISSING else value))
