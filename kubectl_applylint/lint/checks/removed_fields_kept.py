"""Fields that left the manifest and stay in the live object."""

from collections.abc import Iterator

from kubectl_applylint.core.paths import Field, Path, get, leaves
from kubectl_applylint.core.server_fields import is_inside
from kubectl_applylint.core.state import last_applied, live_object
from kubectl_applylint.core.values import MISSING, Json, equal
from kubectl_applylint.lint.checks._lists import is_in_scope, with_merge_keys
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each value of the last apply that the manifest does not have and that the next apply leaves unchanged.

    ``params["only"]`` names fields; those that only the server writes do not count. Skipped if the apply is rejected,
    if a
    new object would get the same default, and if the kind is unknown. Facts: value.
    """
    for path, value in subject.once(_kept_values):
        if is_in_scope(path, params) and not equal(get(subject.predict(Scenario.FRESH).result, path), value):
            yield Hit(path, {"value": value})


def _kept_values(subject: Subject) -> tuple[tuple[Path, Json], ...]:
    """Return the values of the last apply that the manifest does not have and that the next apply leaves."""
    outcome, applied = subject.predict(Scenario.APPLY), live_object(last_applied(subject.state.live))
    if outcome.refused or subject.kind is None or applied is MISSING:
        return ()
    root, sides = subject.kind.root, (live_object(subject.state.live), outcome.result)
    values = ((with_merge_keys(applied, root, place), value) for place, value in _differing(applied, subject.manifest))
    return tuple(
        (path, value)
        for path, value in values
        if get(subject.manifest, path) is MISSING
        and not is_inside(path)
        and all(equal(get(side, path), value) for side in sides)
    )


def _differing(applied: Json, manifest: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield the leaves of an applied value, without fields that are equal in the manifest."""
    if isinstance(applied, dict) and applied and isinstance(manifest, dict):
        for key, value in applied.items():
            if not equal(value, manifest.get(key, MISSING)):
                yield from _differing(value, manifest.get(key, MISSING), (*path, Field(key)))
    else:
        yield from leaves(applied, path)
