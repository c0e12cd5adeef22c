"""Objects that Argo CD waits for without end: those that their controllers leave suspended.

Mirrors ``health_deployment.go`` and ``health_job.go`` of gitops-engine: a sync waits until all objects of a wave are
healthy, and something suspended is not.
"""

from typing import Final

from kubectl_applylint.core.paths import Path, fields
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject, dig, items, text_at

_FIELDS: Final = {("apps", "Deployment"): "paused", ("batch", "Job"): "suspend"}
_ENDED: Final = ("Complete", "Failed")


def suspended_at(item: JsonObject) -> Path | None:
    """Return the path of the field that suspends an object, ``None`` if it is not suspended."""
    ref = ref_of(item)
    field = _FIELDS.get((ref.group, ref.kind))
    if field is None or dig(item, "spec", field) is not True:
        return None
    has_ended = any(text_at(one, "type") in _ENDED for one in items(dig(item, "status", "conditions")))
    return None if has_ended else fields("spec", field)
