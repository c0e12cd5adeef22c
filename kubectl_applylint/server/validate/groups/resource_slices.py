"""ResourceSlice: the devices that nodes offer.

Mirrors ``pkg/apis/resource/validation``, except for the request policies of a capacity.
"""

from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import MISSING, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.scheduling import NODE_SELECTOR_TERM

EFFECTS: Final = ("NoExecute", "NoSchedule", "None")
"""The effects of a device taint on the pods that use the device."""
_DRIVER: Final = [v.required(), v.no_longer_than(63), v.well_formed(v.driver_name)]
_LONGEST_IDENTIFIER: Final = 32
_LONGEST_POOL: Final = 253
_LONGEST_VALUE: Final = 64
_MOST_VALUES: Final = 32
_CHOICES: Final = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")
_VALUES: Final = ("bool", "int", "string", "version", "bools", "ints", "strings", "versions")
_identifier: Final = v.matching(
    "[A-Za-z_][A-Za-z0-9_]*",
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters "
    "or '_'",
    ("my_name", "MY_NAME", "MyName"),
    0,
)
_NUMBER: Final = r"(0|[1-9]\d*)"
_PRERELEASE: Final = r"(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)"
_BUILD: Final = r"[0-9a-zA-Z-]+"
_SEMVER: Final = regex(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-{_PRERELEASE}(\.{_PRERELEASE})*)?(\+{_BUILD}(\.{_BUILD})*)?\Z"
)


def attribute_name(fld: v.FieldContext, name: str) -> v.FieldErrors:
    """Yield the faults of the name of an attribute or a capacity: an identifier with an optional domain."""
    domain, slash, identifier = name.rpartition("/")
    if "/" in domain:
        return
    if slash and not domain:
        yield fld.invalid("the domain must not be empty", "")
    if domain:
        yield from (fault for check in _DRIVER for fault in check(fld.with_value(domain)))
    if slash and not identifier:
        yield fld.invalid("the name must not be empty", "")
        return
    if len(identifier) > _LONGEST_IDENTIFIER:
        yield fld.too_long(_LONGEST_IDENTIFIER)
    yield from (fld.invalid(fault, identifier) for fault in _identifier(identifier))


def _distinct_by(key: str) -> v.Constraint:
    """Require distinct values of ``key`` in the elements of the list; empty for elements that are texts themselves."""

    def check(fld: v.FieldContext) -> v.FieldErrors:
        values = [item.text(key) if key else item.text() for item in fld.items()]
        pairs = enumerate(zip(fld.items(), values, strict=True))
        yield from (item.duplicate(value) for number, (item, value) in pairs if value in values[:number])

    return check


distinct_names: Final = _distinct_by("name")
"""Require distinct names of the elements of the list."""


def _named_well(fld: v.FieldContext) -> v.FieldErrors:
    """Require names of attributes or capacities as the keys of the map."""
    for name in mapping(fld.value):
        yield from attribute_name(fld, name)


def _one_value(fld: v.FieldContext) -> v.FieldErrors:
    """Require one value of an attribute, or a list of values of one type."""
    count = sum(map(fld.sets, _VALUES))
    return () if count == 1 else (fld.invalid("exactly one value must be specified", fld.value if count else ""),)


_VERSION: Final = [
    v.must(lambda fld: _SEMVER.match(fld.text()) is not None, "must be a string compatible with semver.org spec 2.0.0"),
    v.no_longer_than(_LONGEST_VALUE),
]


def _few_values(fld: v.FieldContext) -> v.FieldErrors:
    """Limit the number of attributes and capacities of a device; ``fld`` is the device."""
    count = len(mapping(fld.get("attributes"))) + len(mapping(fld.get("capacity")))
    words = f"the total number of attributes and capacities must not exceed {_MOST_VALUES}"
    return (fld.invalid(words, count),) if count > _MOST_VALUES else ()


