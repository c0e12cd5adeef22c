"""APIService.

Mirrors kube-aggregator's ``pkg/apis/apiregistration/validation``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import Refusal
from kubectl_applylint.server.validate.conditions import or_empty, or_zero
from kubectl_applylint.server.validate.constraints import between, required, well_formed
from kubectl_applylint.server.validate.formats import dns_1035_label, dns_subdomain, path_segment, port_number
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.spots import Spot, Table, always, struct


def _full_name(spot: Spot) -> Iterable[Refusal]:
    """The name is the version and the group; ``spot`` is the object."""
    name, wanted = spot.text("metadata", "name"), f"{spot.text('spec', 'version')}.{spot.text('spec', 'group')}"
    if path_segment(name) or name == wanted:
        return ()
    return (spot.at("metadata", "name").invalid(f'must be `spec.version+"."+spec.group`: "{wanted}"'),)


@always
def _group(spot: Spot) -> Iterable[Refusal]:
    core = spot.up is not None and spot.up.text("version") == "v1"
    words = "only v1 may have an empty group and it better be legacy kube"
    return (spot.required(words),) if not spot.text() and not core else ()


def _local(spot: Spot) -> Iterator[Refusal]:
    """What this server answers itself needs no certificates; ``spot`` is the spec."""
    bundle, insecure = spot.child("caBundle"), spot.child("insecureSkipTLSVerify")
    if spot.sets("service"):
        if not bundle.empty and insecure.value is True:
            yield insecure.invalid("may not be true if caBundle is present")
        return
    if not bundle.empty:
        yield bundle.invalid("local APIServices may not have a caBundle")
    if insecure.value is True:
        yield insecure.invalid("local APIServices may not have insecureSkipTLSVerify")


@always
def _port(spot: Spot) -> Iterable[Refusal]:
    faults = port_number(spot.number())
    return (spot.invalid(f"port is not valid: {', '.join(faults)}", spot.number()),) if faults else ()


_API_SERVICE: Final[Table] = {
    "": [_full_name],
    "spec": [struct, _local],
    "spec.group": [_group, well_formed(dns_subdomain)],
    "spec.version": [or_empty(well_formed(dns_1035_label, even_empty=True))],
    "spec.groupPriorityMinimum": [or_zero(between(1, 20000, "must be positive and less than 20000"))],
    "spec.versionPriority": [or_zero(between(1, 1000, "must be positive and less than 1000"))],
    "spec.service.namespace": [required()],
    "spec.service.name": [required()],
    "spec.service.port": [_port],
}

KINDS: Final[Group] = {
    ("apiregistration.k8s.io", "APIService"): Rules(_API_SERVICE, name=path_segment, standard_finalizers=False),
}
