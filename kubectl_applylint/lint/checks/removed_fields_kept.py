"""Fields that left the manifest and that the live object has afterwards all the same."""

from collections.abc import Iterator

from kubectl_applylint.core.paths import Field, Path, get, leaves
from kubectl_applylint.core.server_fields import is_inside
from kubectl_applylint.core.state import last_applied, present
from kubectl_applylint.core.values import MISSING, Json, equal
from kubectl_applylint.lint.checks._lists import keyed, named
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each value that the last apply wrote, that the manifest lacks, and that the next apply leaves as it is.

    ``params["only"]`` names fields; those that only the server writes do not count. Keeps quiet where the apply is
    refused, where a new object would get the same value by default, and about kinds that nobody knows. Facts: value.
    """
    outcome, applied = subject.predict(Scenario.APPLY), present(last_applied(subject.state.live))
    if outcome.refused or subject.kind is None or applied is MISSING:
        return
    live = present(subject.state.live)
    for place, value in _differing(applied, subject.manifest):
        path = keyed(applied, subject.kind.root, place)
        if get(subject.manifest, path) is MISSING and named(path, params) and not is_inside(path):
            stays = all(equal(get(side, path), value) for side in (live, outcome.result))
            if stays and not equal(get(subject.predict(Scenario.FRESH).result, path), value):
                yield Hit(path, {"value": value})


def _differing(applied: Json, manifest: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield the leaves of what was applied, without those of fields in which the manifest says the same."""
    if isinstance(applied, dict) and applied and isinstance(manifest, dict):
        for key, value in applied.items():
            if not equal(value, manifest.get(key, MISSING)):
                yield from _differing(value, manifest.get(key, MISSING), (*path, Field(key)))
    else:
        yield from leaves(applied, path)
