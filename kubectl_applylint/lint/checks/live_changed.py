"""Values that somebody changed since the last apply, and that the next one sets back."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.appliers.kubectl_client import MANAGER
from kubectl_applylint.core.outcome import Change, Why
from kubectl_applylint.core.paths import get
from kubectl_applylint.core.state import last_applied, present
from kubectl_applylint.core.values import MISSING, Json, equal
from kubectl_applylint.lint.checks._owners import writers
from kubectl_applylint.lint.model import Hit, Scenario, Subject
from kubectl_applylint.schema.lookup import at
from kubectl_applylint.schema.types import Shape

_PLAIN = {(Shape.STRING, ""), (Shape.INTEGER, "int32"), (Shape.INTEGER, "int64"), (Shape.BOOLEAN, "")}
"""Shapes and formats that the server stores exactly as they are written."""


_SERVER_DECIDES = (MISSING, "")
"""What a manifest holds where it leaves the value to the server."""


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield each value that the manifest has had since the last apply, where live has another one.

    Keeps quiet where the apply is refused. Facts: before,
    after, who (the managers that wrote it, or ``another client``).
    """
    outcome = subject.foretell(Scenario.APPLY)
    applied = present(last_applied(subject.state.live))
    for change in () if outcome.refused else outcome.changes:
        unchanged = equal(get(applied, change.path), get(subject.manifest, change.path))
        if unchanged and _is_set_back(change, subject):
            facts = {"before": change.before, "after": change.after, "who": _who(change, subject)}
            yield Hit(change.path, facts)


def _who(change: Change, subject: Subject) -> str:
    return ", ".join(name for name in writers(subject, change.path) if name != MANAGER) or "another client"


def _is_set_back(change: Change, subject: Subject) -> bool:
    node = at(subject.kind.root, change.path) if subject.kind else None
    there = change.cause.why is Why.SET and change.before is not MISSING and change.after not in _SERVER_DECIDES
    return there and node is not None and (node.shape, node.format) in _PLAIN
