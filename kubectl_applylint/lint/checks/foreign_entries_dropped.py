"""List entries that other clients added to a custom resource and that an apply drops."""

from kubectl_applylint.core.paths import fields, get, render
from kubectl_applylint.core.state import last_applied, live_object
from kubectl_applylint.core.values import items
from kubectl_applylint.lint.checks._lists import covers, entry_name, lists
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.schema.lookup import at


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each list of the manifest with live entries that are neither in the manifest nor in the last apply.

    Only for kinds that are patched with a JSON merge patch, which replaces lists. Skipped if the apply is rejected.
    Facts: list, entries, count, keyed: the keys by which the definition identifies entries, empty if it has none.
    """
    live, applied = live_object(subject.state.live), live_object(last_applied(subject.state.live))
    merged_by_key = subject.kind is not None and subject.kind.strategic
    if merged_by_key or subject.predict(Scenario.APPLY).refused:
        return
    for path, value in lists(subject.manifest):
        there, before = get(live, path), get(applied, path)
        known = [*value, *items(before)]
        entries = there if isinstance(there, list) and path[:1] != fields("status") else []
        foreign = [entry for entry in entries if not any(covers(entry, item) for item in known)]
        if foreign:
            node = at(subject.kind.root, path) if subject.kind else None
            yield Hit(
                path,
                {
                    "list": render(path),
                    "entries": ", ".join(map(entry_name, foreign)),
                    "count": len(foreign),
                    "keyed": ", ".join(node.map_keys) if node else "",
                },
            )
