"""All admission plugins that refuse a write because of other objects, in the order in which servers ask them."""

from collections.abc import Callable
from typing import Final

from kubectl_applylint.server.plugins import (
    accounts,
    limits,
    namespaces,
    pod_security,
    policies,
    priorities,
    quotas,
    runtime_classes,
    webhooks,
)
from kubectl_applylint.server.plugins.asked import CONTENT, Asked, Denial, Opinion, combined

_TEMPLATED = ("", "apps", "batch")


def refuse_early(asked: Asked, disabled: frozenset[str]) -> Denial | None:
    """Return why a write is refused before anybody looks whether the object is valid, ``None`` if it is not."""
    denials = (refuse(asked) for plugin, refuse in _EARLY if plugin not in disabled)
    return next((denial for denial in denials if denial is not None), None)


def judge(asked: Asked, disabled: frozenset[str]) -> Opinion:
    """Return what the plugins say that look at valid objects; those named in ``disabled`` do not run."""
    if "PodSecurity" not in disabled and asked.is_a("", "Namespace"):
        return pod_security.of_namespace(asked)
    judges = (judge for plugin, judge in _JUDGES if plugin not in disabled)
    return combined(judge(asked) for judge in judges)


def _of_pods(asked: Asked) -> Opinion:
    return pod_security.of_pods(asked) if asked.group in _TEMPLATED else CONTENT


_EARLY: Final[tuple[tuple[str, Callable[[Asked], Denial | None]], ...]] = (
    ("NamespaceLifecycle", namespaces.refuse),
    ("ServiceAccount", accounts.refuse),
    ("Priority", priorities.refuse),
    ("RuntimeClass", runtime_classes.refuse),
)
_JUDGES: Final[tuple[tuple[str, Callable[[Asked], Opinion]], ...]] = (
    ("LimitRanger", limits.judge),
    ("MutatingAdmissionWebhook", webhooks.mutate),
    ("PodSecurity", _of_pods),
    ("RuntimeClass", runtime_classes.judge),
    ("ValidatingAdmissionPolicy", policies.judge),
    ("ValidatingAdmissionWebhook", webhooks.judge),
    ("ResourceQuota", quotas.judge),
)
"""Plugins in the order in which servers ask them."""
