"""Manifests whose copy in the last-applied annotation approaches the size limit of annotations."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.server.write import ANNOTATIONS_LIMIT, annotations_size


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``metadata.annotations`` once if they use more than ``over`` and at most ``upto`` percent of the limit.

    Measured on the object after the apply, with the annotation that kubectl adds. Facts: size, limit (bytes).
    """
    after = subject.predict(Scenario.APPLY).after
    if after is None:
        return
    size = annotations_size(after)
    if params["over"] < 100 * size / ANNOTATIONS_LIMIT <= params.get("upto", float("inf")):
        yield Hit(fields("metadata", "annotations"), {"size": size, "limit": ANNOTATIONS_LIMIT})
