"""APIService.

Mirrors kube-aggregator's ``pkg/apis/apiregistration/validation``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v


def _full_name(fld: v.FieldContext) -> v.FieldErrors:
    """Require the version and the group as the name; ``fld`` is the object."""
    name, wanted = fld.text("metadata", "name"), f"{fld.text('spec', 'version')}.{fld.text('spec', 'group')}"
    if v.path_segment(name) or name == wanted:
        return ()
    return (fld.at("metadata", "name").invalid(f'must be `spec.version+"."+spec.group`: "{wanted}"'),)


@v.always
def _group(fld: v.FieldContext) -> v.FieldErrors:
    core = fld.parent.text("version") == "v1"
    words = "only v1 may have an empty group and it better be legacy kube"
    return (fld.required(words),) if not fld.text() and not core else ()


def _local(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid certificates if this server serves the API itself; ``fld`` is the spec."""
    bundle, insecure = fld.child("caBundle"), fld.child("insecureSkipTLSVerify")
    if fld.sets("service"):
        if not bundle.empty and insecure.value is True:
            yield insecure.invalid("may not be true if caBundle is present")
        return
    if not bundle.empty:
        yield bundle.invalid("local APIServices may not have a caBundle")
    if insecure.value is True:
        yield insecure.invalid("local APIServices may not have insecureSkipTLSVerify")


@v.always
def _port(fld: v.FieldContext) -> v.FieldErrors:
    faults = v.port_number(fld.number())
    return (fld.invalid(f"port is not valid: {', '.join(faults)}", fld.number()),) if faults else ()


_API_SERVICE: Final[v.Table] = {
    "": [_full_name],
    "spec": [v.struct, _local],
    "spec.group": [_group, v.well_formed(v.dns_subdomain)],
    "spec.version": [v.or_empty(v.well_formed(v.dns_1035_label, even_empty=True))],
    "spec.groupPriorityMinimum": [v.or_zero(v.between(1, 20000, "must be positive and less than 20000"))],
    "spec.versionPriority": [v.or_zero(v.between(1, 1000, "must be positive and less than 1000"))],
    "spec.service.namespace": [v.required()],
    "spec.service.name": [v.required()],
    "spec.service.port": [_port],
}

KINDS: Final[v.Group] = {
    ("apiregistration.k8s.io", "APIService"): v.Rules(_API_SERVICE, name=v.path_segment, standard_finalizers=False)
}
