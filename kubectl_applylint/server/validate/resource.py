"""ResourceClaim, ResourceClaimTemplate, DeviceClass and ResourceSlice: what devices pods ask for and nodes offer.

Mirrors the basics of ``pkg/apis/resource/validation``: not the expressions in CEL, nor what single devices offer.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.outcome import Refusal
from kubectl_applylint.server.validate.constraints import (
    no_longer_than,
    no_more_than,
    on_create,
    required,
    set_at_all,
    unchangeable,
    unless,
    well_formed,
)
from kubectl_applylint.server.validate.formats import dns_label, dns_subdomain, driver_name
from kubectl_applylint.server.validate.metadata import well_formed_annotations, well_formed_labels
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.spots import Spot, Table, always, struct
from kubectl_applylint.server.validate.walk import inside
from kubectl_applylint.values import MISSING

_GROUP: Final = "resource.k8s.io"
_MOST: Final = 32
_MOST_ALTERNATIVES: Final = 8
_NO_REQUEST: Final = (
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
)
_NODE_CHOICES: Final = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")


def _is_flat(spot: Spot) -> bool:
    """Return whether the object is of the first beta version, whose requests have no parts."""
    return spot.root.text("apiVersion").endswith(("v1beta1", "v1alpha3"))


def _count(spot: Spot) -> Iterable[Refusal]:
    """How many devices are asked for: all, or a number of them."""
    count = spot.child("count")
    match spot.text("allocationMode"):
        case "All":
            words = "must not be specified when allocationMode is 'All'"
            return (count.invalid(words),) if spot.number("count") else ()
        case "ExactCount":
            number = spot.number("count")
            return () if number > 0 else (count.invalid("must be greater than zero", number),)
        case _:
            return (spot.child("allocationMode").unsupported(("All", "ExactCount")),)


_EXACT: Final[Table] = {
    "": [_count],
    "deviceClassName": [required(), well_formed(dns_subdomain)],
    "selectors": [no_more_than(_MOST)],
    "selectors[*].cel": [set_at_all()],
    "selectors[*].cel.expression": [no_longer_than(10240)],
}


def _one_kind(spot: Spot) -> Iterable[Refusal]:
    """A request asks for one thing, or for the first of several that there is."""
    exact, first = spot.sets("exactly"), spot.has("firstAvailable")
    words = "exactly one of `exactly` or `firstAvailable` is required"
    if not exact and not first:
        return (spot.required(words),)
    if exact and first:
        return (spot.invalid(f"{words}, but multiple fields are set"),)
    return ()


def _distinct_names(spot: Spot) -> Iterator[Refusal]:
    names = [item.text("name") for item in spot.items()]
    for number, item in enumerate(spot.items()):
        if names[number] in names[:number]:
            yield item.duplicate(names[number])


def _distinct(spot: Spot) -> Iterator[Refusal]:
    values = [item.value for item in spot.items()]
    yield from (item.duplicate() for number, item in enumerate(spot.items()) if item.value in values[:number])


def _request_name(spot: Spot) -> Iterator[Refusal]:
    """The text names a request of the claim, or one of its alternatives."""
    devices = spot.nearest(".devices")
    requests = {request.text("name"): request for request in devices.child("requests").items()}
    name, slash, part = spot.text().partition("/")
    parts = [each.text("name") for each in requests[name].child("firstAvailable").items()] if name in requests else []
    if name not in requests or (slash and part not in parts):
        yield spot.invalid(_NO_REQUEST)


_REQUEST_NAMES: Final = [no_more_than(_MOST), _distinct]
_CONFIG: Final[Table] = {
    "opaque": [set_at_all()],
    "opaque.driver": [required(), no_longer_than(63), well_formed(driver_name)],
    "opaque.parameters": [required()],
}


def _some_attribute(spot: Spot) -> Iterable[Refusal]:
    given = spot.sets("matchAttribute") or spot.sets("distinctAttribute")
    words = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
    return () if given else (spot.required(words),)


_DEVICES: Final[Table] = {
    "requests": [no_more_than(_MOST), _distinct_names],
    "requests[*].name": [required(), well_formed(dns_label)],
    "requests[*]": [unless(_is_flat, _one_kind)],
    "requests[*].exactly": _EXACT,
    "requests[*].firstAvailable": [no_more_than(_MOST_ALTERNATIVES), _distinct_names],
    "requests[*].firstAvailable[*]": [unless(_is_flat, inside(_EXACT))],
    "requests[*].firstAvailable[*].name": [required(), well_formed(dns_label)],
    "constraints": [no_more_than(_MOST)],
    "constraints[*]": [unless(_is_flat, _some_attribute)],
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
        "spec.metadata.labels": [well_formed_labels],
        "spec.metadata.annotations": [well_formed_annotations],
        "spec.spec.devices": _DEVICES,
    }
)
_CLAIM: Final[Table] = {"": [on_create(_new)], "spec": [struct, unchangeable]}
_TEMPLATE: Final[Table] = {"": [_new_template], "spec": [struct, unchangeable]}
_DEVICE_CLASS: Final[Table] = {
    "spec.selectors": [no_more_than(_MOST)],
    "spec.selectors[*].cel": [set_at_all()],
    "spec.config": [no_more_than(_MOST)],
    "spec.config[*]": _CONFIG,
}


@always
def _one_choice(spot: Spot) -> Iterator[Refusal]:
    """The devices of a slice are on one node, on chosen ones, or on all; ``spot`` is the spec."""
    given = [f"`{name}`" for name in _NODE_CHOICES if spot.get(name) not in (MISSING, False, "")]
    words = f"exactly one of {', '.join(f'`{name}`' for name in _NODE_CHOICES)} is required"
    for name in ("allNodes", "perDeviceNodeSelection"):
        if spot.get(name) is False:
            yield spot.child(name).invalid("must be either unset or set to true")
    if not given:
        yield spot.required(words)
    if len(given) > 1:
        yield spot.invalid(f"{words}, but multiple fields are set", f"{{{', '.join(given)}}}")


_SLICE: Final[Table] = {
    "spec": [struct, unless(_is_flat, _one_choice)],
    "spec.driver": [required(), no_longer_than(63), well_formed(driver_name), unchangeable],
    "spec.pool": [struct],
    "spec.pool.name": [required(), unchangeable],
    "spec.nodeName": [well_formed(dns_subdomain), unchangeable],
    "spec.devices": [no_more_than(128), _distinct_names],
    "spec.devices[*].name": [required(), well_formed(dns_label)],
}

RESOURCE: Final[Group] = {
    (_GROUP, "ResourceClaim"): Rules(_CLAIM),
    (_GROUP, "ResourceClaimTemplate"): Rules(_TEMPLATE),
    (_GROUP, "DeviceClass"): Rules(_DEVICE_CLASS),
    (_GROUP, "ResourceSlice"): Rules(_SLICE),
}
