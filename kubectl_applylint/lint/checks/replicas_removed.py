"""Replicas that left the manifest without being handed over."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import last_applied, present
from kubectl_applylint.core.values import MISSING, Json, dig
from kubectl_applylint.lint.model import Hit, Scenario, Subject

_PATH = ("spec", "replicas")


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield ``spec.replicas`` once if the apply deletes it and the server fills in another number.

    Keeps quiet where the apply is refused. Facts: before, after.
    """
    outcome = subject.foretell(Scenario.APPLY)
    before, after = dig(present(subject.state.live), *_PATH), dig(outcome.result, *_PATH)
    applied = dig(present(last_applied(subject.state.live)), *_PATH)
    left = applied not in (MISSING, None) and dig(subject.manifest, *_PATH) is MISSING
    if left and not outcome.refused and MISSING not in (before, after) and before != after:
        yield Hit(fields(*_PATH), {"before": before, "after": after})
