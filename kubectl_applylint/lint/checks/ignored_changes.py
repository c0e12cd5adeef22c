"""Changes of a manifest that Argo CD replaces by the live values, because it ignores differences in these fields."""

from kubectl_applylint.core.paths import fields, get, leaves
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, equal, mapping
from kubectl_applylint.lint.checks._lists import element_names
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.tools.argocd.application import ArgoSync
from kubectl_applylint.tools.argocd.ignores import with_live_values, without_ignored

_STATUS = fields("status")


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each changed field of the manifest that Argo CD syncs with the live value.

    Skipped if the element of a list may be another one. Facts: value, live ("nothing" if absent).
    """
    unit = subject.flags.unit_applier.unit if subject.flags.unit_applier else None
    live, base, manifest = live_object(subject.state.live), live_object(subject.base), subject.manifest
    if not isinstance(unit, ArgoSync) or not unit.application.respects_ignored or MISSING in (live, base):
        return
    if subject.predict(Scenario.APPLY).refused:
        return
    left = without_ignored(manifest, mapping(live), unit.application.ignored, subject.kind)
    synced = with_live_values(manifest, mapping(live), left, subject.kind)
    for path, wanted in leaves(manifest):
        kept = get(synced, path)
        is_same = equal(kept, wanted) or equal(get(mapping(base), path), wanted)
        if not is_same and path[:1] != _STATUS and element_names(synced, path) == element_names(manifest, path):
            yield Hit(path, {"value": wanted, "live": "nothing" if kept is MISSING else kept})
