"""List items that Metacontroller treats as the same, so that the server may reject the merged list."""

from typing import Final

from kubectl_applylint.core.paths import Index, render
from kubectl_applylint.lint.checks._sync import synced_values
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.merge.dynamic import name_of

_TWICE: Final = "Duplicate value"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each item with the same key as an earlier item of its list. Facts: list, key, value, first."""
    twice = tuple(cause for cause in subject.predict(Scenario.APPLY).errors if cause.message.startswith(_TWICE))
    for meeting in synced_values(subject):
        seen: dict[str, int] = {}
        key = meeting.key
        for position, item in enumerate(meeting.lists[2] if meeting.lists and key else ()):
            name = name_of(item, key or "")
            first = seen.setdefault(name, position)
            if first != position:
                facts = {"list": render(meeting.path), "key": key, "value": name, "first": first}
                yield Hit((*meeting.path, Index(position)), facts, explains=twice)
