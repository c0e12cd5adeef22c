"""Explains why an apply reports a change when no changed line is shown."""

from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.paths import Field, Path, leaves, render
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import equal, mapping
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.objects.changes import is_of_applier
from kubectl_applylint.report.words import translate

_FEW = 3


def hidden_changes_reason(outcome: Outcome, context: Context) -> str:
    """Return the hidden changes of an apply: server defaults, its annotation, or nothing stored."""
    changed = [change for change in outcome.changes if not equal(change.before, change.after)]
    noted = [change for change in changed if is_of_applier(change)]
    if len(changed) > len(noted):
        defaults = [change.path for change in changed if change not in noted]
        return translate("only server defaults change: {fields}", context, fields=_path_list(defaults))
    if noted:
        return translate("only the annotation changes that kubectl compares with", context)
    every = [path for write in outcome.requests for path, _ in leaves(mapping(write.body))]
    sent = [path for path in every if path and Field(LAST_APPLIED) not in path]
    if sent:
        return translate("no stored value changes; kubectl sends {fields} each time", context, fields=_path_list(sent))
    return translate("no field changes", context)


def _path_list(paths: list[Path]) -> str:
    """Return the first paths, separated by commas."""
    texts = list(dict.fromkeys(map(render, paths)))
    return ", ".join(texts[:_FEW]) + (" …" if len(texts) > _FEW else "")
