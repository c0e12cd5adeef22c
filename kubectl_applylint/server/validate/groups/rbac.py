"""Role, ClusterRole, RoleBinding and ClusterRoleBinding.

Mirrors ``pkg/apis/rbac/validation``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v

_GROUP: Final = "rbac.authorization.k8s.io"


def _for_resources(fld: v.FieldContext) -> bool:
    """Return whether a rule is not about URLs; ``fld`` is a field of the rule."""
    return not fld.parent.has("nonResourceURLs")


def _nothing_else(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid resources in a rule about URLs."""
    rule = fld.up
    if fld.empty or rule is None or not any(map(rule.has, ("apiGroups", "resources", "resourceNames"))):
        return ()
    return (fld.invalid("rules cannot apply to both regular resources and non-resource URLs"),)


_RULE: Final[v.Table] = {
    "verbs": [v.required("verbs must contain at least one value")],
    "nonResourceURLs": [_nothing_else],
    "apiGroups": [v.when(_for_resources, v.required("resource rules must supply at least one api group"))],
    "resources": [v.when(_for_resources, v.required("resource rules must supply at least one resource"))],
}
_ROLE: Final[v.Table] = {
    "rules[*]": _RULE,
    "rules[*].nonResourceURLs": [v.must(lambda fld: fld.empty, "namespaced rules cannot apply to non-resource URLs")],
}


def _had_bad_values(fld: v.FieldContext) -> bool:
    """Return whether the stored aggregation rule has invalid label values."""
    stored = fld.root.before().at("aggregationRule", "clusterRoleSelectors").items()
    return any(v.has_bad_values(selector.value) for selector in stored)


_selector_faults: Final = v.inside(v.selector_table(tolerant=_had_bad_values))


def _selector(fld: v.FieldContext) -> v.FieldErrors:
    """Check a selector; errors are reported for its parts and for the whole."""
    faults = [*_selector_faults(fld)]
    yield from faults
    if faults:
        yield fld.invalid("invalid label selector.", None)


_CLUSTER_ROLE: Final[v.Table] = {
    "rules[*]": _RULE,
    "aggregationRule.clusterRoleSelectors": [
        v.required("at least one clusterRoleSelector required if aggregationRule is non-nil")
    ],
    "aggregationRule.clusterRoleSelectors[*]": [_selector],
}


def _binding(*kinds: str, subject: v.Table) -> v.Table:
    return {
        "roleRef": [v.struct, v.on_update(v.must(lambda fld: v.same(fld.value, fld.old), "cannot change roleRef"))],
        "roleRef.apiGroup": [v.required_one_of(_GROUP)],
        "roleRef.kind": [v.required_one_of(*kinds)],
        "roleRef.name": [v.required(), v.well_formed(v.path_segment)],
        "subjects[*].name": [
            v.required(),
            v.when(v.sibling_is("kind", "ServiceAccount"), v.well_formed(v.dns_subdomain)),
        ],
        "subjects[*].kind": [v.required_one_of("ServiceAccount", "User", "Group")],
        "subjects[*].apiGroup": [
            v.when(v.sibling_is("kind", "ServiceAccount"), v.one_of("")),
            v.when(v.sibling_is("kind", "User", "Group"), v.required_one_of(_GROUP)),
        ],
        "subjects[*]": subject,
    }


_CLUSTER_SUBJECT: Final[v.Table] = {"namespace": [v.when(v.sibling_is("kind", "ServiceAccount"), v.required())]}

KINDS: Final[v.Group] = {
    (_GROUP, "Role"): v.Rules(_ROLE, name=v.path_segment),
    (_GROUP, "ClusterRole"): v.Rules(_CLUSTER_ROLE, name=v.path_segment),
    (_GROUP, "RoleBinding"): v.Rules(_binding("Role", "ClusterRole", subject={}), name=v.path_segment),
    (_GROUP, "ClusterRoleBinding"): v.Rules(_binding("ClusterRole", subject=_CLUSTER_SUBJECT), name=v.path_segment),
}
