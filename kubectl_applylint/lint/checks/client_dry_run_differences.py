"""Effects of an apply that kubectl's client-side dry run does not show."""

from kubectl_applylint.appliers.flags import DryRun
from kubectl_applylint.core.outcome import Why
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import equal
from kubectl_applylint.engine.errors import error_text
from kubectl_applylint.lint.checks._owners import field_list
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject

_BY_THE_SERVER = (Why.DEFAULTED, Why.WIPED)


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the first effect of the server that a dry run in the client cannot show.

    That is a rejection, or fields of a live object that the server sets or drops. Facts: hidden, in words.
    """
    outcome = subject.predict(Scenario.APPLY)
    if subject.flags.dry_run is not DryRun.CLIENT:
        return
    if outcome.refused:
        if outcome.status is not None:
            yield Hit((), {"hidden": f"that the server rejects it: {'; '.join(map(error_text, outcome.errors))}"})
        return
    if not isinstance(subject.state.live, Present):
        return
    changed = [change for change in outcome.changes if not equal(change.before, change.after)]
    paths = [change.path for change in changed if change.provenance.why in _BY_THE_SERVER]
    if paths:
        yield Hit(paths[0], {"hidden": f"how the server changes {field_list(paths)}"})
