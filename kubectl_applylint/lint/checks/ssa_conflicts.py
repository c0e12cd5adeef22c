"""Fields of the manifest that another manager owns with another value."""

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.paths import as_written_in
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field with a conflict in a server-side apply. Facts: owner."""
    outcome = subject.predict(Scenario.APPLY)
    for conflict in outcome.conflicts if outcome.verdict is Verdict.CONFLICT else ():
        yield Hit(as_written_in(subject.manifest, conflict.path), {"owner": str(conflict.owner)})
