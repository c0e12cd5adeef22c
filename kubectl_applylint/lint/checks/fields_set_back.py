"""Fields that another client set and that the apply resets to the manifest's value."""

from typing import Final

from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier
from kubectl_applylint.core.paths import get, parse
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, equal
from kubectl_applylint.lint.checks._owners import own_managers, writers
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.server.apply import BEFORE_FIRST_APPLY

_APPLIERS: Final = {*DEFAULT_MANAGERS.values(), BEFORE_FIRST_APPLY} - {DEFAULT_MANAGERS[Applier.KUBECTL_SERVER]}
"""Managers that apply manifests, without the name that kubectl scale uses as well."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field of the manifest whose live value only other managers own and that the apply changes.

    Fields of earlier appliers are skipped: a move between appliers is a change of the manifest. ``params["paths"]`` are
    the fields that the rule is about, ``params["except"]`` those that it is not. Facts: before, after, who, group (of
    the object), ignored_managers (those that an Application may ignore, empty for other tools than Argo CD).
    """
    outcome, own = subject.predict(Scenario.APPLY), {*_APPLIERS, *(owner.name for owner in own_managers(subject))}
    meant, aside = (list(map(parse, params.get(key, ()))) for key in ("paths", "except"))
    applier = subject.flags.unit_applier
    is_argo = applier is not None and applier.applier is Applier.ARGOCD
    for change in () if outcome.refused else outcome.changes:
        is_value = not {type(change.before), type(change.after)} & {type(MISSING), Unknown}
        if not is_value or change.path in aside or (meant and change.path not in meant):
            continue
        who = writers(subject, change.path)
        if who and own.isdisjoint(who) and equal(get(subject.manifest, change.path), change.after):
            names = ", ".join(who)
            facts = {"who": names, "group": subject.ref.group, "ignored_managers": names if is_argo else ""}
            yield Hit(change.path, {"before": change.before, "after": change.after, **facts})
