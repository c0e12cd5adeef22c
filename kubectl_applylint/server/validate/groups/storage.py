"""StorageClass, VolumeAttributesClass, CSIDriver, CSINode, CSIStorageCapacity and VolumeAttachment.

Mirrors ``pkg/apis/storage/validation``.
"""

from typing import Final

from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.groups.persistent_volumes import INLINE_VOLUME

_GROUP: Final = "storage.k8s.io"
_MOST_PARAMETERS: Final = 512
_PARAMETERS_LIMIT: Final = 262144
"""The maximum number of bytes of the keys and values of all parameters together."""
_LONGEST_DRIVER: Final = 63
_LONGEST_NODE_ID: Final = 256
_ALLOCATABLE_FREE_SINCE: Final = 35


def _parameters(fld: v.FieldContext) -> v.FieldErrors:
    """Limit the number and the total size of a class's parameters."""
    texts = mapping(fld.value)
    if len(texts) > _MOST_PARAMETERS:
        yield fld.too_long(_MOST_PARAMETERS)
        return
    if "" in texts:
        yield fld.invalid("field can not be empty.", "")
    if sum(len(key.encode()) + len(str(value).encode()) for key, value in texts.items()) > _PARAMETERS_LIMIT:
        yield fld.too_long(_PARAMETERS_LIMIT)


def _topologies(fld: v.FieldContext) -> v.FieldErrors:
    """Require distinct topology terms that are not empty."""
    seen: list[JsonObject] = [{}]
    for term in fld.items():
        wanted = {
            each.text("key"): sorted(item.text() for item in each.child("values").items())
            for each in _expressions(term).items()
        }
        if any(v.same(wanted, earlier) for earlier in seen):
            yield _expressions(term).duplicate("")
        seen.append(wanted)


def _expressions(term: v.FieldContext) -> v.FieldContext:
    return term.child("matchLabelExpressions")


def _driver_name(fld: v.FieldContext) -> v.FieldErrors:
    """Require a qualified name of a driver; errors show it in lower case."""
    return [fld.invalid(fault, fld.text().lower()) for fault in v.qualified_in_any_case(fld.text())]


_STORAGE_CLASS: Final[v.Table] = {
    "provisioner": [v.required(), _driver_name, v.unchangeable],
    "parameters": [_parameters, v.unchangeable],
    "reclaimPolicy": [v.unless(lambda fld: fld.empty, v.one_of("Delete", "Retain")), v.unchangeable],
    "volumeBindingMode": [v.set_at_all(), v.required_one_of("Immediate", "WaitForFirstConsumer"), v.unchangeable],
    "allowedTopologies": [_topologies],
    "allowedTopologies[*].matchLabelExpressions": [v.unique("key")],
    "allowedTopologies[*].matchLabelExpressions[*]": {
        "key": [v.or_empty(v.a_label_name)],
        "values": [v.required(), v.unique()],
    },
}


_VOLUME_ATTRIBUTES_CLASS: Final[v.Table] = {
    "driverName": [v.required(), _driver_name, v.update_forbidden("updates to driverName are forbidden.")],
    "parameters": [
        _parameters,
        v.required("must contain at least one key/value pair"),
        v.update_forbidden("updates to parameters are forbidden."),
    ],
}


def _modes(fld: v.FieldContext) -> v.FieldErrors:
    """Require known modes; the error has the path of the whole list."""
    known = ("Persistent", "Ephemeral")
    return [fld.with_value(item.value).not_supported(known) for item in fld.items() if item.value not in known]


def _tokens(fld: v.FieldContext) -> v.FieldErrors:
    """Require distinct audiences and sufficient lifetimes of a driver's tokens."""
    seen: list[str] = []
    for token in fld.items():
        if token.text("audience") in seen:
            yield token.child("audience").duplicate(token.text("audience"))
        else:
            yield from _LIFE(token)
        seen.append(token.text("audience"))


_LIFE: Final = v.inside(
    {
        "expirationSeconds": [
            v.at_least(600, "may not specify a duration less than 10 minutes"),
            v.at_most(1 << 32, "may not specify a duration larger than 2^32 seconds"),
        ]
    }
)


