"""Role, ClusterRole, RoleBinding and ClusterRoleBinding.

Mirrors ``pkg/apis/rbac/validation``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.conditions import beside
from kubectl_applylint.server.validate.constraints import (
    on_update,
    required,
    required_one_of,
    same,
    well_formed,
    when,
)
from kubectl_applylint.server.validate.field_context import FieldContext, Table, struct
from kubectl_applylint.server.validate.formats import dns_subdomain, path_segment
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import has_bad_values, selector_table
from kubectl_applylint.server.validate.walk import inside

_GROUP: Final = "rbac.authorization.k8s.io"


def _for_urls(fld: FieldContext) -> bool:
    """Return whether a rule is about URLs and not about resources; ``fld`` is a field of the rule."""
    return fld.up is not None and fld.up.has("nonResourceURLs")


def _for_resources(fld: FieldContext) -> bool:
    return not _for_urls(fld)


def _not_namespaced(fld: FieldContext) -> Iterable[FieldError]:
    return () if fld.empty else (fld.invalid("namespaced rules cannot apply to non-resource URLs"),)


def _nothing_else(fld: FieldContext) -> Iterable[FieldError]:
    """A rule about URLs is not about resources, too."""
    rule = fld.up
    if fld.empty or rule is None or not any(map(rule.has, ("apiGroups", "resources", "resourceNames"))):
        return ()
    return (fld.invalid("rules cannot apply to both regular resources and non-resource URLs"),)


_RULE: Final[Table] = {
    "verbs": [required("verbs must contain at least one value")],
    "nonResourceURLs": [_nothing_else],
    "apiGroups": [when(_for_resources, required("resource rules must supply at least one api group"))],
    "resources": [when(_for_resources, required("resource rules must supply at least one resource"))],
}
_ROLE: Final[Table] = {"rules[*]": _RULE, "rules[*].nonResourceURLs": [_not_namespaced]}


def _had_bad_values(fld: FieldContext) -> bool:
    stored = fld.root.before().at("aggregationRule", "clusterRoleSelectors").items()
    return any(has_bad_values(selector.value) for selector in stored)


_selector_faults: Final = inside(selector_table(tolerant=_had_bad_values))


def _selector(fld: FieldContext) -> Iterator[FieldError]:
    """What is wrong with a selector is said of its parts and of the whole."""
    faults = [*_selector_faults(fld)]
    yield from faults
    if faults:
        yield fld.invalid("invalid label selector.", None)


_CLUSTER_ROLE: Final[Table] = {
    "rules[*]": _RULE,
    "aggregationRule.clusterRoleSelectors": [
        required("at least one clusterRoleSelector required if aggregationRule is non-nil")
    ],
    "aggregationRule.clusterRoleSelectors[*]": [_selector],
}


def _unchangeable_role(fld: FieldContext) -> Iterable[FieldError]:
    return () if same(fld.value, fld.old) else (fld.invalid("cannot change roleRef"),)


def _binding(*kinds: str, subject: Table) -> Table:
    return {
        "roleRef": [struct, on_update(_unchangeable_role)],
        "roleRef.apiGroup": [required_one_of(_GROUP)],
        "roleRef.kind": [required_one_of(*kinds)],
        "roleRef.name": [required(), well_formed(path_segment)],
        "subjects[*].name": [required(), when(beside("kind", "ServiceAccount"), well_formed(dns_subdomain))],
        "subjects[*].kind": [required_one_of("ServiceAccount", "User", "Group")],
        "subjects[*].apiGroup": [
            when(beside("kind", "ServiceAccount"), _no_group),
            when(beside("kind", "User", "Group"), required_one_of(_GROUP)),
        ],
        "subjects[*]": subject,
    }


def _no_group(fld: FieldContext) -> Iterable[FieldError]:
    return () if fld.empty else (fld.unsupported([""]),)


_CLUSTER_SUBJECT: Final[Table] = {"namespace": [when(beside("kind", "ServiceAccount"), required())]}

KINDS: Final[Group] = {
    (_GROUP, "Role"): Rules(_ROLE, name=path_segment),
    (_GROUP, "ClusterRole"): Rules(_CLUSTER_ROLE, name=path_segment),
    (_GROUP, "RoleBinding"): Rules(_binding("Role", "ClusterRole", subject={}), name=path_segment),
    (_GROUP, "ClusterRoleBinding"): Rules(_binding("ClusterRole", subject=_CLUSTER_SUBJECT), name=path_segment),
}
