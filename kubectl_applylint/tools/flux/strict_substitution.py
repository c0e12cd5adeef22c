"""Whether a Flux of some version fails at variables without a value.

The feature gate ``StrictPostBuildSubstitutions`` of kustomize-controller is on by default since 1.9, the version in
Flux 2.9. Earlier versions insert nothing.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.version_ranges import Version, is_exact, parse_range, parse_version

IMAGE: Final = regex(rb"[/\"' ]kustomize-controller:(v?[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.+-]*)")
"""Matches the image of the controller in a manifest."""
GATE: Final = regex(rb"StrictPostBuildSubstitutions=(true|false)\b")
"""Matches the feature gate in the arguments of the controller, also in a patch."""
CONTROLLER: Final = "kustomize-controller"
FEATURE: Final = "StrictPostBuildSubstitutions"
_STRICT_CONTROLLER: Final = Version((1, 9, 0))
_STRICT_FLUX: Final = Version((2, 9, 0))
_LATER: Final = (_STRICT_FLUX, *(Version((2, minor, 99)) for minor in range(9, 40)), Version((3, 0, 0)))
"""Versions that stand for all since Flux 2.9 when a range is examined."""


def is_strict_controller(text: bytes) -> bool | None:
    """Return whether the controller in a manifest is strict by default, ``None`` if the text names no version."""
    found = [version for one in IMAGE.findall(text) if (version := parse_version(one.decode()))]
    return max(found) >= _STRICT_CONTROLLER if found else None


def is_strict_distribution(wanted: str) -> bool | None:
    """Return whether the Flux of a FluxInstance may be strict by default; ``None`` if no version is wanted."""
    exact, versions = parse_version(wanted) if is_exact(wanted) else None, parse_range(wanted)
    if exact or not versions:
        return exact >= _STRICT_FLUX if exact else None
    return any(map(versions.allows, _LATER))


def gates_in(texts: Iterable[bytes]) -> Iterator[bool]:
    """Yield the values of the feature gate in manifests."""
    for text in texts:
        yield from (value == b"true" for value in GATE.findall(text))
