"""Validation of pods themselves.

Mirrors ``validatePodMetadataAndSpec`` and ``ValidatePodCreate``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.annotations import (
    immutable_annotations,
    pod_annotations,
    same_profiles_as_annotations,
)
from kubectl_applylint.server.validate.pods.containers import CLEAN_IMAGES
from kubectl_applylint.server.validate.pods.spec import POD_SPEC
from kubectl_applylint.server.validate.pods.updates import pod_update


def _token_needs_account(fld: v.FieldContext) -> v.FieldErrors:
    """Require a ServiceAccount for projected tokens; ``fld`` is the pod's spec."""
    volumes = [] if fld.text("serviceAccountName") else fld.child("volumes").items()
    for volume in volumes:
        for source in volume.at("projected", "sources").items():
            if source.sets("serviceAccountToken"):
                token = source.child("serviceAccountToken")
                yield token.forbidden("must not be specified when serviceAccountName is not set")


def _not_bound_while_gated(fld: v.FieldContext) -> v.FieldErrors:
    gated = fld.has("schedulingGates") and bool(fld.text("nodeName"))
    words = "cannot be set until all schedulingGates have been cleared"
    return (fld.child("nodeName").forbidden(words),) if gated else ()


_POD: Final[v.Table] = {
    "": [v.on_create(same_profiles_as_annotations)],
    "metadata.annotations": [pod_annotations],
    "metadata": [v.on_update(immutable_annotations)],
    "spec": [v.struct, POD_SPEC, CLEAN_IMAGES, _token_needs_account, v.on_create(_not_bound_while_gated), pod_update],
    "spec.ephemeralContainers": [v.on_create(v.forbidden("cannot be set on create"))],
}

KINDS: Final[v.Group] = {("", "Pod"): v.Rules(_POD)}
"""The rules of pods."""
