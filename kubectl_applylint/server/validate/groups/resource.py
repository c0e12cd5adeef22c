"""ResourceClaim, ResourceClaimTemplate, DeviceClass and ResourceSlice: devices for pods.

Mirrors ``pkg/apis/resource/validation``; in expressions only the names are checked.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.cel_names import uses_only_variables
from kubectl_applylint.server.validate.groups.claims import labels_and_annotations_only
from kubectl_applylint.server.validate.groups.resource_slices import (
    EFFECTS,
    RESOURCE_SLICE,
    attribute_name,
    distinct_names,
)
from kubectl_applylint.server.validate.pods.resources import is_extended

_GROUP: Final = "resource.k8s.io"
_MOST: Final = 32
_MOST_ALTERNATIVES: Final = 8
_NO_REQUEST: Final = (
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
)


def _is_flat(fld: v.FieldContext) -> bool:
    """Return whether the object is of the first beta version, whose requests have no parts."""
    return fld.root.text("apiVersion").endswith(("v1beta1", "v1alpha3"))


def _count(fld: v.FieldContext) -> v.FieldErrors:
    """Require a consistent number of requested devices: all, or a count."""
    count = fld.child("count")
    match fld.text("allocationMode"):
        case "All":
            words = "must not be specified when allocationMode is 'All'"
            return (count.invalid(words),) if fld.number("count") else ()
        case "ExactCount":
            number = fld.number("count")
            return () if number > 0 else (count.invalid("must be greater than zero", number),)
        case _:
            return (fld.child("allocationMode").not_supported(("All", "ExactCount")),)


def _device_toleration(fld: v.FieldContext) -> v.FieldErrors:
    """Require consistent fields of a toleration of device taints; ``fld`` is the toleration."""
    value = fld.child("value")
    match fld.text("operator"):
        case "Exists":
            return (value.invalid("must be empty for operator `Exists`"),) if value.text() else ()
        case "Equal":
            return [value.invalid(fault, value.text()) for fault in v.label_value(value.text())]
        case _:
            return ()


_TOLERATION: Final[v.Table] = {
    "": [_device_toleration],
    "key": [v.a_label_name],
    "operator": [v.required_one_of("Equal", "Exists")],
    "effect": [v.one_of(*EFFECTS)],
}


@v.always
def _some_expression(fld: v.FieldContext) -> v.FieldErrors:
    """Require a non-empty expression."""
    return () if fld.text() else (fld.invalid(f"compilation failed: {_NOTHING_TO_COMPILE}", ""),)


_NOTHING_TO_COMPILE: Final = (
    "ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', "
    "'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
)
_SELECTORS: Final[v.Table] = {
    "selectors": [v.no_more_than(_MOST)],
    "selectors[*].cel": [v.set_at_all()],
    "selectors[*].cel.expression": [
        v.no_longer_than(10240),
        _some_expression,
        uses_only_variables(lambda fld: ("device",)),
    ],
}
_EXACT: Final[v.Table] = {
    "": [_count, _SELECTORS],
    "deviceClassName": [v.required(), v.well_formed(v.dns_subdomain)],
    "tolerations[*]": _TOLERATION,
}


def _one_kind(fld: v.FieldContext) -> v.FieldErrors:
    """Require either one exact request or alternatives."""
    exact, first = fld.sets("exactly"), fld.has("firstAvailable")
    words = "exactly one of `exactly` or `firstAvailable` is required"
    if not exact and not first:
        return (fld.required(words),)
    if exact and first:
        return (fld.invalid(f"{words}, but multiple fields are set", None),)
    return ()


def _distinct(fld: v.FieldContext) -> v.FieldErrors:
    values = [item.value for item in fld.items()]
    yield from (item.duplicate() for number, item in enumerate(fld.items()) if item.value in values[:number])


def _request_name(fld: v.FieldContext) -> v.FieldErrors:
    """Require the name of a request of the claim, or of one of its alternatives."""
    devices = fld.nearest(".devices")
    requests = {request.text("name"): request for request in devices.child("requests").items()}
    name, slash, part = fld.text().partition("/")
    if "/" not in part:
        segments = fld.text().split("/")
        yield from (fld.invalid(fault, segment) for segment in segments for fault in v.dns_label(segment))
    parts = [each.text("name") for each in requests[name].child("firstAvailable").items()] if name in requests else []
    if name not in requests or (slash and part not in parts):
        yield fld.invalid(_NO_REQUEST)


def _json_object(fld: v.FieldContext) -> v.FieldErrors:
    if isinstance(fld.value, dict):
        return ()
    return (fld.invalid("must be a valid JSON object", "<value omitted>"),)


def _attribute(fld: v.FieldContext) -> v.FieldErrors:
    """Require the name of an attribute with its domain."""
    yield from attribute_name(fld, fld.text())
    if "/" not in fld.text():
        yield fld.invalid("a fully qualified name must be a domain and a name separated by a slash")


_REQUEST_NAMES: Final = [v.no_more_than(_MOST), _distinct]
_CONFIG: Final[v.Table] = {
    "opaque": [v.set_at_all()],
    "opaque.driver": [v.required(), v.no_longer_than(63), v.well_formed(v.driver_name)],
    "opaque.parameters": [v.set_at_all(), _json_object],
}


def _some_attribute(fld: v.FieldContext) -> v.FieldErrors:
    given = fld.sets("matchAttribute") or fld.sets("distinctAttribute")
    words = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
    return () if given else (fld.required(words),)


_LABEL: Final = v.or_empty(v.well_formed(v.dns_label, even_empty=True))
_DEVICES: Final[v.Table] = {
    "requests": [v.no_more_than(_MOST), distinct_names],
    "requests[*].name": [_LABEL],
    "requests[*]": [v.unless(_is_flat, _one_kind)],
    "requests[*].exactly": _EXACT,
    "requests[*].firstAvailable": [v.no_more_than(_MOST_ALTERNATIVES), distinct_names],
    "requests[*].firstAvailable[*]": [v.unless(_is_flat, v.inside(_EXACT))],
    "requests[*].firstAvailable[*].name": [_LABEL],
    "constraints": [v.no_more_than(_MOST)],
    "constraints[*]": [v.unless(_is_flat, _some_attribute)],
    "constraints[*].matchAttribute": [v.if_set(_attribute)],
    "constraints[*].distinctAttribute": [v.unless(v.any_set("matchAttribute"), v.if_set(_attribute))],
    "constraints[*].requests": _REQUEST_NAMES,
    "constraints[*].requests[*]": [_request_name],
    "config": [v.no_more_than(_MOST)],
    "config[*].requests": _REQUEST_NAMES,
    "config[*].requests[*]": [_request_name],
    "config[*]": _CONFIG,
}
_new: Final = v.inside({"spec.devices": _DEVICES})
_new_template: Final = v.inside(
    {
        "spec.metadata": [labels_and_annotations_only],
        "spec.metadata.labels": [v.well_formed_labels],
        "spec.metadata.annotations": [v.well_formed_annotations],
        "spec.spec.devices": _DEVICES,
    }
)
_CLAIM: Final[v.Table] = {"": [v.on_create(_new)], "spec": [v.struct, v.unchangeable]}
_TEMPLATE: Final[v.Table] = {"": [_new_template], "spec": [v.struct, v.unchangeable]}


_DEVICE_CLASS: Final[v.Table] = {
    "spec": [_SELECTORS],
    "spec.config": [v.no_more_than(_MOST)],
    "spec.config[*]": _CONFIG,
    "spec.extendedResourceName": [
        v.if_set(v.must(lambda fld: is_extended(fld.text()), "must be a valid extended resource name"))
    ],
}


KINDS: Final[v.Group] = {
    (_GROUP, "ResourceClaim"): v.Rules(_CLAIM),
    (_GROUP, "ResourceClaimTemplate"): v.Rules(_TEMPLATE),
    (_GROUP, "DeviceClass"): v.Rules(_DEVICE_CLASS),
    (_GROUP, "ResourceSlice"): v.Rules({"": [v.unless(_is_flat, v.inside(RESOURCE_SLICE))]}),
}
