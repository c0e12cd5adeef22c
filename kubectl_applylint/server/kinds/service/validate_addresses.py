"""Validation of the cluster IPs of a Service and their IP families.

Mirrors ``ValidateServiceClusterIPsRelatedFields`` and ``validateUpgradeDowngradeClusterIPs``. Every constraint is one
of the ``spec`` of a Service.
"""

from typing import Final

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, items
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.addresses import address_faults, is_ipv6, is_strict

_FAMILIES: Final = ("IPv4", "IPv6")
_POLICIES: Final = ("PreferDualStack", "RequireDualStack", "SingleStack")
_MOST_ADDRESSES: Final = 2
_HEADLESS: Final = "None"
_KEEPS: Final = "may not change once set"


def is_headless(spec: v.FieldContext) -> bool:
    """Return whether a Service is headless."""
    return spec.get("clusterIPs") == [_HEADLESS] or (not spec.has("clusterIPs") and spec.get("clusterIP") == _HEADLESS)


def _has_addresses(spec: v.FieldContext) -> bool:
    return spec.text("type") != "ExternalName"


def allocation(fld: v.FieldContext) -> v.FieldErrors:
    """Check that the requested addresses and ports can be allocated; only the first error is returned."""
    addresses = list(_cluster_addresses(fld)) if _has_addresses(fld) else []
    families = [] if addresses or not _has_addresses(fld) else list(_one_or_two_families(fld))
    return addresses or families or _node_ports(fld)


def _cluster_addresses(fld: v.FieldContext) -> v.FieldErrors:
    """Require that the addresses are consistent with each other and their families."""
    yield from _first_is_cluster_ip(fld)
    yield from _families(fld)
    refusals = list(_addresses(fld))
    yield from refusals
    if not refusals:
        yield from _one_of_each_family(fld)
        yield from _addresses_match_families(fld)


def _first_is_cluster_ip(fld: v.FieldContext) -> v.FieldErrors:
    """Require that the first of ``clusterIPs`` is ``clusterIP``."""
    first, all_of_them = fld.get("clusterIP"), fld.child("clusterIPs")
    values = _values(all_of_them)
    if not v.is_known(first) or not all(map(v.is_known, values)):
        return ()
    if fld.text("clusterIP") and values and values[0] != first:
        return (all_of_them.invalid("first value must match `clusterIP`"),)
    if not fld.text("clusterIP") and values:
        return (all_of_them.invalid("must be empty when `clusterIP` is not specified"),)
    return ()


def _values(fld: v.FieldContext) -> list[Json]:
    return items(fld.value)


def _families(fld: v.FieldContext) -> v.FieldErrors:
    """Validate the IP families and their policy."""
    seen: list[Json] = []
    for family in fld.child("ipFamilies").items():
        if v.is_known(family.value) and family.value not in _FAMILIES:
            yield family.not_supported(_FAMILIES)
        if v.is_known(family.value) and family.value in seen:
            yield family.duplicate()
        seen.append(family.value)
    policy = fld.child("ipFamilyPolicy")
    if policy.there and v.is_known(policy.value) and policy.value not in _POLICIES:
        yield policy.not_supported(_POLICIES)


def _addresses(fld: v.FieldContext) -> v.FieldErrors:
    """Validate the new cluster IPs."""
    all_of_them = fld.child("clusterIPs")
    kept = items(all_of_them.old)
    for place, address in enumerate(all_of_them.items()):
        if place == 0 and address.value == _HEADLESS:
            if all_of_them.size() > 1:
                yield all_of_them.invalid("'None' must be the first and only value")
        elif v.is_known(address.value) and address.value not in kept:
            faults = address_faults(address.text(), strict=is_strict(address))
            yield from (address.invalid(fault) for fault in faults)


def _one_of_each_family(fld: v.FieldContext) -> v.FieldErrors:
    all_of_them = fld.child("clusterIPs")
    values = _values(all_of_them)
    if len(values) > _MOST_ADDRESSES:
        yield all_of_them.invalid("may only hold up to 2 values")
    if len(values) > 1 and all(map(v.is_known, values)) and len({is_ipv6(str(value)) for value in values}) == 1:
        yield all_of_them.invalid("may specify no more than one IP for each IP family")


def _addresses_match_families(fld: v.FieldContext) -> v.FieldErrors:
    families = _values(fld.child("ipFamilies"))
    addresses = [] if is_headless(fld) else list(fld.child("clusterIPs").items())
    for place, (address, family) in enumerate(zip(addresses, families, strict=False)):
        if v.is_known(address.value) and family in _FAMILIES and is_ipv6(address.text()) != (family == "IPv6"):
            yield address.invalid(f"expected an {family} value as indicated by `ipFamilies[{place}]`")


def _one_or_two_families(fld: v.FieldContext) -> v.FieldErrors:
    """Require a policy that allows the number of addresses and families, also if one of two is removed."""
    policy, old = fld.child("ipFamilyPolicy"), fld.before()
    if not v.is_known(policy.value):
        return
    single = not policy.there or policy.value == "SingleStack"
    for name, singular, plural in _COUNTED:
        if single and fld.size(name) == _MOST_ADDRESSES and (fld.creating or not fld.child(name).unchanged):
            yield policy.invalid(
                f"must be 'RequireDualStack' or 'PreferDualStack' when multiple {plural} are specified"
            )
        if not single and 0 < fld.size(name) < old.size(name):
            yield policy.invalid(f"must be 'SingleStack' to release the secondary {singular}")


_NODE_PORTS: Final = range(30000, 32768)
"""The default range of node ports."""
_NO_NODE_PORT: Final = "provided port is not in the valid range. The range of valid ports is 30000-32767"
_COUNTED: Final = (("clusterIPs", "cluster IP", "cluster IPs"), ("ipFamilies", "IP family", "IP families"))


def _node_ports(fld: v.FieldContext) -> v.FieldErrors:
    """Require that new node ports are in the range, and are used once, except for several protocols."""
    if fld.text("type") not in ("NodePort", "LoadBalancer"):
        return ()
    stored = {port.number("nodePort") for port in fld.before().child("ports").items()}
    taken: dict[int, int] = {}
    for port in fld.child("ports").items():
        wanted, number = port.child("nodePort"), port.number("port")
        if not v.is_known(wanted.value) or not wanted.number() or wanted.number() in stored:
            continue
        if wanted.number() not in _NODE_PORTS:
            return (wanted.invalid(_NO_NODE_PORT),)
        if fld.creating and taken.get(number) != wanted.number() and wanted.number() in taken.values():
            return (wanted.invalid("provided port is already allocated"),)
        taken.setdefault(number, wanted.number())
    return ()


def immutable_addresses(fld: v.FieldContext) -> v.FieldErrors:
    """Reject changes of the addresses of a stored Service, except of a second one.

    Their families then stay as well, since ``allocation`` requires that addresses and families agree.
    """
    old = fld.before()
    both_headless = is_headless(fld) and is_headless(old)
    if fld.creating or both_headless or not (_has_addresses(fld) and _has_addresses(old)):
        return
    place = fld.child("clusterIPs")
    values, before = _values(place), _values(place.before())
    if before and not values:
        yield place.with_step(".clusterIPs[0]").invalid("primary clusterIP can not be unset")
    for number, value in enumerate(values[: len(before)] if len(values) == len(before) else values[:1]):
        if before and _differs(value, before[number]):
            yield place.with_step(f".clusterIPs[{number}]").invalid(_KEEPS)


def _differs(value: Json, other: Json) -> bool:
    if isinstance(other, Unknown):
        return value in other.excluded
    return v.is_known(value) and bool(value != other)
