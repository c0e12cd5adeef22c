"""List entries that others added to a custom resource."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.checks._lists import covers, lists
from kubectl_applylint.gotext import encode
from kubectl_applylint.model import Hit, Scenario, Subject
from kubectl_applylint.paths import fields, get, render
from kubectl_applylint.state import last_applied, present
from kubectl_applylint.values import Json


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield each list of the manifest whose live entries are in part neither of the manifest nor of the last apply.

    Only for kinds that are patched with a JSON merge patch, which replaces lists. Keeps quiet if the apply is refused.
    Facts: list, entries, count.
    """
    live, applied = present(subject.state.live), present(last_applied(subject.state.live))
    merged_by_key = subject.kind is not None and subject.kind.strategic
    if merged_by_key or subject.foretell(Scenario.APPLY).refused:
        return
    for path, value in lists(subject.manifest):
        there, before = get(live, path), get(applied, path)
        known = [*value, *(before if isinstance(before, list) else [])]
        entries = there if isinstance(there, list) and path[:1] != fields("status") else []
        foreign = [entry for entry in entries if not any(covers(entry, item) for item in known)]
        if foreign:
            facts = {"list": render(path), "entries": ", ".join(map(_name, foreign)), "count": len(foreign)}
            yield Hit(path, facts)


def _name(entry: Json) -> str:
    """Return how people call a list entry: by its name, or else as it is, cut short."""
    if isinstance(entry, dict) and isinstance(entry.get("name"), str):
        return str(entry["name"])
    text = entry if isinstance(entry, str) else encode(entry)
    return text if len(text) <= 60 else f"{text[:59]}…"
