"""Lists meant to be replaced as a whole that Metacontroller merges."""

from kubectl_applylint.core.paths import render
from kubectl_applylint.lint.checks._sync import merges, node_of, synced_values
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each list whose foreign items stay although its kind does not merge it. Facts: list, key, items.

    In custom resources only lists that are declared atomic count.
    """
    for meeting in synced_values(subject):
        node = node_of(subject, meeting.path)
        custom = subject.kind is not None and subject.kind.custom
        is_whole = node is not None and (node.list_type == "atomic" if custom else not merges(node))
        if is_whole and meeting.foreign:
            facts = {"list": render(meeting.path), "key": meeting.key, "items": ", ".join(map(str, meeting.foreign))}
            yield Hit(meeting.path, facts)
