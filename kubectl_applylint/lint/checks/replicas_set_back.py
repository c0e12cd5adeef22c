"""Replicas that somebody changed since the last apply, and that the next one sets back."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import last_applied, present
from kubectl_applylint.core.values import MISSING, Json, dig
from kubectl_applylint.lint.model import Hit, Scenario, Subject

_PATH = ("spec", "replicas")


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield ``spec.replicas`` once if the manifest says what the last apply said, and live another number.

    Keeps quiet where the apply is refused. Facts: before, after.
    """
    if subject.foretell(Scenario.APPLY).refused:
        return
    live = present(subject.state.live)
    before, after = dig(live, *_PATH), dig(subject.manifest, *_PATH)
    applied = dig(present(last_applied(subject.state.live)), *_PATH)
    if MISSING not in (before, after) and after is not None and after == applied and after != before:
        yield Hit(fields(*_PATH), {"before": before, "after": after})
