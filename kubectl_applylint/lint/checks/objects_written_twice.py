"""Duplicate objects in a set whose second one makes the program fail."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if the object is rejected and another one of the run has its name."""
    outcome = subject.predict(Scenario.APPLY)
    if outcome.refused and any(subject.peers.namesakes()):
        yield Hit(fields("metadata", "name"), explains=outcome.errors)
