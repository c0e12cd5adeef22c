"""Differences between the results of a client-side and the run's server-side apply."""

from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.paths import Path, fields
from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.lint.checks._owners import field_list
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject

_METADATA = fields("metadata")


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the first field outside the metadata in which the two differ. Facts: what (in words), flags.

    A conflict is such a field: client-side apply has none. Applies to a subresource are skipped, which ``kubectl diff``
    does not support.
    """
    if subject.flags.subresource:
        return
    outcome = subject.predict(Scenario.APPLY)
    other = predict(ApplyRequest(subject.manifest, subject.state, subject.schema))
    if outcome.conflicts and not other.refused:
        paths = [conflict.path for conflict in outcome.conflicts]
        yield Hit(paths[0], {"what": f"the conflict over {field_list(paths)}", "flags": str(subject.flags)})
    if outcome.refused or other.refused:
        return
    ours, theirs = _after(outcome), _after(other)
    paths = [path for path in (*ours, *theirs) if not equal(ours.get(path), theirs.get(path))]
    if paths:
        unique = list(dict.fromkeys(paths))
        yield Hit(unique[0], {"what": f"the result for {field_list(unique)}", "flags": str(subject.flags)})


def _after(outcome: Outcome) -> dict[Path, Json]:
    """Return the values that the apply changes, by path."""
    return {change.path: change.after for change in outcome.changes if change.path[:1] != _METADATA}