def _one_place(fld: v.FieldContext) -> v.FieldErrors:
    """Require a node of each device if the slice selects nodes per device; ``fld`` is the device."""
    given = [name for name in _CHOICES[:3] if fld.sets(name)]
    if not fld.nearest(".spec").flag("perDeviceNodeSelection"):
        words = "can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec"
        if given:
            yield fld.invalid(f"`nodeName`, `nodeSelector` and `allNodes` {words}", None)
        return
    words = (
        "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to"
    )
    if fld.get("allNodes") is False:
        yield fld.child("allNodes").invalid("must be either unset or set to true")
    if fld.get("nodeName") == "":
        yield fld.child("nodeName").invalid("must not be empty")
    given = [name for name in given if fld.get(name) not in (False, "")]
    if not given:
        yield fld.required(f"{words} true in the ResourceSlice spec")
    if len(given) > 1:
        yield fld.invalid(f"{words} true in the ResourceSlice spec", _list_text(given))


@v.always
def _one_choice(fld: v.FieldContext) -> v.FieldErrors:
    """Require exactly one choice of nodes: one, chosen ones, all, or per device; ``fld`` is the spec."""
    given = [name for name in _CHOICES if fld.get(name) not in (MISSING, False, "")]
    words = f"exactly one of {', '.join(f'`{name}`' for name in _CHOICES)} is required"
    for name in ("allNodes", "perDeviceNodeSelection"):
        if fld.get(name) is False:
            yield fld.child(name).invalid("must be either unset or set to true")
    if fld.get("nodeName") == "":
        yield fld.child("nodeName").invalid("must be either unset or set to a non-empty string")
    if not given:
        yield fld.required(words)
    if len(given) > 1:
        yield fld.invalid(f"{words}, but multiple fields are set", _list_text(given))


def _list_text(names: list[str]) -> str:
    return f"{{{', '.join(f'`{name}`' for name in names)}}}"


def _pool_name(fld: v.FieldContext) -> v.FieldErrors:
    """Require one or more domain names, separated by slashes, as the name of a pool."""
    if len(fld.text().encode()) > _LONGEST_POOL:
        yield fld.too_long(_LONGEST_POOL)
    yield from (fld.invalid(fault, part) for part in fld.text().split("/") for fault in v.dns_subdomain(part))


def _taints(fld: v.FieldContext) -> v.FieldErrors:
    """Require well-formed taints of a device, unless they are unchanged; ``fld`` is the list."""
    devices = fld.nearest(".spec").before().child("devices").items()
    name = fld.up.text("name") if fld.up else ""
    stored = [device.get("taints") for device in devices if device.text("name") == name]
    return () if any(v.same(fld.value, old) for old in stored) else _new_taints(fld)


_new_taints: Final = v.inside(
    {
        "": [v.no_more_than(16)],
        "[*].key": [v.or_empty(v.a_label_name)],
        "[*].value": [v.well_formed(v.label_value)],
        "[*].effect": [v.required_and_one_of(*EFFECTS)],
    }
)


def _counter_names(fld: v.FieldContext) -> v.FieldErrors:
    """Require names of counters as the keys of the map, and limit their number."""
    if len(mapping(fld.value)) > _MOST_COUNTERS:
        yield fld.too_many(_MOST_COUNTERS)
    yield from (fld.invalid(fault, name) for name in mapping(fld.value) for fault in v.dns_label(name))


def _conditions_together(fld: v.FieldContext) -> v.FieldErrors:
    """Require binding conditions and binding failure conditions together; ``fld`` is the device."""
    conditions, failures = fld.child("bindingConditions"), fld.child("bindingFailureConditions")
    if failures.empty and not conditions.empty:
        yield failures.invalid("bindingFailureConditions are required to use bindingConditions", None)
    if conditions.empty and not failures.empty:
        yield conditions.invalid("bindingConditions are required to use bindingFailureConditions", None)
    known = [item.text() for item in conditions.items()]
    words = "bindingFailureConditions must not overlap with bindingConditions"
    yield from (item.invalid(words) for item in failures.items() if item.text() in known)


