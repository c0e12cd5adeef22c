"""What is refused of pods themselves.

Mirrors ``validatePodMetadataAndSpec`` and ``ValidatePodCreate``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.constraints import forbidden, on_create, on_update
from kubectl_applylint.server.validate.field_context import FieldContext, Table, struct
from kubectl_applylint.server.validate.pods.annotations import (
    kept_annotations,
    pod_annotations,
    same_profiles_as_annotations,
)
from kubectl_applylint.server.validate.pods.containers import CLEAN_IMAGES
from kubectl_applylint.server.validate.pods.spec import POD_SPEC
from kubectl_applylint.server.validate.pods.updates import pod_update
from kubectl_applylint.server.validate.rules import Group, Rules


def _tokens_of_an_account(fld: FieldContext) -> Iterator[FieldError]:
    """A token is that of an account; ``fld`` is the pod's spec."""
    volumes = [] if fld.text("serviceAccountName") else fld.child("volumes").items()
    for volume in volumes:
        for source in volume.at("projected", "sources").items():
            if source.sets("serviceAccountToken"):
                token = source.child("serviceAccountToken")
                yield token.forbidden("must not be specified when serviceAccountName is not set")


def _not_bound_while_gated(fld: FieldContext) -> Iterable[FieldError]:
    gated = fld.has("schedulingGates") and bool(fld.text("nodeName"))
    words = "cannot be set until all schedulingGates have been cleared"
    return (fld.child("nodeName").forbidden(words),) if gated else ()


_POD: Final[Table] = {
    "": [on_create(same_profiles_as_annotations)],
    "metadata.annotations": [pod_annotations],
    "metadata": [on_update(kept_annotations)],
    "spec": [struct, POD_SPEC, CLEAN_IMAGES, _tokens_of_an_account, on_create(_not_bound_while_gated), pod_update],
    "spec.ephemeralContainers": [on_create(forbidden("cannot be set on create"))],
}

KINDS: Final[Group] = {("", "Pod"): Rules(_POD)}
"""The rules of pods."""
