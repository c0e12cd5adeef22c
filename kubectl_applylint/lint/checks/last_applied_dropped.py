"""Server-side applies that remove the last-applied annotation."""

from kubectl_applylint.appliers.last_applied import annotation_of
from kubectl_applylint.core.state import Present
from kubectl_applylint.lint.checks._argocd import has_sync_option
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if the apply removes the annotation.

    ``params["option"]`` is a sync option of Argo CD. Facts: manager (of the apply).
    """
    live, outcome = subject.state.live, subject.predict(Scenario.APPLY)
    if (
        not isinstance(live, Present)
        or outcome.refused
        or outcome.result is None
        or not has_sync_option(subject, params)
    ):
        return
    if annotation_of(live.object) is not None and annotation_of(outcome.result) is None:
        yield Hit((), {"manager": subject.flags.manager})
