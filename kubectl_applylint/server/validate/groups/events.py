"""Event, in the core group and in events.k8s.io, where the server's messages spell most fields differently.

Mirrors ``pkg/apis/core/validation/events.go``.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.server.validate import dsl as v

_LIMITS: Final = {"reportingInstance": 128, "action": 128, "reason": 128, "note": 1024}
_OWN_NAMESPACES: Final = ("default", "kube-system")


def _legacy(*, subject: str, controller: str, note: str) -> v.Constraint:
    """Return the constraints of events of any version; the parameters are the fields' names."""

    def check(fld: v.FieldContext) -> v.FieldErrors:
        namespace, meant = fld.text("metadata", "namespace"), fld.text(subject, "namespace")
        timed = fld.has("eventTime")
        anywhere = not meant and (namespace in _OWN_NAMESPACES if timed else namespace in ("", "default"))
        if not anywhere and (not meant or (not timed and namespace != meant)):
            yield fld.at("involvedObject", "namespace").invalid("does not match event.namespace", meant)
        if timed:
            yield from _reporter(fld, controller, note)
        yield from (fld.child("namespace").invalid(fault, namespace) for fault in v.dns_subdomain(namespace))

    return check


def _reporter(fld: v.FieldContext, controller: str, note: str) -> v.FieldErrors:
    """Require a reporter, an action and a reason of limited length in an event with a time."""
    place = fld.child(controller)
    for name in (controller, "reportingInstance", "action", "reason"):
        yield from () if fld.text(name) else (fld.child(name).required(),)
    yield from (place.invalid(fault, place.text()) for fault in v.qualified_name(place.text()))
    for name, limit in _LIMITS.items():
        text = fld.text(note if name == "note" else name)
        if len(text.encode()) > limit:
            said = fld.child("message" if name == "note" else name)
            yield said.invalid(f"can have at most {limit} characters", "")


def _must_be_unset(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid a value other than zero."""
    return () if fld.empty or fld.value == 0 else (fld.invalid("needs to be unset", ""),)


def _series(fld: v.FieldContext) -> v.FieldErrors:
    if not fld.creating and v.same(fld.value, fld.old):
        return
    if fld.number("count") < 2:
        yield fld.child("count").invalid("should be at least 2", "")
    if not fld.has("lastObservedTime"):
        yield fld.child("lastObservedTime").required()


def _type(fld: v.FieldContext) -> v.FieldErrors:
    known = fld.text() in ("Normal", "Warning")
    return () if known else (fld.invalid(f"has invalid value: {fld.text()}", ""),)


_MISSPELLED: Final[Mapping[str, str]] = {
    "regarding": "involvedObject",
    "note": "message",
    "deprecatedSource": "source",
    "deprecatedFirstTimestamp": "firstTimestamp",
    "deprecatedLastTimestamp": "lastTimestamp",
    "deprecatedCount": "count",
}
"""The fields of events.k8s.io/v1 and the server's spelling of them."""
_KEPT: Final = ("reason", "type", "eventTime", "action", "related", "reportingController", "reportingInstance")
_EVENT: Final[v.Table] = {
    "": [
        _legacy(subject="regarding", controller="reportingController", note="note"),
        {name: [v.on_update(v.unchangeable)] for name in _KEPT},
        {name: [v.StepSpelling(f".{said}"), v.on_update(v.unchangeable)] for name, said in _MISSPELLED.items()},
    ],
    "eventTime": [v.on_create(v.set_at_all())],
    "type": [v.on_create(v.always(_type))],
    "series": [_series],
    "deprecatedSource": [v.on_create(_must_be_unset)],
    "deprecatedFirstTimestamp": [v.on_create(_must_be_unset)],
    "deprecatedLastTimestamp": [v.on_create(_must_be_unset)],
    "deprecatedCount": [v.on_create(_must_be_unset)],
}

KINDS: Final[v.Group] = {
    ("", "Event"): v.Rules(
        {"": [_legacy(subject="involvedObject", controller="reportingComponent", note="message")]}, name=v.path_segment
    ),
    ("events.k8s.io", "Event"): v.Rules(_EVENT),
}
