"""The API versions that a chart finds in the cluster besides the built-in ones (``.Capabilities.APIVersions``)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.regex import regex
from kubectl_applylint.run.sides.side import API_VERSIONS
from kubectl_applylint.schema.served import is_built_in
from kubectl_applylint.units.model import Unit

ApiVersions: TypeAlias = Callable[[], Sequence[str]]
"""Returns API versions that a cluster serves."""
_ASKS: Final = b"APIVersions"
"""A part of the templates that ask which API versions the cluster has."""
_ASKED: Final = regex(rb"""APIVersions\.Has[ \t]+\(?(?:printf[ \t]+)?["`]([\w.-]+)/""")
"""A question for an API version; its group."""


def served_apis(unit: Unit, chart: Mapping[str, bytes], definitions: ApiVersions) -> Sequence[str]:
    """Return the API versions of the configuration and those of definitions, if the chart asks for any."""
    is_asked = any(_ASKS in text for text in chart.values())
    return sorted({*dict(unit.applied.options).get(API_VERSIONS, ()), *(definitions() if is_asked else ())})


def api_remarks(unit: Unit, chart: Mapping[str, bytes], served: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the remark that a chart asks for API groups that the cluster may serve, and that are not known here."""
    asked = {group.decode() for text in chart.values() if _ASKS in text for group in _ASKED.findall(text)}
    known = {one.partition("/")[0] for one in served}
    # All other groups than those of Kubernetes have a dot.
    unknown = sorted(group for group in asked - known if "." in group and not is_built_in(f"{group}/"))
    words = f"its chart is rendered for a cluster without API groups that it asks for ({', '.join(unknown)})"
    advice = "name those that the cluster serves in api-versions of the configuration"
    return ((unit.applied.reason.file, f"{words}; {advice}"),) if unknown else ()
