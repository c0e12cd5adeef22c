"""Rights that subjects had before a run by its bindings, for the checks about growing rights."""

from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Final

from kubectl_applylint.core.state import ObjectRef, live_object
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping
from kubectl_applylint.lint.checks._graph import before_run
from kubectl_applylint.lint.checks._rights import ANY, RBAC, Right, Rules, missing_rights
from kubectl_applylint.lint.model import Subject

_EVERYWHERE: Final = f"ClusterRoleBinding.{RBAC}"
_SECRETS: Final = {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list", "watch"]}
_EXEC: Final = {"apiGroups": [""], "resources": ["pods/exec", "pods/attach"], "verbs": ["create"]}
_BUILT_IN: Final[Mapping[str, Rules]] = {
    "cluster-admin": [{"apiGroups": [ANY], "resources": [ANY], "verbs": [ANY]}],
    "admin": [_SECRETS, _EXEC],
    "edit": [_SECRETS, _EXEC],
}
"""The sensitive rights in the roles that every cluster has."""


def subject_names(binding: JsonObject, namespace: str) -> list[str]:
    """Return the subjects of a binding in a namespace, as ``system:serviceaccount:shop:ci``, ``user/alice``,
    ``group/dev``.
    """
    return [_subject_name(mapping(one), namespace) for one in items(binding.get("subjects"))]


def _subject_name(one: JsonObject, namespace: str) -> str:
    if one.get("kind") == "ServiceAccount":
        return f"system:serviceaccount:{one.get('namespace') or namespace}:{one.get('name')}"
    return f"{str(one.get('kind')).lower()}/{one.get('name')}"


def impersonation_flags(name: str) -> str:
    """Return the kubectl flags to act as one of ``subject_names``; for a group as a user in it."""
    kind, slash, own = name.partition("/")
    if not slash:
        return f"--as={quote(name)}"
    return f"--as=member --as-group={quote(own)}" if kind == "group" else f"--as={quote(own)}"


def rules_before(subject: Subject, role: Json, namespace: str) -> Rules:
    """Return the rules of a binding's role before the run, none if unknown."""
    kind, name = str(dig(role, "kind")), str(dig(role, "name"))
    ref = ObjectRef(f"{RBAC}/v1", kind, namespace if kind == "Role" else "", name)
    known = items(dig(live_object(subject.cluster_diff.before(ref)), "rules"))
    return known or (_BUILT_IN.get(name, []) if kind == "ClusterRole" else [])


def new_rights(subject: Subject, rights: list[Right], names: list[str]) -> list[Right]:
    """Return the rights that one of the named subjects did not have before by another binding of the run.

    None in a unit that is new as a whole: it repeats the rights of another environment.
    """
    if subject.flags.is_new_unit:
        return []
    missing = [missing_rights(list(_rules_held(subject, name)), rights) for name in dict.fromkeys(names)]
    return [right for right in rights if not missing or any(right in each for each in missing)]


def _rules_held(subject: Subject, name: str) -> Iterator[Json]:
    """Yield the rules that a subject had in the scope of the examined role or binding."""
    kinds = (f"RoleBinding.{RBAC}", _EVERYWHERE) if subject.ref.namespace else (_EVERYWHERE,)
    for peer in (peer for kind in kinds for peer in subject.peers.of_kind(kind)):
        binding = before_run(subject, peer)
        if name in subject_names(binding, peer.ref.namespace):
            yield from rules_before(subject, binding.get("roleRef"), peer.ref.namespace)
