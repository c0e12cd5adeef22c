"""Replicas that left the manifest without being handed over."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.model import Hit, Scenario, Subject
from kubectl_applylint.paths import fields
from kubectl_applylint.state import last_applied, present
from kubectl_applylint.values import MISSING, Json, dig

_PATH = ("spec", "replicas")


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield ``spec.replicas`` once if the apply deletes it, so that the object falls back to ``params["falls_to"]``.

    Keeps quiet where the apply is refused. Facts: before, after.
    """
    outcome = subject.foretell(Scenario.APPLY)
    before = dig(present(subject.state.live), *_PATH)
    applied = dig(present(last_applied(subject.state.live)), *_PATH)
    written = dig(subject.manifest, *_PATH)
    if outcome.refused or before is MISSING or applied in (MISSING, None) or written is not MISSING:
        return
    stored = dig(outcome.result, *_PATH)
    after = params["falls_to"] if stored is MISSING else stored
    if after != before:
        yield Hit(fields(*_PATH), {"before": before, "after": after})