_CSI_DRIVER: Final[v.Table] = {
    "spec": [v.struct],
    "spec.attachRequired": [v.StepSpelling(".attachedRequired"), v.set_at_all(), v.unchangeable],
    "spec.podInfoOnMount": [v.set_at_all()],
    "spec.storageCapacity": [v.set_at_all()],
    "spec.fsGroupPolicy": [v.if_set(v.required_one_of("File", "None", "ReadWriteOnceWithFSType"))],
    "spec.tokenRequests": [_tokens],
    "spec.volumeLifecycleModes": [_modes, v.unchangeable],
    "spec.nodeAllocatableUpdatePeriodSeconds": [v.at_least(10, "must be greater than or equal to 10 seconds")],
    "spec.serviceAccountTokenInSecrets": [
        v.since(
            35,
            v.must(
                lambda fld: fld.parent.has("tokenRequests"),
                "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
            ),
        )
    ],
}


def _topology_keys(fld: v.FieldContext) -> v.FieldErrors:
    """Check the topology keys; errors have the path of the driver, which is ``fld``."""
    seen: list[str] = []
    for item in fld.child("topologyKeys").items():
        key = item.text()
        if not key:
            yield fld.required()
        if key in seen:
            yield fld.duplicate(key)
        seen.append(key)
        yield from (fld.invalid(fault, key) for fault in v.qualified_name(key))


def _immutable_drivers(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid changes of the drivers of a node, except the number of volumes that each can attach."""
    stored = {driver.text("name"): driver for driver in fld.before().items()}
    for driver in fld.items():
        old = stored.get(driver.text("name"))
        if old is not None and not v.same(_fixed_fields(driver), _fixed_fields(old)):
            yield fld.with_value(driver.value).immutable()


def _fixed_fields(driver: v.FieldContext) -> JsonObject:
    free = "allocatable" if driver.occasion.minor >= _ALLOCATABLE_FREE_SINCE else ""
    return {name: value for name, value in mapping(driver.value).items() if name != free}


_DRIVER_NAME: Final = (v.required(), v.no_longer_than(_LONGEST_DRIVER), v.well_formed(v.driver_name))
_CSI_NODE: Final[v.Table] = {
    "spec.drivers": [v.unique("name"), v.on_update(_immutable_drivers)],
    "spec.drivers[*]": [_topology_keys],
    "spec.drivers[*].name": [*_DRIVER_NAME],
    "spec.drivers[*].nodeID": [
        v.required(),
        v.must(
            lambda fld: len(fld.text().encode()) <= _LONGEST_NODE_ID, f"must be {_LONGEST_NODE_ID} characters or less"
        ),
    ],
    "spec.drivers[*].allocatable.count": [v.at_least(0)],
}

_CSI_STORAGE_CAPACITY: Final[v.Table] = {
    "nodeTopology": [v.selector_table(tolerant=v.had_bad_values("nodeTopology")), v.unchangeable],
    "storageClassName": [v.or_empty(v.well_formed(v.dns_subdomain, even_empty=True)), v.unchangeable],
    "capacity": [v.not_negative],
}


@v.always
def _one_volume(fld: v.FieldContext) -> v.FieldErrors:
    """Require a persistent volume or an inline one to attach."""
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


_VOLUME_ATTACHMENT: Final[v.Table] = {
    "spec": [v.struct, v.unchangeable],
    "spec.attacher": [*_DRIVER_NAME],
    "spec.source": [v.struct, _one_volume],
    "spec.source.persistentVolumeName": [
        v.if_set(
            v.required("must specify non empty persistentVolumeName"), v.well_formed(v.dns_subdomain, even_empty=True)
        )
    ],
    "spec.nodeName": [v.or_empty(v.well_formed(v.dns_subdomain, even_empty=True))],
}

KINDS: Final[v.Group] = {
    (_GROUP, "StorageClass"): v.Rules(_STORAGE_CLASS),
    (_GROUP, "VolumeAttributesClass"): v.Rules(_VOLUME_ATTRIBUTES_CLASS),
    (_GROUP, "CSIDriver"): v.Rules(_CSI_DRIVER),
    (_GROUP, "CSINode"): v.Rules(_CSI_NODE),
    (_GROUP, "CSIStorageCapacity"): v.Rules(_CSI_STORAGE_CAPACITY),
    (_GROUP, "VolumeAttachment"): v.Rules(_VOLUME_ATTACHMENT),
}
