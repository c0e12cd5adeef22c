"""StorageClass, VolumeAttributesClass, CSIDriver, CSINode, CSIStorageCapacity and VolumeAttachment.

Mirrors ``pkg/apis/storage/validation``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.server.validate.amounts import not_negative
from kubectl_applylint.server.validate.conditions import had_bad_values, if_set, or_empty
from kubectl_applylint.server.validate.constraints import (
    at_least,
    at_most,
    no_longer_than,
    on_update,
    one_of,
    required,
    required_one_of,
    same,
    set_at_all,
    since,
    unchangeable,
    unique,
    unless,
    well_formed,
)
from kubectl_applylint.server.validate.field_context import (
    Always,
    Constraint,
    FieldContext,
    Spelled,
    Table,
    always,
    struct,
)
from kubectl_applylint.server.validate.formats import dns_subdomain, driver_name, qualified_name
from kubectl_applylint.server.validate.names import qualified_in_any_case
from kubectl_applylint.server.validate.persistent_volumes import INLINE_VOLUME
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import a_label_name, selector_table
from kubectl_applylint.server.validate.walk import inside

_GROUP: Final = "storage.k8s.io"
_MOST_PARAMETERS: Final = 512
_PARAMETERS_LIMIT: Final = 262144
"""Bytes that the keys and values of all parameters may take together."""
_LONGEST_DRIVER: Final = 63
_LONGEST_NODE_ID: Final = 256
_ALLOCATABLE_FREE_SINCE: Final = 35


def _parameters(fld: FieldContext) -> Iterator[FieldError]:
    """The options that a class hands to its driver are not too many, nor too long together."""
    texts = mapping(fld.value)
    if len(texts) > _MOST_PARAMETERS:
        yield fld.too_long(_MOST_PARAMETERS)
        return
    if "" in texts:
        yield fld.invalid("field can not be empty.", "")
    if sum(len(key.encode()) + len(value.encode()) for key, value in texts.items()) > _PARAMETERS_LIMIT:
        yield fld.too_long(_PARAMETERS_LIMIT)


def _topologies(fld: FieldContext) -> Iterator[FieldError]:
    """No two terms of where volumes may be ask for the same, and none for nothing."""
    seen: list[JsonObject] = [{}]
    for term in fld.items():
        wanted = {
            each.text("key"): sorted(item.text() for item in each.child("values").items())
            for each in _expressions(term).items()
        }
        if any(same(wanted, earlier) for earlier in seen):
            yield _expressions(term).duplicate("")
        seen.append(wanted)


def _expressions(term: FieldContext) -> FieldContext:
    return term.child("matchLabelExpressions")


def _qualified(fld: FieldContext) -> Iterable[FieldError]:
    """The name of a driver counts in small letters, and is shown in them."""
    return [fld.invalid(fault, fld.text().lower()) for fault in qualified_in_any_case(fld.text())]


_STORAGE_CLASS: Final[Table] = {
    "provisioner": [required(), _qualified, unchangeable],
    "parameters": [_parameters, unchangeable],
    "reclaimPolicy": [unless(lambda fld: fld.empty, one_of("Delete", "Retain")), unchangeable],
    "volumeBindingMode": [set_at_all(), required_one_of("Immediate", "WaitForFirstConsumer"), unchangeable],
    "allowedTopologies": [_topologies],
    "allowedTopologies[*].matchLabelExpressions": [unique("key")],
    "allowedTopologies[*].matchLabelExpressions[*]": {
        "key": [or_empty(a_label_name)],
        "values": [required(), unique()],
    },
}


def _kept(words: str) -> Constraint:
    """The field stays as it was created."""
    return on_update(Always(lambda fld: () if same(fld.value, fld.old) else (fld.forbidden(words),)))


_VOLUME_ATTRIBUTES_CLASS: Final[Table] = {
    "driverName": [
        required(),
        _qualified,
        _kept("updates to driverName are forbidden."),
    ],
    "parameters": [
        _parameters,
        required("must contain at least one key/value pair"),
        _kept("updates to parameters are forbidden."),
    ],
}


def _modes(fld: FieldContext) -> Iterable[FieldError]:
    """What is wrong with one mode is said of the whole list."""
    known = ("Persistent", "Ephemeral")
    return [fld.with_value(item.value).unsupported(known) for item in fld.items() if item.value not in known]


def _tokens(fld: FieldContext) -> Iterator[FieldError]:
    """The tokens that a driver gets are for different audiences and live long enough."""
    seen: list[str] = []
    for token in fld.items():
        if token.text("audience") in seen:
            yield token.child("audience").duplicate(token.text("audience"))
        else:
            yield from _LIFE(token)
        seen.append(token.text("audience"))


_LIFE: Final = inside(
    {
        "expirationSeconds": [
            at_least(600, "may not specify a duration less than 10 minutes"),
            at_most(1 << 32, "may not specify a duration larger than 2^32 seconds"),
        ]
    }
)


def _needs_tokens(fld: FieldContext) -> Iterable[FieldError]:
    words = "serviceAccountTokenInSecrets is set but no tokenRequests are specified"
    return () if fld.up is not None and fld.up.has("tokenRequests") else (fld.invalid(words),)


_CSI_DRIVER: Final[Table] = {
    "spec": [struct],
    "spec.attachRequired": [Spelled(".attachedRequired"), set_at_all(), unchangeable],
    "spec.podInfoOnMount": [set_at_all()],
    "spec.storageCapacity": [set_at_all()],
    "spec.fsGroupPolicy": [if_set(required_one_of("File", "None", "ReadWriteOnceWithFSType"))],
    "spec.tokenRequests": [_tokens],
    "spec.volumeLifecycleModes": [_modes, unchangeable],
    "spec.nodeAllocatableUpdatePeriodSeconds": [at_least(10, "must be greater than or equal to 10 seconds")],
    "spec.serviceAccountTokenInSecrets": [since(35, _needs_tokens)],
}


def _topology_keys(fld: FieldContext) -> Iterator[FieldError]:
    """What is wrong with a key is said of the driver; ``fld`` is the driver."""
    seen: list[str] = []
    for item in fld.child("topologyKeys").items():
        key = item.text()
        if not key:
            yield fld.required()
        if key in seen:
            yield fld.duplicate(key)
        seen.append(key)
        yield from (fld.invalid(fault, key) for fault in qualified_name(key))


def _kept_drivers(fld: FieldContext) -> Iterator[FieldError]:
    """What was said of a driver stays but for how many volumes it can attach."""
    stored = {driver.text("name"): driver for driver in fld.before().items()}
    for driver in fld.items():
        old = stored.get(driver.text("name"))
        if old is not None and not same(_fixed(driver), _fixed(old)):
            yield fld.with_value(driver.value).immutable()


def _fixed(driver: FieldContext) -> JsonObject:
    free = "allocatable" if driver.occasion.minor >= _ALLOCATABLE_FREE_SINCE else ""
    return {name: value for name, value in mapping(driver.value).items() if name != free}


def _short_node_id(fld: FieldContext) -> Iterable[FieldError]:
    long = len(fld.text().encode()) > _LONGEST_NODE_ID
    return (fld.invalid(f"must be {_LONGEST_NODE_ID} characters or less"),) if long else ()


_DRIVER_NAME: Final = (required(), no_longer_than(_LONGEST_DRIVER), well_formed(driver_name))
_CSI_NODE: Final[Table] = {
    "spec.drivers": [unique("name"), on_update(_kept_drivers)],
    "spec.drivers[*]": [_topology_keys],
    "spec.drivers[*].name": [*_DRIVER_NAME],
    "spec.drivers[*].nodeID": [required(), _short_node_id],
    "spec.drivers[*].allocatable.count": [at_least(0)],
}

_CSI_STORAGE_CAPACITY: Final[Table] = {
    "nodeTopology": [selector_table(tolerant=had_bad_values("nodeTopology")), unchangeable],
    "storageClassName": [or_empty(well_formed(dns_subdomain, even_empty=True)), unchangeable],
    "capacity": [not_negative],
}


@always
def _one_volume(fld: FieldContext) -> Iterable[FieldError]:
    """What is attached is a volume of the cluster, or one that is described here."""
    words = "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
    match fld.sets("inlineVolumeSpec"), fld.sets("persistentVolumeName"):
        case False, False:
            return (fld.required(words),)
        case True, True:
            return (fld.forbidden(words),)
        case True, False:
            return INLINE_VOLUME(fld.child("inlineVolumeSpec"))
        case _:
            return ()


_VOLUME_ATTACHMENT: Final[Table] = {
    "spec": [struct, unchangeable],
    "spec.attacher": [*_DRIVER_NAME],
    "spec.source": [struct, _one_volume],
    "spec.source.persistentVolumeName": [
        if_set(
            required("must specify non empty persistentVolumeName"),
            well_formed(dns_subdomain, even_empty=True),
        )
    ],
    "spec.nodeName": [or_empty(well_formed(dns_subdomain, even_empty=True))],
}

KINDS: Final[Group] = {
    (_GROUP, "StorageClass"): Rules(_STORAGE_CLASS),
    (_GROUP, "VolumeAttributesClass"): Rules(_VOLUME_ATTRIBUTES_CLASS),
    (_GROUP, "CSIDriver"): Rules(_CSI_DRIVER),
    (_GROUP, "CSINode"): Rules(_CSI_NODE),
    (_GROUP, "CSIStorageCapacity"): Rules(_CSI_STORAGE_CAPACITY),
    (_GROUP, "VolumeAttachment"): Rules(_VOLUME_ATTACHMENT),
}
