"""Fields that others wrote, that the manifest does not have, and that the apply leaves in place."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.outcome import Why
from kubectl_applylint.core.paths import Path, get, parse
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.lint.model import Hit, Scenario, Subject


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield each outermost field below ``params["within"]`` that one of ``params["managers"]`` left there.

    Facts: managers.
    """
    within, seen = parse(params["within"]), set[Path]()
    for change in subject.foretell(Scenario.APPLY).changes:
        kept = change.cause.managers if change.cause.why is Why.KEPT else ()
        managers = [name for name in kept if name in params["managers"]]
        if not managers or change.path[: len(within)] != within:
            continue
        path = _outermost(change.path, subject.manifest)
        if path not in seen:
            seen.add(path)
            yield Hit(path, {"managers": ", ".join(managers)})


def _outermost(path: Path, manifest: Json) -> Path:
    lengths = (length for length in range(1, len(path)) if get(manifest, path[:length]) is MISSING)
    return path[: next(lengths, len(path))]