def _fewer_devices(fld: v.FieldContext) -> v.FieldErrors:
    """Limit the devices of a slice further if one of them has taints or consumes counters; ``fld`` is the list."""
    is_special = any(item.has("taints") or item.has("consumesCounters") for item in fld.items())
    return v.no_more_than(_MOST_SPECIAL_DEVICES if is_special else _MOST_DEVICES)(fld)


def _devices_or_counters(fld: v.FieldContext) -> v.FieldErrors:
    is_both = fld.has("sharedCounters") and fld.has("devices")
    return (fld.invalid("only one of `sharedCounters` or `devices` is allowed", ""),) if is_both else ()


def _exclusive_policies(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid capacity policies unless the device allows multiple allocations; ``fld`` is the device."""
    if fld.flag("allowMultipleAllocations"):
        return
    for name in mapping(fld.get("capacity")):
        policy = fld.child("capacity").entry(name).child("requestPolicy")
        if policy.there:
            yield policy.forbidden("allowMultipleAllocations must be true")


_MOST_DEVICES: Final = 128
_MOST_SPECIAL_DEVICES: Final = 64
_COUNTER_SET_NAME: Final = [v.required(), v.or_empty(v.well_formed(v.dns_label))]
_MOST_COUNTERS: Final = 32
_COUNTERS: Final = [v.required(), _counter_names]
_CONDITIONS: Final[v.Table] = {"": [v.no_more_than(4), _distinct_by("")], "[*]": [v.a_label_name]}
_SELECTOR_TERMS: Final = "nodeSelector.nodeSelectorTerms"
_DEVICE: Final[v.Table] = {
    "": [_few_values, _one_place, _conditions_together, _exclusive_policies],
    "name": [v.or_empty(v.well_formed(v.dns_label, even_empty=True))],
    "attributes": [_named_well],
    "attributes.*": {
        "": [_one_value],
        "string": [v.no_longer_than(_LONGEST_VALUE)],
        "version": _VERSION,
        "strings[*]": [v.no_longer_than(_LONGEST_VALUE)],
        "versions[*]": _VERSION,
    },
    "capacity": [_named_well],
    "taints": [_taints],
    "consumesCounters": [v.no_more_than(2), _distinct_by("counterSet")],
    "consumesCounters[*].counterSet": _COUNTER_SET_NAME,
    "consumesCounters[*].counters": _COUNTERS,
    "bindingConditions": _CONDITIONS,
    "bindingFailureConditions": _CONDITIONS,
    "nodeName": [v.well_formed(v.dns_subdomain)],
    f"{_SELECTOR_TERMS}[*]": NODE_SELECTOR_TERM,
}

RESOURCE_SLICE: Final[v.Table] = {
    "spec": [v.struct, _one_choice, _devices_or_counters],
    "spec.driver": [*_DRIVER, v.unchangeable],
    "spec.pool": [v.struct],
    "spec.pool.name": [v.required(), _pool_name, v.unchangeable],
    "spec.pool.resourceSliceCount": [v.or_zero(v.at_least(1, "must be greater than zero"))],
    "spec.pool.generation": [v.at_least(0, "must be greater than or equal to zero")],
    "spec.nodeName": [v.well_formed(v.dns_subdomain), v.unchangeable],
    f"spec.{_SELECTOR_TERMS}": [v.must(lambda fld: fld.size() == 1, "must have exactly one node selector term")],
    f"spec.{_SELECTOR_TERMS}[*]": NODE_SELECTOR_TERM,
    "spec.sharedCounters": [v.no_more_than(8), distinct_names],
    "spec.sharedCounters[*].name": _COUNTER_SET_NAME,
    "spec.sharedCounters[*].counters": _COUNTERS,
    "spec.devices": [_fewer_devices, distinct_names],
    "spec.devices[*]": _DEVICE,
}
"""The constraints of a ResourceSlice in versions whose devices have no parts."""
