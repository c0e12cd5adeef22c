"""Fields that leave the manifest of an object without a last-applied annotation, so that nothing removes them."""

from typing import Final

from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier
from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.paths import Field, Path, fields, get, leaves, render
from kubectl_applylint.core.state import Absent, last_applied, live_object
from kubectl_applylint.core.values import MISSING, Json, JsonObject, equal
from kubectl_applylint.lint.checks._owners import live_managers
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.tools.argocd.options import GROUP

_ANNOTATIONS: Final = fields("metadata", "annotations")
_OF_ARGO_CD: Final = f"{GROUP}/"
_APPLY: Final = "Apply"
_MANAGER: Final = DEFAULT_MANAGERS[Applier.ARGOCD]


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if fields of an earlier server-side apply left the manifest and stay live.

    Fields of lists and annotations of Argo CD do not count. Facts: left (the first three fields).
    """
    live, earlier = live_object(subject.state.live), live_object(subject.base)
    if last_applied(subject.state.live) != Absent() or live is MISSING or earlier is MISSING:
        return
    if all(owner.operation != _APPLY or owner.name != _MANAGER for owner in live_managers(subject)):
        return
    outcome = subject.predict(Scenario.APPLY)
    after = outcome.result
    if outcome.refused or after is None:
        return
    left = [render(path) for path, value in leaves(earlier) if _stays(path, subject.manifest, (live, after), value)]
    if left:
        yield Hit(fields("metadata", "name"), {"left": first_names(left, 3)})


def _stays(path: Path, manifest: JsonObject, states: tuple[JsonObject, JsonObject], value: Json) -> bool:
    """Return whether a field left the manifest and is live with its value before and after the apply."""
    names = [step.name for step in path if isinstance(step, Field)]
    is_plain = bool(names) and len(names) == len(path)
    is_mark = path[:-1] == _ANNOTATIONS and names[-1].startswith(_OF_ARGO_CD)
    if not is_plain or is_mark or get(manifest, path) is not MISSING:
        return False
    return all(equal(get(state, path), value) for state in states)
