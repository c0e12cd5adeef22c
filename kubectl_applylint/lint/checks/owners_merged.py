"""Objects whose oldest owners the server has merged into one."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.state import present
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.lint.model import Hit, Subject
from kubectl_applylint.merge.managed_fields import read

_MERGED: Final = "ancient-changes"
"""The name that the server gives them (apimachinery, ``capmanagers.go``)."""


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield the object once if more have written it than the server keeps apart. No facts."""
    if any(identity.name == _MERGED for identity in read(mapping(present(subject.state.live)))):
        yield Hit(())
