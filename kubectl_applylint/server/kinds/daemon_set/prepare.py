"""The annotation in which a DaemonSet counts the changes of its template; inside the server it is a number.

Mirrors the conversion of pkg/apis/apps/v1 and pkg/registry/apps/daemonset/strategy.go.
"""

from typing import Final

from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import Json, JsonObject, dig, int64
from kubectl_applylint.server.manifests import in_metadata

TEMPLATE_GENERATION: Final = "deprecated.daemonset.template.generation"
"""The annotation that counts the changes of a DaemonSet's template."""


def convert(new: JsonObject) -> JsonObject:
    """Return a DaemonSet with the annotation, which every DaemonSet has inside the server."""
    annotations = annotations_of(new)
    count = str(_number(annotations.get(TEMPLATE_GENERATION)))
    return in_metadata(new, {"annotations": {**annotations, TEMPLATE_GENERATION: count}})


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return a DaemonSet whose annotation counts changes of the template; a written value counts only at creation."""
    annotations = annotations_of(new)
    if old is None:
        generation = max(_number(annotations.get(TEMPLATE_GENERATION)), 1)
    else:
        before = annotations_of(old)
        same = dig(new, "spec", "template") == dig(old, "spec", "template")
        generation = _number(before.get(TEMPLATE_GENERATION)) + (0 if same else 1)
    return in_metadata(new, {"annotations": {**annotations, TEMPLATE_GENERATION: str(generation)}})


def _number(text: Json) -> int:
    """Return the number in a text, 0 if it is not a number."""
    return int64(text) or 0 if isinstance(text, str) else 0
