"""Nulls in a server-side apply that have no effect."""

from kubectl_applylint.core.paths import fields, get
from kubectl_applylint.lint.checks._lists import with_merge_keys
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.merge.typed import MergeForm, form_of
from kubectl_applylint.schema.walk import walk


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each null of the manifest whose list or map stays unchanged because it merges by entry.

    Labels and annotations are skipped: templates leave them empty without intent. Facts: count (of the entries that
    stay).
    """
    outcome = subject.predict(Scenario.APPLY)
    if subject.kind is None or outcome.refused:
        return
    for path, value, node in walk(subject.manifest, subject.kind.root):
        meant = value is None and path[-1:] not in (fields("labels"), fields("annotations"))
        if meant and form_of(node, value) in (MergeForm.MAP, MergeForm.KEYED, MergeForm.SET):
            left = get(outcome.result, with_merge_keys(subject.manifest, subject.kind.root, path))
            if isinstance(left, (dict, list)) and left:
                yield Hit(path, {"count": len(left)})
