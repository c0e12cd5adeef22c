"""APIService.

Mirrors kube-aggregator's ``pkg/apis/apiregistration/validation``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.conditions import or_empty, or_zero
from kubectl_applylint.server.validate.constraints import between, required, well_formed
from kubectl_applylint.server.validate.field_context import FieldContext, Table, always, struct
from kubectl_applylint.server.validate.formats import dns_1035_label, dns_subdomain, path_segment, port_number
from kubectl_applylint.server.validate.rules import Group, Rules


def _full_name(fld: FieldContext) -> Iterable[FieldError]:
    """The name is the version and the group; ``fld`` is the object."""
    name, wanted = fld.text("metadata", "name"), f"{fld.text('spec', 'version')}.{fld.text('spec', 'group')}"
    if path_segment(name) or name == wanted:
        return ()
    return (fld.at("metadata", "name").invalid(f'must be `spec.version+"."+spec.group`: "{wanted}"'),)


@always
def _group(fld: FieldContext) -> Iterable[FieldError]:
    core = fld.up is not None and fld.up.text("version") == "v1"
    words = "only v1 may have an empty group and it better be legacy kube"
    return (fld.required(words),) if not fld.text() and not core else ()


def _local(fld: FieldContext) -> Iterator[FieldError]:
    """What this server answers itself needs no certificates; ``fld`` is the spec."""
    bundle, insecure = fld.child("caBundle"), fld.child("insecureSkipTLSVerify")
    if fld.sets("service"):
        if not bundle.empty and insecure.value is True:
            yield insecure.invalid("may not be true if caBundle is present")
        return
    if not bundle.empty:
        yield bundle.invalid("local APIServices may not have a caBundle")
    if insecure.value is True:
        yield insecure.invalid("local APIServices may not have insecureSkipTLSVerify")


@always
def _port(fld: FieldContext) -> Iterable[FieldError]:
    faults = port_number(fld.number())
    return (fld.invalid(f"port is not valid: {', '.join(faults)}", fld.number()),) if faults else ()


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
