"""Roles that allow more after the apply than before."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import items
from kubectl_applylint.lint.checks._bound import new_rights, subject_names
from kubectl_applylint.lint.checks._graph import after_run, referrers_of
from kubectl_applylint.lint.checks._rights import added_rights, earlier_rules, rights_text
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.checks._words import short_list
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``rules`` once if they allow something new that not all bound subjects had before.

    A new role counts if a binding of the run names it. With ``params["sensitive"]`` only rights that lead to others
    count. Facts: rights (all of them), sensitive (those that do), others (those that do not), subjects (those that the
    run binds).
    """
    before, after = earlier_rules(subject), items(after_apply(subject).get("rules"))
    more = [] if before is None or subject.predict(Scenario.APPLY).refused else added_rights(before, after)
    bindings = {str(peer.ref): peer for peer, _ in referrers_of(subject)}.values() if more else ()
    bound = [one for peer in bindings for one in subject_names(after_run(subject, peer), peer.ref.namespace)]
    rights = new_rights(subject, more, bound)
    sensitive = [right for right in rights if right.is_sensitive]
    if (sensitive if params["sensitive"] else rights) and (bound or before):
        others = [right for right in rights if not right.is_sensitive]
        who = short_list(list(dict.fromkeys(bound))) or "-"
        facts = {
            "rights": rights_text(rights),
            "sensitive": rights_text(sensitive),
            "others": rights_text(others),
            "subjects": who,
        }
        yield Hit(fields("rules"), facts, tuple((peer, fields("subjects"), "whom it is bound to") for peer in bindings))
