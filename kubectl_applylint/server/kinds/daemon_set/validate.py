"""Validation of DaemonSets.

Mirrors ``pkg/apis/apps/validation``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.spec import template_of


def _one_limit(fld: v.FieldContext) -> v.FieldErrors:
    """Require that exactly one of ``maxUnavailable`` and ``maxSurge`` is not zero."""
    unavailable, surge = v.size_of(fld.get("maxUnavailable")), v.size_of(fld.get("maxSurge"))
    if unavailable and surge:
        return (fld.child("maxSurge").invalid("may not be set when maxUnavailable is non-zero"),)
    if not unavailable and not surge:
        return (fld.child("maxUnavailable").required("cannot be 0 when maxSurge is 0"),)
    return ()


_ROLLING_DAEMON_SET: Final = v.inside(
    {
        "": [_one_limit],
        "maxUnavailable": [v.number_or_percent, v.not_more_than_all],
        "maxSurge": [v.number_or_percent, v.not_more_than_all],
    }
)


def _daemon_set_strategy(fld: v.FieldContext) -> v.FieldErrors:
    """Validate the update strategy."""
    rolling = fld.child("rollingUpdate")
    match fld.text("type"):
        case "OnDelete":
            return ()
        case "RollingUpdate":
            return _ROLLING_DAEMON_SET(rolling) if rolling.there else (rolling.required(),)
        case _:
            return (fld.not_supported(("RollingUpdate", "OnDelete")),)


def _had_bad_values(fld: v.FieldContext) -> bool:
    """Return whether the selector or an affinity of a stored DaemonSet is invalid, and so may stay."""
    if v.had_bad_selector(fld):
        return True
    affinity = fld.nearest(".spec").before().at("template", "spec", "affinity")
    terms = (
        term
        for kind in ("podAffinity", "podAntiAffinity")
        for term in affinity.at(kind, "requiredDuringSchedulingIgnoredDuringExecution").items()
    )
    return any(v.has_bad_values(term.get("labelSelector")) for term in terms)


_DAEMON_SET: Final[v.Table] = {
    "spec": [v.struct, v.matches_template],
    "spec.selector": [v.nonempty_selector("daemonset"), v.unchangeable, v.selector_table(tolerant=_had_bad_values)],
    "spec.template": [v.struct, template_of("DaemonSet")],
    "spec.minReadySeconds": [v.at_least(0)],
    "spec.updateStrategy": [v.struct, _daemon_set_strategy],
    "spec.revisionHistoryLimit": [v.at_least(0)],
}

KINDS: Final[v.Group] = {("apps", "DaemonSet"): v.Rules(_DAEMON_SET)}
"""The rules of DaemonSets."""
