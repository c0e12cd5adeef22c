"""Live fields that the applier itself has written once, and that it no longer knows of."""

from kubectl_applylint.core.paths import Path, fields, get, leaves
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, equal, mapping
from kubectl_applylint.lint.checks._owners import writers
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.schema.lookup import at

_ASIDE = (fields("metadata"), fields("status"))


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field outside the metadata that its manager owns, and that stays although no manifest has it.

    With ``params["shared"]`` others own it, too, else none does. What a fresh install has as well is a default, and so
    may be any field of a struct: of kinds that Kubernetes has itself only entries of maps count. Facts: value, owners
    (the others).
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
    """Tell whether a field is the entry of a map, or of a kind in which the server fills in nothing else."""
    if subject.kind is None or subject.kind.custom:
        return True
    parent = at(subject.kind.root, path[:-1])
    return parent is not None and parent.value is not None


def _stays(subject: Subject, path: Path) -> bool:
    """Tell whether a field is left alone, and comes from neither the manifests nor the server."""
    live, result = live_object(subject.state.live), subject.predict(Scenario.APPLY).result
    others = (live_object(subject.base), subject.predict(Scenario.FRESH).result)
    return equal(get(live, path), get(result, path)) and all(get(side, path) is MISSING for side in others)
