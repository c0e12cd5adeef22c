"""Manifests that the server accepts once and rejects afterwards."""

from kubectl_applylint.core.paths import Path, parse
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the field that makes the server reject a second apply, if the first one succeeds.

    Facts: reason (the server's message).
    """
    if subject.predict(Scenario.APPLY).refused:
        return
    again = subject.predict(Scenario.AGAIN)
    for cause in again.errors[:1] if again.refused else ():
        yield Hit(_place(cause.field), {"reason": cause.message})


def _place(field: str) -> Path:
    """Return the field that an error names; the object if it names none."""
    try:
        return parse(field)
    except ValueError:
        return ()
