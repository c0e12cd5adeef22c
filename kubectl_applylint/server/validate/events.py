"""Event, in the core group and in events.k8s.io, which spells most fields in another way than the server's messages.

Mirrors ``pkg/apis/core/validation/events.go``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.constraints import on_create, on_update, same, unchangeable
from kubectl_applylint.server.validate.field_context import Constraint, FieldContext, Spelled, Table, always
from kubectl_applylint.server.validate.formats import dns_subdomain, path_segment, qualified_name
from kubectl_applylint.server.validate.rules import Group, Rules

_LIMITS: Final = {"reportingInstance": 128, "action": 128, "reason": 128, "note": 1024}
_OWN_NAMESPACES: Final = ("default", "kube-system")


def _legacy(*, subject: str, controller: str, note: str) -> Constraint:
    """What holds for events of any version; ``subject``, ``controller`` and ``note`` are the fields' names."""

    def check(fld: FieldContext) -> Iterator[FieldError]:
        namespace, meant = fld.text("metadata", "namespace"), fld.text(subject, "namespace")
        timed = fld.has("eventTime")
        anywhere = not meant and (namespace in _OWN_NAMESPACES if timed else namespace in ("", "default"))
        if not anywhere and (not meant or (not timed and namespace != meant)):
            yield fld.at("involvedObject", "namespace").invalid("does not match event.namespace", meant)
        if timed:
            yield from _reported(fld, controller, note)
        yield from (fld.child("namespace").invalid(fault, namespace) for fault in dns_subdomain(namespace))

    return check


def _reported(fld: FieldContext, controller: str, note: str) -> Iterator[FieldError]:
    """An event with a time says who reports what, not at too great a length."""
    place = fld.child(controller)
    for name in (controller, "reportingInstance", "action", "reason"):
        yield from () if fld.text(name) else (fld.child(name).required(),)
    yield from (place.invalid(fault, place.text()) for fault in qualified_name(place.text()))
    for name, limit in _LIMITS.items():
        text = fld.text(note if name == "note" else name)
        if len(text.encode()) > limit:
            said = fld.child("message" if name == "note" else name)
            yield said.invalid(f"can have at most {limit} characters", "")


@always
def _set(fld: FieldContext) -> Iterable[FieldError]:
    return () if fld.there else (fld.required(),)


def _unset(fld: FieldContext) -> Iterable[FieldError]:
    return () if fld.empty or fld.value == 0 else (fld.invalid("needs to be unset", ""),)


def _series(fld: FieldContext) -> Iterator[FieldError]:
    if not fld.creating and same(fld.value, fld.old):
        return
    if fld.number("count") < 2:
        yield fld.child("count").invalid("should be at least 2", "")
    if not fld.has("lastObservedTime"):
        yield fld.child("lastObservedTime").required()


def _type(fld: FieldContext) -> Iterable[FieldError]:
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
"""The fields of events.k8s.io/v1 and how the server spells them."""
_KEPT: Final = ("reason", "type", "eventTime", "action", "related", "reportingController", "reportingInstance")
_EVENT: Final[Table] = {
    "": [
        _legacy(subject="regarding", controller="reportingController", note="note"),
        {name: [on_update(unchangeable)] for name in _KEPT},
        {name: [Spelled(f".{said}"), on_update(unchangeable)] for name, said in _MISSPELLED.items()},
    ],
    "eventTime": [on_create(_set)],
    "type": [on_create(always(_type))],
    "series": [_series],
    "deprecatedSource": [on_create(_unset)],
    "deprecatedFirstTimestamp": [on_create(_unset)],
    "deprecatedLastTimestamp": [on_create(_unset)],
    "deprecatedCount": [on_create(_unset)],
}

KINDS: Final[Group] = {
    ("", "Event"): Rules(
        {"": [_legacy(subject="involvedObject", controller="reportingComponent", note="message")]}, name=path_segment
    ),
    ("events.k8s.io", "Event"): Rules(_EVENT),
}
