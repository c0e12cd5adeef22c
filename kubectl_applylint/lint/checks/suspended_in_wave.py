"""Suspended objects that Argo CD waits for before it begins the later waves."""

from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.lint.checks.runs_cut_short import is_skipped
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.tools.argocd.health import suspended_at


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the field that suspends an object if others of later waves are therefore not applied.

    Facts: others (the first three).
    """
    after = subject.predict(Scenario.APPLY).after
    path = suspended_at(after) if after is not None else None
    if path is None or isinstance(subject.state.live, Unknown):
        return
    others = [str(peer.ref) for peer in subject.peers if is_skipped(subject, peer)]
    if others:
        yield Hit(path, {"others": first_names(others, 3)})
