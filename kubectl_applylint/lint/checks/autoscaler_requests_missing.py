"""Autoscalers with a utilization metric whose target containers have no requests."""

from collections.abc import Iterator
from itertools import product

from kubectl_applylint.core.paths import Field, Index, Path, fields
from kubectl_applylint.core.values import JsonObject, dig, mapping, objects_at
from kubectl_applylint.lint.checks._graph import after_run, peers_named
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import TEMPLATE, kind_of, references

_DEFAULTS = ("default", "defaultRequest")


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each utilization metric if a container of the target has neither request nor limit of the resource.

    A LimitRange of the run may set it. Facts: ``resource``, ``target``, ``containers`` (those without).
    """
    own, where = after_apply(subject), (*TEMPLATE, "spec")
    targets = [
        peer
        for reference in references(kind_of(subject.document), own)
        for peer in peers_named(subject, reference.kind, reference.name)
    ]
    for (resource, only, path), peer in product(_utilization_metrics(own), targets):
        without = _containers_without_request(mapping(dig(after_run(subject, peer), *where)), resource)
        missing = [name for name in without if only in ("", name)]
        if missing and not _is_set_by_limit_range(subject, resource):
            facts = {"resource": resource, "target": str(peer.ref), "containers": ", ".join(missing)}
            yield Hit(path, facts, ((peer, fields(*where, "containers"), "its containers"),))


def _utilization_metrics(scaler: JsonObject) -> Iterator[tuple[str, str, Path]]:
    """Yield the resource of each utilization metric, and its container if it names one."""
    if isinstance(dig(scaler, "spec", "targetCPUUtilizationPercentage"), int):
        yield "cpu", "", fields("spec", "targetCPUUtilizationPercentage")
    for position, metric in enumerate(objects_at(scaler, "spec", "metrics")):
        for source in ("resource", "containerResource"):
            one = mapping(metric.get(source))
            if dig(one, "target", "type") == "Utilization":
                path = (*fields("spec", "metrics"), Index(position), Field(source))
                yield str(one.get("name")), str(one.get("container", "")), path


def _containers_without_request(spec: JsonObject, resource: str) -> Iterator[str]:
    """Yield the containers without a request for a resource, none if the pod as a whole has one."""
    if not _is_requested(spec, resource):
        containers = objects_at(spec, "containers")
        yield from (str(one.get("name")) for one in containers if not _is_requested(one, resource))


def _is_requested(owner: JsonObject, resource: str) -> bool:
    """Return whether a container or a pod as a whole requests a resource; a limit is the default request."""
    return any(resource in mapping(dig(owner, "resources", part)) for part in ("requests", "limits"))


def _is_set_by_limit_range(subject: Subject, resource: str) -> bool:
    """Return whether a LimitRange of the run has a default for a resource."""
    ranges = subject.peers.of_kind("LimitRange.")
    limits = [limit for peer in ranges for limit in objects_at(peer.object, "spec", "limits")]
    return any(resource in mapping(limit.get(part)) for limit in limits for part in _DEFAULTS)
