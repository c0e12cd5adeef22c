"""The API versions that a chart finds in the cluster besides the built-in ones (``.Capabilities.APIVersions``)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.run.sides.side import API_VERSIONS
from kubectl_applylint.units.model import Unit

ApiVersions: TypeAlias = Callable[[], Sequence[str]]
"""Returns API versions that a cluster serves."""
_ASKS: Final = b"APIVersions"
"""A part of the templates that ask which API versions the cluster has."""


def served_apis(unit: Unit, chart: Mapping[str, bytes], definitions: ApiVersions) -> Sequence[str]:
    """Return the API versions of the configuration and those of definitions, if the chart asks for any."""
    is_asked = any(_ASKS in text for text in chart.values())
    return sorted({*dict(unit.applied.options).get(API_VERSIONS, ()), *(definitions() if is_asked else ())})
