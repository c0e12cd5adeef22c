"""Jobs that the cluster deletes after they finish."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import dig, mapping
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.ttlSecondsAfterFinished`` if the applied Job sets it and is not suspended.

    Jobs with one of the annotations ``params["hooks"]``, and those that are deleted at once, are meant to run at each
    deployment. Facts: seconds.
    """
    after = after_apply(subject)
    seconds, annotations = dig(after, "spec", "ttlSecondsAfterFinished"), dig(after, "metadata", "annotations")
    is_hook = not mapping(annotations).keys().isdisjoint(params["hooks"])
    is_run = dig(after, "spec", "suspend") is not True and not subject.predict(Scenario.APPLY).refused
    if isinstance(seconds, int) and seconds > 0 and is_run and not is_hook:
        yield Hit(fields("spec", "ttlSecondsAfterFinished"), {"seconds": seconds})
