"""The spec of pods and pod templates.

Mirrors ``ValidatePodSpec`` and ``ValidatePodTemplateSpec``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.addresses import an_address
from kubectl_applylint.server.validate.pods.annotations import pod_annotations, same_profiles_as_annotations
from kubectl_applylint.server.validate.pods.containers import CONTAINERS
from kubectl_applylint.server.validate.pods.hosts import HOSTS, not_on_windows
from kubectl_applylint.server.validate.pods.mounts import volumes_and_mounts
from kubectl_applylint.server.validate.pods.resources import OVERHEAD, POD_RESOURCES, enough_for_containers
from kubectl_applylint.server.validate.pods.scheduling import SCHEDULING
from kubectl_applylint.server.validate.pods.security import POD_SECURITY

_MOST_NAME_SERVERS: Final = 3
_MOST_SEARCHES: Final = 32
_MOST_SEARCH_LETTERS: Final = 2048
_RELAXED_SEARCHES_SINCE: Final = 33
_POD_RESOURCES_SINCE: Final = 34


def _dns(fld: v.FieldContext) -> v.FieldErrors:
    """Require nameservers if the DNS policy is ``None``; ``fld`` is the pod's spec."""
    config = fld.child("dnsConfig")
    if fld.get("dnsPolicy") == "None" and not config.there:
        return (config.required("must provide `dnsConfig` when `dnsPolicy` is None"),)
    if fld.get("dnsPolicy") == "None" and not config.has("nameservers"):
        words = "must provide at least one DNS nameserver when `dnsPolicy` is None"
        return (config.child("nameservers").required(words),)
    return ()


def _searches(fld: v.FieldContext) -> v.FieldErrors:
    if fld.size() > _MOST_SEARCHES:
        yield fld.invalid(f"must not have more than {_MOST_SEARCHES} search paths")
    if len(" ".join(item.text() for item in fld.items()).encode()) > _MOST_SEARCH_LETTERS:
        words = f"must not have more than {_MOST_SEARCH_LETTERS} characters (including spaces) in the search list"
        yield fld.invalid(words)
    relaxed = fld.occasion.minor >= _RELAXED_SEARCHES_SINCE or _had_relaxed_searches(fld)
    for item in fld.items():
        if not relaxed:
            yield from (item.invalid(fault) for fault in v.dns_subdomain(item.text().removesuffix(".")))
        elif item.value != ".":
            yield from (item.invalid(fault) for fault in v.search_domain(item.text().removesuffix(".")))


def _had_relaxed_searches(fld: v.FieldContext) -> bool:
    return any(item.value == "." or "_" in item.text() for item in fld.before().items())


def _host_alias(fld: v.FieldContext) -> v.FieldErrors:
    yield from an_address(fld.child("ip"))
    for name in fld.child("hostnames").items():
        yield from (name.invalid(fault) for fault in v.dns_subdomain(name.text()))


def _resource_claims(fld: v.FieldContext) -> v.FieldErrors:
    """Require a distinct name and one source of each claim of a pod."""
    seen: set[str] = set()
    for claim in fld.items():
        name, origin, template = (
            claim.child("name"),
            claim.child("resourceClaimName"),
            claim.child("resourceClaimTemplateName"),
        )
        if not name.text():
            yield name.required()
        elif name.text() in seen:
            yield name.duplicate()
        else:
            yield from (name.invalid(fault) for fault in v.dns_label(name.text()))
        seen.add(name.text())
        if origin.there and template.there:
            yield claim.invalid("at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified")
        if not origin.there and not template.there:
            yield claim.invalid("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")
        for place in (origin, template):
            yield from (place.invalid(fault) for fault in (v.dns_subdomain(place.text()) if place.there else ()))


def _scheduling_group(fld: v.FieldContext) -> v.FieldErrors:
    name = fld.child("podGroupName")
    if not name.there:
        return (name.invalid("must specify one of: `podGroupName`", None),)
    return [name.invalid(fault) for fault in v.dns_subdomain(name.text())]


_SEARCH: Final[v.Table] = {
    "nameservers": [
        v.must(
            lambda fld: fld.size() <= _MOST_NAME_SERVERS, f"must not have more than {_MOST_NAME_SERVERS} nameservers"
        )
    ],
    "nameservers[*]": [an_address],
    "searches": [_searches],
    "options[*]": [lambda fld: () if fld.text("name") else (fld.required("must not be empty"),)],
}

POD_SPEC: Final[v.Table] = {
    "": [volumes_and_mounts, CONTAINERS, HOSTS, SCHEDULING, POD_SECURITY, _dns, enough_for_containers],
    "terminationGracePeriodSeconds": [v.set_at_all()],
    "resourceClaims": [_resource_claims],
    "resources": [v.since(_POD_RESOURCES_SINCE, not_on_windows), POD_RESOURCES],
    "restartPolicy": [v.required_and_one_of("Always", "OnFailure", "Never")],
    "dnsPolicy": [v.required_and_one_of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")],
    "dnsConfig": _SEARCH,
    "serviceAccountName": [v.well_formed(v.dns_subdomain)],
    "nodeName": [v.well_formed(v.dns_subdomain)],
    "activeDeadlineSeconds": [v.between(1, 2**31 - 1)],
    "hostname": [v.well_formed(v.dns_label)],
    "subdomain": [v.well_formed(v.dns_label)],
    "hostAliases[*]": [_host_alias],
    "priorityClassName": [v.well_formed(v.dns_subdomain)],
    "runtimeClassName": [v.well_formed(v.dns_subdomain, even_empty=True)],
    "preemptionPolicy": [v.one_of("PreemptLowerPriority", "Never")],
    "overhead": OVERHEAD,
    "schedulingGroup": [_scheduling_group],
}
"""The constraints of the spec of a pod."""

TEMPLATE_METADATA: Final[v.Content] = [
    # The server omits "metadata" in the paths of a template.
    v.StepSpelling(""),
    {"labels": [v.well_formed_labels], "annotations": [v.well_formed_annotations, pod_annotations]},
]
"""The constraints of the metadata of a template."""

POD_TEMPLATE: Final[v.Table] = {
    "": [same_profiles_as_annotations],
    "metadata": TEMPLATE_METADATA,
    "spec": [v.struct, POD_SPEC],
    "spec.ephemeralContainers": [v.forbidden("ephemeral containers not allowed in pod template")],
}
"""The constraints of a pod template."""


def template_of(kind: str) -> v.Table:
    """Return the constraints of the template of pods that always restart; ``kind`` is the workload."""
    return {"": [POD_TEMPLATE, never_ending(kind)]}


def never_ending(kind: str) -> v.Table:
    """Return the constraints that make the pods of a template always restart; ``kind`` is the workload."""
    return {
        "spec.restartPolicy": [v.one_of("Always")],
        "spec.activeDeadlineSeconds": [v.forbidden(f"activeDeadlineSeconds in {kind} is not Supported")],
    }
