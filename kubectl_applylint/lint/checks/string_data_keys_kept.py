"""Keys of ``stringData`` that left the manifest and stay in the Secret."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import last_applied, live_object
from kubectl_applylint.core.values import dig, mapping
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each key that the last apply wrote through ``stringData``, that the manifest does not have, and that stays.

    Facts: key.
    """
    applied = mapping(dig(live_object(last_applied(subject.state.live)), "stringData"))
    live = mapping(dig(live_object(subject.state.live), "data"))
    stored = mapping(dig(subject.predict(Scenario.APPLY).after, "data"))
    kept = {key for key, value in mapping(subject.manifest.get("stringData")).items() if value is not None}
    for key in sorted(
        applied.keys() & live.keys() & stored.keys() - kept - mapping(subject.manifest.get("data")).keys()
    ):
        yield Hit(fields("stringData", key), {"key": key})
