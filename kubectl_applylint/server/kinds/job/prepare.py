"""The labels and selector that a server adds to a new Job, with the Job's uid and name.

Mirrors ``PrepareForCreate`` of pkg/registry/batch/job/strategy.go.
"""

from typing import Final

from kubectl_applylint.core.state import Unknown, labels_of
from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.server.manifests import in_metadata, in_spec

CONTROLLER_UID: Final = Unknown("the uid of the Job, which the server sets at its creation")
_UID_LABELS: Final = ("controller-uid", "batch.kubernetes.io/controller-uid")
_NAME_LABELS: Final = ("job-name", "batch.kubernetes.io/job-name")


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return a new Job with labels and a selector of its uid and name, unless it has ``manualSelector``."""
    spec = mapping(new.get("spec"))
    if old is not None or spec.get("manualSelector"):
        return new
    name = mapping(new.get("metadata")).get("name", "")
    template, selector = mapping(spec.get("template")), mapping(spec.get("selector"))
    given = {**dict.fromkeys(_NAME_LABELS, name), **dict.fromkeys(_UID_LABELS, CONTROLLER_UID)}
    labels = {**given, **labels_of(template)}
    matched = {_UID_LABELS[1]: CONTROLLER_UID, **mapping(selector.get("matchLabels"))}
    metadata = {**mapping(template.get("metadata")), "labels": labels}
    chosen = {"template": {**template, "metadata": metadata}, "selector": {**selector, "matchLabels": matched}}
    # Defaulting gave a Job without labels the template's own map, not a copy, so it also gets the new labels.
    shared = dig(new, "metadata", "labels") is dig(template, "metadata", "labels")
    return in_spec(in_metadata(new, {"labels": labels}) if shared else new, chosen)
