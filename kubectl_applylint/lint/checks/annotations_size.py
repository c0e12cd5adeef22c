"""Manifests whose copy in the last-applied annotation fills what annotations may take."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.server.write import ANNOTATIONS_LIMIT, annotations_size


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``metadata.annotations`` once if they take more than ``over`` and at most ``upto`` percent of the limit.

    Counted on the object that the apply makes, with the annotation that kubectl adds. Facts: size, limit (bytes).
    """
    after = subject.predict(Scenario.APPLY).after
    if after is None:
        return
    size = annotations_size(after)
    if params["over"] < 100 * size / ANNOTATIONS_LIMIT <= params.get("upto", float("inf")):
        yield Hit(fields("metadata", "annotations"), {"size": size, "limit": ANNOTATIONS_LIMIT})
