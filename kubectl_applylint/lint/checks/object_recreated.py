"""Objects that a forced apply deletes and creates again."""

from kubectl_applylint.engine.errors import error_text
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if the apply deletes it, recreated or not. Facts: then (what follows)."""
    outcome = subject.predict(Scenario.APPLY)
    if any(write.method == "DELETE" for write in outcome.requests):
        refused = "; ".join(map(error_text, outcome.errors))
        then = f"kubectl recreates the old one, since the new one is rejected ({refused})" if refused else ""
        yield Hit((), {"then": then or "kubectl recreates it from the manifest"})
