"""What is refused of DaemonSets.

Mirrors ``pkg/apis/apps/validation``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.constraints import at_least, unchangeable
from kubectl_applylint.server.validate.field_context import FieldContext, Table, struct
from kubectl_applylint.server.validate.pods.spec import template_of
from kubectl_applylint.server.validate.portions import not_more_than_all, number_or_percent, size_of
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import (
    has_bad_values,
    matches_template,
    nonempty_selector,
    selector_table,
)
from kubectl_applylint.server.validate.walk import inside


def _one_way_of_rolling(fld: FieldContext) -> Iterable[FieldError]:
    """A DaemonSet either takes pods away first or adds some first."""
    unavailable, surge = size_of(fld.get("maxUnavailable")), size_of(fld.get("maxSurge"))
    if unavailable and surge:
        return (fld.child("maxSurge").invalid("may not be set when maxUnavailable is non-zero"),)
    if not unavailable and not surge:
        return (fld.child("maxUnavailable").required("cannot be 0 when maxSurge is 0"),)
    return ()


_ROLLING_DAEMON_SET: Final = inside(
    {
        "": [_one_way_of_rolling],
        "maxUnavailable": [number_or_percent, not_more_than_all],
        "maxSurge": [number_or_percent, not_more_than_all],
    }
)


def _daemon_set_strategy(fld: FieldContext) -> Iterable[FieldError]:
    """How a DaemonSet gets from old pods to new ones."""
    rolling = fld.child("rollingUpdate")
    match fld.text("type"):
        case "OnDelete":
            return ()
        case "RollingUpdate":
            return _ROLLING_DAEMON_SET(rolling) if rolling.there else (rolling.required(),)
        case _:
            return (fld.unsupported(("RollingUpdate", "OnDelete")),)


def _had_bad_affinity(fld: FieldContext) -> bool:
    """Return whether the pods of a stored DaemonSet have an affinity with bad values, which then may stay elsewhere."""
    affinity = fld.nearest(".spec").before().at("template", "spec", "affinity")
    terms = (
        term
        for kind in ("podAffinity", "podAntiAffinity")
        for term in affinity.at(kind, "requiredDuringSchedulingIgnoredDuringExecution").items()
    )
    return any(has_bad_values(term.get("labelSelector")) for term in terms)


_DAEMON_SET: Final[Table] = {
    "spec": [struct, matches_template],
    "spec.selector": [nonempty_selector("daemonset"), unchangeable, selector_table(tolerant=_had_bad_affinity)],
    "spec.template": [struct, template_of("DaemonSet")],
    "spec.minReadySeconds": [at_least(0)],
    "spec.updateStrategy": [struct, _daemon_set_strategy],
    "spec.revisionHistoryLimit": [at_least(0)],
}

KINDS: Final[Group] = {("apps", "DaemonSet"): Rules(_DAEMON_SET)}
"""The rules of DaemonSets."""
