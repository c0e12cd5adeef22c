"""ValidatingWebhookConfiguration and MutatingWebhookConfiguration.

Mirrors ``pkg/apis/admissionregistration/validation``.
"""

from collections.abc import Callable, Iterable
from typing import Final

from kubectl_applylint.core.values import Json, Missing
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.groups.admission_rules import REQUEST, RULE, distinct, match_conditions
from kubectl_applylint.server.validate.groups.webhook_clients import webhook_service, webhook_url

_NO_SIDE_EFFECTS: Final = ("None", "NoneOnDryRun")
_REVIEW_VERSIONS: Final = ("v1", "v1beta1")


def _stored_webhooks(fld: v.FieldContext) -> Iterable[v.FieldContext]:
    return fld.root.before().child("webhooks").items()


def _any_stored(is_bad: Callable[[v.FieldContext], bool]) -> Callable[[v.FieldContext], bool]:
    """Return the condition that one of the stored webhooks is invalid in some way, which makes it valid for all."""
    return lambda fld: any(map(is_bad, _stored_webhooks(fld)))


_had_bad_values: Final = _any_stored(
    lambda hook: v.has_bad_values(hook.get("namespaceSelector")) or v.has_bad_values(hook.get("objectSelector"))
)
_had_side_effects: Final = _any_stored(lambda hook: hook.text("sideEffects") not in _NO_SIDE_EFFECTS)
_had_foreign_versions: Final = _any_stored(
    lambda hook: hook.has("admissionReviewVersions") and not _has_known_version(hook.child("admissionReviewVersions"))
)


def _has_known_version(fld: v.FieldContext) -> bool:
    return any(item.text() in _REVIEW_VERSIONS for item in fld.items())


@v.always
def _review_versions(fld: v.FieldContext) -> v.FieldErrors:
    """Require a review version that the server knows."""
    seen: list[str] = []
    for item in fld.items():
        faults = ["duplicate version"] if item.text() in seen else v.dns_1035_label(item.text())
        yield from (item.invalid(fault) for fault in faults)
        seen.append(item.text())
    if fld.empty:
        yield fld.required(f"must specify one of {', '.join(_REVIEW_VERSIONS)}")
    elif not _has_known_version(fld) and not _had_foreign_versions(fld):
        yield fld.invalid(f"must include at least one of {', '.join(_REVIEW_VERSIONS)}")


def _had_duplicates(fld: v.FieldContext) -> bool:
    """Return whether stored webhooks have the same name."""
    names = [hook.text("name") for hook in _stored_webhooks(fld)]
    return len(names) > len(set(names))


def _client(fld: v.FieldContext) -> v.FieldErrors:
    """Require either a URL or a Service to reach a webhook; ``fld`` has them."""
    url, service = fld.child("url"), fld.child("service")
    if url.there == service.there:
        return (fld.required("exactly one of url or service is required"),)
    return webhook_url(url) if url.there else webhook_service(service)


_conditions: Final = v.inside({"webhooks[*].matchConditions": match_conditions(lambda fld: REQUEST)})


def _new_conditions(fld: v.FieldContext) -> v.FieldErrors:
    """Check the conditions if those of any webhook changed; ``fld`` is the object."""
    new, old = _match_conditions(fld.child("webhooks").items()), _match_conditions(_stored_webhooks(fld))
    return () if not fld.creating and v.same(new, old) else _conditions(fld)


def _match_conditions(hooks: Iterable[v.FieldContext]) -> list[Json | Missing]:
    return [hook.get("matchConditions") for hook in hooks]


_SELECTOR: Final = v.selector_table(tolerant=_had_bad_values)
_SIDE_EFFECTS: Final = ("None", "NoneOnDryRun", "Some", "Unknown")
_HOOK: Final[v.Table] = {
    "name": [v.required(), v.well_formed(v.long_name)],
    "rules[*]": RULE,
    "failurePolicy": [v.if_set(v.required_one_of("Fail", "Ignore"))],
    "matchPolicy": [v.if_set(v.required_one_of("Equivalent", "Exact"))],
    "sideEffects": [
        v.set_at_all(f"must specify one of {', '.join(_NO_SIDE_EFFECTS)}"),
        v.unless(_had_side_effects, v.if_set(v.required_one_of(*_NO_SIDE_EFFECTS))),
        v.if_set(v.required_one_of(*_SIDE_EFFECTS)),
    ],
    "timeoutSeconds": [v.between(1, 30, "the timeout value must be between 1 and 30 seconds")],
    "namespaceSelector": _SELECTOR,
    "objectSelector": _SELECTOR,
    "clientConfig": [v.struct, _client],
    "admissionReviewVersions": [_review_versions],
}
_CONFIGURATION: Final[v.Table] = {
    "": [_new_conditions],
    "webhooks": [v.unless(_had_duplicates, distinct("name"))],
    "webhooks[*]": _HOOK,
}
_MUTATING: Final[v.Table] = {
    "": [_CONFIGURATION],
    "webhooks[*].reinvocationPolicy": [v.if_set(v.required_one_of("IfNeeded", "Never"))],
}

KINDS: Final[v.Group] = {
    ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"): v.Rules(
        _CONFIGURATION, standard_finalizers=False
    ),
    ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"): v.Rules(_MUTATING, standard_finalizers=False),
}
