"""Bindings that grant an existing role to more subjects."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import Absent, Present, live_object
from kubectl_applylint.core.values import mapping
from kubectl_applylint.lint.checks._bound import impersonation_flags, new_rights, rules_before, subject_names
from kubectl_applylint.lint.checks._rights import added_rights, rights_text
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.checks._words import short_list
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``subjects`` once if the apply adds some that did not have all rights of the role.

    Only rights count that the role had before the run, or has in every cluster; with ``params["sensitive"]`` only those
    that lead to others. Facts: subjects (the new ones), as (flags of kubectl for the first), role, rights.
    """
    live = subject.state.live
    if subject.predict(Scenario.APPLY).refused or not (isinstance(live, Present) or isinstance(subject.base, Absent)):
        return
    namespace, after = subject.ref.namespace, after_apply(subject)
    before = subject_names(mapping(live_object(live)), namespace)
    more = [name for name in dict.fromkeys(subject_names(after, namespace)) if name not in before]
    role = mapping(after.get("roleRef"))
    rights = new_rights(subject, added_rights([], rules_before(subject, role, namespace)), more)
    if more and rights and (not params["sensitive"] or any(right.is_sensitive for right in rights)):
        name = f"{str(role.get('kind')).lower()}/{role.get('name')}"
        facts = {
            "subjects": short_list(more),
            "as": impersonation_flags(more[0]),
            "role": name,
            "rights": rights_text(rights),
        }
        yield Hit(fields("subjects"), facts)
