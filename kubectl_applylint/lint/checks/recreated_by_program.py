"""Objects that another program than kubectl deletes and creates again."""

from kubectl_applylint.core.outcome import Change
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import equal
from kubectl_applylint.engine.errors import error_text
from kubectl_applylint.engine.set_refusals import is_lost
from kubectl_applylint.lint.checks._argocd import has_sync_option
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if the run deletes it and creates it again.

    With ``params["lost"]`` it is one whose creation is rejected, so that it is lost. ``params["option"]`` is a sync
    option of Argo CD, ``params["without_kinds"]`` the kinds that are meant to be recreated. Skipped are objects that
    are as in their manifest, which no automated run writes. Facts: said (why it is rejected).
    """
    if subject.ref.kind in params.get("without_kinds", ()) or not has_sync_option(subject, params):
        return
    outcome = subject.predict(Scenario.APPLY)
    if not outcome.refused and all(map(_is_kept, outcome.changes)):
        return
    is_deleted = any(write.method == "DELETE" for write in outcome.requests)
    is_told = outcome.status is not None or not outcome.refused
    if is_deleted and is_told and is_lost(outcome) is params.get("lost", False):
        yield Hit((), {"said": "; ".join(map(error_text, outcome.errors))})


def _is_kept(change: Change) -> bool:
    """Return whether a field stays as it is, or only a controller sets it."""
    return equal(change.before, change.after) or change.path[:1] == fields("status")
