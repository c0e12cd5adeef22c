"""The tag of a container image, as the API server reads it to choose a pull policy."""

from functools import lru_cache
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Unknown

_LONGEST_PATH: Final = 255
_COMPONENT: Final = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_LABEL: Final = r"(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])"
_REFERENCE: Final = regex(
    rf"(?:(?:{_LABEL}(?:\.{_LABEL})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?/)?"
    rf"(?P<path>{_COMPONENT}(?:/{_COMPONENT})*)"
    r"(?::(?P<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?"
    r"(?:@(?P<algorithm>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*):(?P<digest>[0-9a-fA-F]{32,}))?"
)
_IDENTIFIER: Final = regex("[a-f0-9]{64}")
_DIGEST: Final = regex("[a-f0-9]+")
_DIGEST_LENGTHS: Final = {"sha256": 64, "sha384": 96, "sha512": 128}


@lru_cache(maxsize=1024)
def pull_policy(image: str | Unknown) -> str | Unknown:
    """Return the default pull policy of an image: ``Always`` for the tag ``latest``, written or implied.

    An image with a digest and no tag, and an invalid reference, count as not ``latest``.
    """
    if isinstance(image, Unknown):
        return Unknown("it depends on the tag of the image")
    return "Always" if _tag(image) == "latest" else "IfNotPresent"


def with_tag(image: str) -> str:
    """Return an image with the tag ``latest`` if it has neither tag nor digest."""
    is_short = _tag(image) == "latest" and "@" not in image and not image.endswith(":latest")
    return f"{image}:latest" if is_short else image


def _tag(image: str) -> str:
    """Return the tag, ``latest`` if neither tag nor digest is written, empty for an invalid reference."""
    if _IDENTIFIER.fullmatch(image):
        return ""
    domain, remainder = _split_domain(image)
    match = _REFERENCE.fullmatch(f"{domain}/{remainder}")
    if match is None or len(match["path"]) > _LONGEST_PATH or not _is_digest(match["algorithm"], match["digest"]):
        return ""
    return match["tag"] or ("" if match["digest"] else "latest")


def _split_domain(image: str) -> tuple[str, str]:
    """Return the registry and the rest; without a registry the image is one of Docker Hub."""
    first, slash, rest = image.partition("/")
    if not slash:
        return "docker.io", f"library/{image}"
    if first == "localhost" or "." in first or ":" in first or first.lower() != first:
        return first, rest
    return "docker.io", image


def _is_digest(algorithm: str | None, digest: str | None) -> bool:
    if algorithm is None or digest is None:
        return True
    return _DIGEST_LENGTHS.get(algorithm) == len(digest) and _DIGEST.fullmatch(digest) is not None
