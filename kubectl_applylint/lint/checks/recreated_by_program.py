"""Objects that another program than kubectl deletes and creates again."""

from kubectl_applylint.engine.errors import error_text
from kubectl_applylint.engine.set_refusals import is_lost
from kubectl_applylint.lint.checks._argocd import has_sync_option
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if the run deletes it and creates it again.

    With ``params["lost"]`` it is one whose creation is rejected, so that it is lost. ``params["option"]`` is a sync
    option
    of Argo CD. Facts: said (why it is rejected).
    """
    if not has_sync_option(subject, params):
        return
    outcome = subject.predict(Scenario.APPLY)
    is_deleted = any(write.method == "DELETE" for write in outcome.requests)
    is_told = outcome.status is not None or not outcome.refused
    if is_deleted and is_told and is_lost(outcome) is params.get("lost", False):
        yield Hit((), {"said": "; ".join(map(error_text, outcome.errors))})
