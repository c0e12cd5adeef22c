"""Lists of custom resources that a kustomize patch replaced by its own entries."""

from collections import Counter

from kubectl_applylint.lint.checks._rendered import lists
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each list of a custom resource in which an entry lost fields of the file.

    Entries are identified by a unique name. Facts: ``entry`` (the first such), ``lost`` (its fields), ``gone`` (lost
    entries, or ``none``).
    """
    source = subject.document.source
    if source is None or (subject.kind is not None and not subject.kind.custom):
        return
    for path, before, after in lists(source, subject.manifest):
        there = {entry["name"]: entry for entry in after}
        alike = Counter(entry["name"] for entry in before) | Counter(entry["name"] for entry in after)
        cut = [one for one in before if alike[one["name"]] == 1 and one.keys() - there.get(one["name"], one).keys()]
        if cut:
            lost = sorted(cut[0].keys() - there[cut[0]["name"]].keys())
            gone = [entry["name"] for entry in before if entry["name"] not in there]
            facts = {"entry": cut[0]["name"], "lost": ", ".join(lost), "gone": ", ".join(gone) or "none"}
            yield Hit(path, facts)
