"""The admission plugins that refuse or change a write because of other objects, from namespaces to webhooks.

They go by what is known of these objects. Where nothing is known they have nothing to say, but for what is wrong with a
Namespace or a Pod by itself, and are not imported.
"""

from kubectl_applylint.core.state import UNSEEN, Surroundings
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.plugins.asked import CONTENT, Asked, Denial, Opinion


def defaulted(new: JsonObject, old: JsonObject | None, kind: Kind, around: Surroundings) -> JsonObject:
    """Return the object with what the limits of its namespace fill in."""
    if around is UNSEEN:
        return new
    from kubectl_applylint.server.plugins import limits  # noqa: PLC0415  see above

    return limits.defaulted(new, old, kind, around)


def refuse_early(asked: Asked, disabled: frozenset[str]) -> Denial | None:
    """Return why a write is refused before anybody looks whether the object is valid, ``None`` if it is not."""
    if asked.surroundings is UNSEEN and not (asked.creating and asked.is_a("", "Pod")):
        return None
    from kubectl_applylint.server.plugins import judging  # noqa: PLC0415  see above

    return judging.refuse_early(asked, disabled)


def judge(asked: Asked, disabled: frozenset[str]) -> Opinion:
    """Return what the plugins say that look at valid objects; those named in ``disabled`` do not run."""
    if asked.surroundings is UNSEEN and not asked.is_a("", "Namespace", "Pod"):
        return CONTENT
    from kubectl_applylint.server.plugins import judging  # noqa: PLC0415  see above

    return judging.judge(asked, disabled)
