"""Nulls and empty values that a server-side apply sends in vain."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.checks._lists import keyed
from kubectl_applylint.merge.typed import Form, form_of
from kubectl_applylint.model import Hit, Scenario, Subject
from kubectl_applylint.paths import get
from kubectl_applylint.schema.walk import walk
from kubectl_applylint.values import Json


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield each null or empty value of the manifest whose list or map stays as it was, since it merges by entry.

    Facts: written (``null``, ``{}`` or ``[]``), count (of the entries that stay).
    """
    outcome = subject.foretell(Scenario.APPLY)
    if subject.kind is None or outcome.refused:
        return
    for path, value, node in walk(subject.manifest, subject.kind.root):
        if value in (None, {}, []) and form_of(node, value) in (Form.MAP, Form.KEYED, Form.SET):
            left = get(outcome.result, keyed(subject.manifest, subject.kind.root, path))
            if isinstance(left, (dict, list)) and left:
                yield Hit(path, {"written": {"None": "null"}.get(str(value), str(value)), "count": len(left)})
