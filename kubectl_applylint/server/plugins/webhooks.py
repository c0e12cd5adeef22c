"""What admission webhooks may do to a write: nobody but they can tell, so each that is asked leaves something open.

Mirrors which webhooks apiserver's ``plugin/webhook`` asks; the conditions that they have beside their rules are left
out, since a webhook that is not asked after all does no harm here.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.server.plugins.asked import CONTENT, Asked, Opinion
from kubectl_applylint.server.plugins.matching import matches

_GROUP: Final = "admissionregistration.k8s.io"
MUTATING: Final = "MutatingWebhookConfiguration"
VALIDATING: Final = "ValidatingWebhookConfiguration"
_DOUBTS: Final = {
    MUTATING: "what the webhook {name} of {kind} {holder} changes is not known",
    VALIDATING: "whether the webhook {name} of {kind} {holder} refuses it is not known",
}


def mutate(asked: Asked) -> Opinion:
    """Return which webhooks may change the object."""
    return _opinion(asked, MUTATING)


def judge(asked: Asked) -> Opinion:
    """Return which webhooks may refuse the write."""
    return _opinion(asked, VALIDATING)


def _opinion(asked: Asked, kind: str) -> Opinion:
    if asked.is_a(_GROUP, *_DOUBTS):
        return CONTENT  # Servers ask no webhook about webhooks.
    return Opinion(open=tuple(dict.fromkeys(_doubts(asked, kind))))


def _doubts(asked: Asked, kind: str) -> Iterator[str]:
    for holder in asked.surroundings.known(_GROUP, kind):
        for webhook in holder.get("webhooks") or []:
            if matches(asked, _criteria(webhook)) is not False:
                names = {"name": webhook.get("name"), "holder": dig(holder, "metadata", "name")}
                yield _DOUBTS[kind].format(kind=kind, **names)


def _criteria(webhook: JsonObject) -> JsonObject:
    """Return the rules of a webhook in the shape of those of a policy; one without rules is never asked."""
    rules = webhook.get("rules") or [{}]
    return {**mapping(webhook), "resourceRules": rules}
