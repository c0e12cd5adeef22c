"""The intended changes of a rejected apply, for the checks about rejections."""

from collections.abc import Iterable, Sequence

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.outcome import Outcome, plain
from kubectl_applylint.core.paths import Path, get, parse
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, equal

_MAX_LENGTH = 80


def changed_below(outcome: Outcome, place: Path, but: Sequence[str]) -> tuple[Path, ...]:
    """Return the changed fields at or below a place, without those below the fields ``but``.

    If there are none, the server may use another name for the place: then its siblings count.
    """
    left_out = [parse(text) for text in but]
    changed = [change.path for change in outcome.changes if not equal(change.before, change.after)]
    counted = [path for path in changed if not any(path[: len(other)] == other for other in left_out)]
    return _paths_below(counted, place) or _paths_below(counted, place[:-1])


def _paths_below(paths: Iterable[Path], place: Path) -> tuple[Path, ...]:
    return tuple(path for path in paths if path[: len(place)] == place)


def value_at(value: Json, path: Path) -> str:
    """Return the value at a path as text: ``nothing`` if absent, long JSON shortened."""
    found = MISSING if value is None else get(value, path)
    if found is MISSING:
        return "nothing"
    if isinstance(found, Unknown):
        return f"an unknown value ({found.reason})"
    text = found if isinstance(found, str) and found else encode(plain(found))
    return text if len(text) <= _MAX_LENGTH else f"{text[: _MAX_LENGTH - 1]}…"
