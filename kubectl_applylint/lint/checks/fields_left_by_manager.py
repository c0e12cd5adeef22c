"""Live fields that the applier wrote earlier and no longer tracks."""

from kubectl_applylint.core.paths import Path, fields, get, leaves
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, equal, mapping
from kubectl_applylint.lint.checks._owners import writers
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.schema.lookup import at

_ASIDE = (fields("metadata"), fields("status"))


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field outside the metadata that its manager owns and that stays without a manifest.

    With ``params["shared"]`` others own it as well, else none does. Fields of a fresh install are defaults, and so may
    be
    any field of a struct: in built-in kinds only entries of maps count. Facts: value, owners (the others).
    """
    outcome, live = subject.predict(Scenario.APPLY), mapping(live_object(subject.state.live))
    if outcome.refused or outcome.result is None:
        return
    for path, value in leaves(live):
        is_open = path[:1] not in _ASIDE and _is_entry(subject, path) and get(subject.manifest, path) is MISSING
        owners = writers(subject, path) if is_open and _stays(subject, path) else []
        others = [name for name in owners if name != subject.flags.manager]
        if len(others) < len(owners) and bool(others) is params.get("shared", False):
            yield Hit(path, {"value": value, "owners": ", ".join(others)})


def _is_entry(subject: Subject, path: Path) -> bool:
    """Return whether a field is the entry of a map, or of a kind in which the server adds nothing else."""
    if subject.kind is None or subject.kind.custom:
        return True
    parent = at(subject.kind.root, path[:-1])
    return parent is not None and parent.value is not None


def _stays(subject: Subject, path: Path) -> bool:
    """Return whether a field stays unchanged and is set by neither the manifests nor the server."""
    live, result = live_object(subject.state.live), subject.predict(Scenario.APPLY).result
    others = (live_object(subject.base), subject.predict(Scenario.FRESH).result)
    return equal(get(live, path), get(result, path)) and all(get(side, path) is MISSING for side in others)
