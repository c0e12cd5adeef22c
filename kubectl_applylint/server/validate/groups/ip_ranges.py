"""ServiceCIDR and IPAddress: the address ranges of Services.

Mirrors ``pkg/apis/networking/validation``.
"""

from typing import Final

from kubectl_applylint.core.values import MISSING
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.addresses import address_faults, block_faults, parse_address
from kubectl_applylint.server.validate.blocks import parse_block

_FAMILIES: Final = 2
_ONE_EACH: Final = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"


def canonical_address(text: str) -> list[str]:
    """Return the faults of an address that must have its canonical form."""
    faults, address = address_faults(text, strict=True), parse_address(text)
    return faults if faults or str(address) == text else [f'must be in canonical form ("{address}")']


def _canonical_block(text: str) -> list[str]:
    """Return the faults of a CIDR block that must have its canonical form."""
    faults, block = block_faults(text, strict=True), parse_block(text)
    return faults if faults or str(block) == text else [f'must be in canonical form ("{block}")']


def _blocks(fld: v.FieldContext) -> v.FieldErrors:
    """Require one or two blocks, of different families."""
    if fld.empty:
        yield fld.required("at least one CIDR required")
    elif fld.size() > _FAMILIES:
        yield fld.invalid("may only hold up to 2 values", {"CIDRs": fld.value})  # the server shows the value around it
    else:
        yield from (item.invalid(fault) for item in fld.items() for fault in _canonical_block(item.text()))
        families = [block.version for item in fld.items() if (block := parse_block(item.text())) is not None]
        if len(families) > len(set(families)):
            yield fld.invalid(_ONE_EACH)


@v.always
def _immutable_blocks(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid changes of a block; one of the other family may be added."""
    if fld.creating:
        return _blocks(fld)
    old, new = fld.before().size(), fld.size()
    if (old, new) != (1, _FAMILIES) and old != new:
        return (fld.immutable(),)
    changed = [item.immutable() for item in fld.items() if item.old not in (MISSING, item.value)]
    return changed if old == new else [*changed, *_blocks(fld)]


_SERVICE_CIDR: Final[v.Table] = {"spec": [v.struct], "spec.cidrs": [_immutable_blocks]}

_IP_ADDRESS: Final[v.Table] = {
    "spec": [v.struct],
    "spec.parentRef": [v.set_at_all(), v.unchangeable],
    "spec.parentRef.group": [v.well_formed(v.dns_subdomain)],
    "spec.parentRef.resource": [v.required(), v.well_formed(v.path_segment)],
    "spec.parentRef.name": [v.required(), v.well_formed(v.path_segment)],
    "spec.parentRef.namespace": [v.well_formed(v.path_segment)],
}

KINDS: Final[v.Group] = {
    ("networking.k8s.io", "ServiceCIDR"): v.Rules(_SERVICE_CIDR),
    ("networking.k8s.io", "IPAddress"): v.Rules(_IP_ADDRESS, name=canonical_address),
}
