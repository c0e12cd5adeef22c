"""ResourceClaim, ResourceClaimTemplate, DeviceClass and ResourceSlice: what devices pods ask for and nodes offer.

Mirrors ``pkg/apis/resource/validation``, of expressions only the names.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.cel_names import speaks_of
from kubectl_applylint.server.validate.claims import labels_and_annotations_only
from kubectl_applylint.server.validate.conditions import given, if_set, or_empty
from kubectl_applylint.server.validate.constraints import (
    no_longer_than,
    no_more_than,
    on_create,
    one_of,
    required,
    required_one_of,
    set_at_all,
    unchangeable,
    unless,
    well_formed,
)
from kubectl_applylint.server.validate.field_context import FieldContext, Table, always, struct
from kubectl_applylint.server.validate.formats import dns_label, dns_subdomain, driver_name, label_value
from kubectl_applylint.server.validate.metadata import well_formed_annotations, well_formed_labels
from kubectl_applylint.server.validate.pods.resources import is_extended
from kubectl_applylint.server.validate.resource_slices import EFFECTS, RESOURCE_SLICE, attribute_name, distinct_names
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import a_label_name
from kubectl_applylint.server.validate.walk import inside

_GROUP: Final = "resource.k8s.io"
_MOST: Final = 32
_MOST_ALTERNATIVES: Final = 8
_NO_REQUEST: Final = (
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
)


def _is_flat(fld: FieldContext) -> bool:
    """Return whether the object is of the first beta version, whose requests have no parts."""
    return fld.root.text("apiVersion").endswith(("v1beta1", "v1alpha3"))


def _count(fld: FieldContext) -> Iterable[FieldError]:
    """How many devices are asked for: all, or a number of them."""
    count = fld.child("count")
    match fld.text("allocationMode"):
        case "All":
            words = "must not be specified when allocationMode is 'All'"
            return (count.invalid(words),) if fld.number("count") else ()
        case "ExactCount":
            number = fld.number("count")
            return () if number > 0 else (count.invalid("must be greater than zero", number),)
        case _:
            return (fld.child("allocationMode").unsupported(("All", "ExactCount")),)


def _device_toleration(fld: FieldContext) -> Iterable[FieldError]:
    """What a taint must hold to be tolerated; ``fld`` is the toleration."""
    value = fld.child("value")
    match fld.text("operator"):
        case "Exists":
            return (value.invalid("must be empty for operator `Exists`"),) if value.text() else ()
        case "Equal":
            return [value.invalid(fault, value.text()) for fault in label_value(value.text())]
        case _:
            return ()


_TOLERATION: Final[Table] = {
    "": [_device_toleration],
    "key": [a_label_name],
    "operator": [required_one_of("Equal", "Exists")],
    "effect": [one_of(*EFFECTS)],
}


@always
def _some_expression(fld: FieldContext) -> Iterable[FieldError]:
    """There is something to compile."""
    return () if fld.text() else (fld.invalid(f"compilation failed: {_NOTHING_TO_COMPILE}", ""),)


_NOTHING_TO_COMPILE: Final = (
    "ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', "
    "'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
)
_SELECTORS: Final[Table] = {
    "selectors": [no_more_than(_MOST)],
    "selectors[*].cel": [set_at_all()],
    "selectors[*].cel.expression": [no_longer_than(10240), _some_expression, speaks_of(lambda fld: ("device",))],
}
_EXACT: Final[Table] = {
    "": [_count, _SELECTORS],
    "deviceClassName": [required(), well_formed(dns_subdomain)],
    "tolerations[*]": _TOLERATION,
}


def _one_kind(fld: FieldContext) -> Iterable[FieldError]:
    """A request asks for one thing, or for the first of several that there is."""
    exact, first = fld.sets("exactly"), fld.has("firstAvailable")
    words = "exactly one of `exactly` or `firstAvailable` is required"
    if not exact and not first:
        return (fld.required(words),)
    if exact and first:
        return (fld.invalid(f"{words}, but multiple fields are set", None),)
    return ()


def _distinct(fld: FieldContext) -> Iterator[FieldError]:
    values = [item.value for item in fld.items()]
    yield from (item.duplicate() for number, item in enumerate(fld.items()) if item.value in values[:number])


def _request_name(fld: FieldContext) -> Iterator[FieldError]:
    """The text names a request of the claim, or one of its alternatives."""
    devices = fld.nearest(".devices")
    requests = {request.text("name"): request for request in devices.child("requests").items()}
    name, slash, part = fld.text().partition("/")
    if "/" not in part:
        segments = fld.text().split("/")
        yield from (fld.invalid(fault, segment) for segment in segments for fault in dns_label(segment))
    parts = [each.text("name") for each in requests[name].child("firstAvailable").items()] if name in requests else []
    if name not in requests or (slash and part not in parts):
        yield fld.invalid(_NO_REQUEST)


def _json_object(fld: FieldContext) -> Iterable[FieldError]:
    if isinstance(fld.value, dict):
        return ()
    return (fld.invalid("must be a valid JSON object", "<value omitted>"),)


def _attribute(fld: FieldContext) -> Iterator[FieldError]:
    """The text names an attribute together with its domain."""
    yield from attribute_name(fld, fld.text())
    if "/" not in fld.text():
        yield fld.invalid("a fully qualified name must be a domain and a name separated by a slash")


_REQUEST_NAMES: Final = [no_more_than(_MOST), _distinct]
_CONFIG: Final[Table] = {
    "opaque": [set_at_all()],
    "opaque.driver": [required(), no_longer_than(63), well_formed(driver_name)],
    "opaque.parameters": [set_at_all(), _json_object],
}


def _some_attribute(fld: FieldContext) -> Iterable[FieldError]:
    given = fld.sets("matchAttribute") or fld.sets("distinctAttribute")
    words = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
    return () if given else (fld.required(words),)


_LABEL: Final = or_empty(well_formed(dns_label, even_empty=True))
_DEVICES: Final[Table] = {
    "requests": [no_more_than(_MOST), distinct_names],
    "requests[*].name": [_LABEL],
    "requests[*]": [unless(_is_flat, _one_kind)],
    "requests[*].exactly": _EXACT,
    "requests[*].firstAvailable": [no_more_than(_MOST_ALTERNATIVES), distinct_names],
    "requests[*].firstAvailable[*]": [unless(_is_flat, inside(_EXACT))],
    "requests[*].firstAvailable[*].name": [_LABEL],
    "constraints": [no_more_than(_MOST)],
    "constraints[*]": [unless(_is_flat, _some_attribute)],
    "constraints[*].matchAttribute": [if_set(_attribute)],
    "constraints[*].distinctAttribute": [unless(given("matchAttribute"), if_set(_attribute))],
    "constraints[*].requests": _REQUEST_NAMES,
    "constraints[*].requests[*]": [_request_name],
    "config": [no_more_than(_MOST)],
    "config[*].requests": _REQUEST_NAMES,
    "config[*].requests[*]": [_request_name],
    "config[*]": _CONFIG,
}
_new: Final = inside({"spec.devices": _DEVICES})
_new_template: Final = inside(
    {
        "spec.metadata": [labels_and_annotations_only],
        "spec.metadata.labels": [well_formed_labels],
        "spec.metadata.annotations": [well_formed_annotations],
        "spec.spec.devices": _DEVICES,
    }
)
_CLAIM: Final[Table] = {"": [on_create(_new)], "spec": [struct, unchangeable]}
_TEMPLATE: Final[Table] = {"": [_new_template], "spec": [struct, unchangeable]}


def _extended(fld: FieldContext) -> Iterable[FieldError]:
    return () if is_extended(fld.text()) else (fld.invalid("must be a valid extended resource name"),)


_DEVICE_CLASS: Final[Table] = {
    "spec": [_SELECTORS],
    "spec.config": [no_more_than(_MOST)],
    "spec.config[*]": _CONFIG,
    "spec.extendedResourceName": [if_set(_extended)],
}


KINDS: Final[Group] = {
    (_GROUP, "ResourceClaim"): Rules(_CLAIM),
    (_GROUP, "ResourceClaimTemplate"): Rules(_TEMPLATE),
    (_GROUP, "DeviceClass"): Rules(_DEVICE_CLASS),
    (_GROUP, "ResourceSlice"): Rules({"": [unless(_is_flat, inside(RESOURCE_SLICE))]}),
}
