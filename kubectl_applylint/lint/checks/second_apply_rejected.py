"""Manifests that the server takes once and refuses from then on."""

from kubectl_applylint.core.paths import Path, parse
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the field that a second apply of the same manifest is refused over, if the first one goes through.

    Facts: reason (the server's message).
    """
    if subject.predict(Scenario.APPLY).refused:
        return
    again = subject.predict(Scenario.AGAIN)
    for cause in again.errors[:1] if again.refused else ():
        yield Hit(_place(cause.field), {"reason": cause.message})


def _place(field: str) -> Path:
    """Return the field that a refusal names; the object where it names none, or in words."""
    try:
        return parse(field)
    except ValueError:
        return ()
