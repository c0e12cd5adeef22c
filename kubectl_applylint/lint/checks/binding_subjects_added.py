"""Bindings that give a role that is there already to more subjects."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import Absent, ObjectRef, Present, present
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping
from kubectl_applylint.lint.checks._rights import ANY, RBAC, Right, Rules, added, names, subject_names, text
from kubectl_applylint.lint.checks._selectors import made
from kubectl_applylint.lint.model import Hit, Scenario, Subject

_SECRETS: Final = {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list", "watch"]}
_EXEC: Final = {"apiGroups": [""], "resources": ["pods/exec", "pods/attach"], "verbs": ["create"]}
_BUILT_IN: Final[Mapping[str, Rules]] = {
    "cluster-admin": [{"apiGroups": [ANY], "resources": [ANY], "verbs": [ANY]}],
    "admin": [_SECRETS, _EXEC],
    "edit": [_SECRETS, _EXEC],
}
"""What leads to other rights in the roles that every cluster has."""


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield ``subjects`` once if the apply adds some, and the role was there before or is one of every cluster.

    With ``params["sensitive"]`` only if its rights lead to others. Facts: subjects (the new ones), role, rights.
    """
    live = subject.state.live
    if subject.predict(Scenario.APPLY).refused or not (isinstance(live, Present) or isinstance(subject.base, Absent)):
        return
    namespace, after = subject.ref.namespace, made(subject)
    before = subject_names(mapping(present(live)), namespace)
    more = [name for name in subject_names(after, namespace) if name not in before]
    role = mapping(after.get("roleRef"))
    rights = _rights_of(subject, role)
    if more and rights and (not params["sensitive"] or any(right.is_sensitive for right in rights)):
        name = f"{str(role.get('kind')).lower()}/{role.get('name')}"
        yield Hit(fields("subjects"), {"subjects": names(more), "role": name, "rights": text(rights)})


def _rights_of(subject: Subject, role: JsonObject) -> list[Right]:
    """Return what a role allowed before the run; nothing where it is not known."""
    namespace = subject.ref.namespace if role.get("kind") == "Role" else ""
    ref = ObjectRef(f"{RBAC}/v1", str(role.get("kind")), namespace, str(role.get("name")))
    known = present(subject.cluster_diff.before(ref))
    return added([], items(dig(known, "rules")) or _BUILT_IN.get("" if namespace else ref.name, []))
