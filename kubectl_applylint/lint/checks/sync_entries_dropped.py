"""Items of other writers that a sync by Metacontroller drops, because it replaces a list meant to merge."""

from kubectl_applylint.core.paths import render
from kubectl_applylint.lint.checks._lists import covers
from kubectl_applylint.lint.checks._sync import SyncedValue, merges, node_of, synced_values
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.merge.dynamic import merge_key


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each replaced list that loses items which no hook returned. Facts: list, number (of these).

    ``params["lists"]``: ``scalars``; ``keyless`` for objects without a known key in common; ``spoiled`` for those that
    would merge without the items of others. Lists of objects with undeclared merging count as well.
    """
    for meeting in synced_values(subject):
        if not meeting.lists or meeting.key or _list_kind(meeting) != params["lists"]:
            continue
        observed, last, desired = meeting.lists
        node = node_of(subject, meeting.path)
        undeclared = subject.kind is None or (subject.kind.custom and (node is None or not node.list_type))
        lost = [item for item in observed if not any(covers(item, own) for own in (*last, *desired))]
        if lost and (merges(node) or (undeclared and params["lists"] != "scalars")):
            yield Hit(meeting.path, {"list": render(meeting.path), "number": len(lost)})


def _list_kind(meeting: SyncedValue) -> str:
    """Return the kind of a replaced list: ``spoiled``, ``keyless`` or ``scalars``."""
    observed, last, desired = meeting.lists or ([], [], [])
    if merge_key(last, desired):
        return "spoiled"
    return "keyless" if all(isinstance(item, dict) for item in (*observed, *desired)) else "scalars"
