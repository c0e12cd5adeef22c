"""The facts of a plan as JSON in its report, and their parser, which trusts nothing: anyone may have changed it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

from kubectl_applylint.core.values import Json, items
from kubectl_applylint.report.facts.charts import ChartChange
from kubectl_applylint.report.facts.definition_changes import DefinitionChange
from kubectl_applylint.report.facts.facts import ClusterChange, Facts
from kubectl_applylint.report.facts.images import ImageChange

_Fact = TypeVar("_Fact")
_MOST_OBJECTS: Final = 10**9


class FactsFormatError(Exception):
    """A JSON value has no valid facts; the text describes the error."""


def facts_json(facts: Facts) -> dict[str, Json]:
    """Return the fields of a report with its facts, as ``schemas/json-v1.json`` describes them."""
    return {
        "images": [{"before": one.before, "after": one.after, "objects": [*one.objects]} for one in facts.images],
        "charts": [
            {
                "name": one.name,
                "before": one.before,
                "after": one.after,
                "appBefore": one.app_before,
                "appAfter": one.app_after,
                "releases": [*one.releases],
            }
            for one in facts.charts
        ],
        "definitions": [
            {
                "name": one.name,
                "versionsAdded": [*one.versions_added],
                "versionsRemoved": [*one.versions_removed],
                "fieldsAdded": [*one.fields_added],
                "fieldsRemoved": [*one.fields_removed],
            }
            for one in facts.definitions
        ],
        "clusters": [
            {"name": one.name, "units": one.units, "objects": _counts_json("impact", one.objects)}
            for one in facts.clusters
        ],
        "noise": _counts_json("kind", facts.noise),
    }


def _counts_json(name: str, counts: Sequence[tuple[str, int]]) -> Json:
    return [{name: word, "objects": number} for word, number in counts]


def read_facts(report: Json) -> Facts:
    """Return the facts in a report, none if it has none; raise ``FactsFormatError`` for invalid ones."""
    return Facts(
        images=_every(report, "images", _image),
        charts=_every(report, "charts", _chart),
        definitions=_every(report, "definitions", _definition),
        clusters=_every(report, "clusters", _cluster),
        noise=_every(report, "noise", partial(_count, "kind")),
    )


def _every(report: Json, name: str, read: Callable[[Json], _Fact | None]) -> tuple[_Fact, ...]:
    found = [read(one) for one in items(report.get(name, []))]
    if any(one is None for one in found):
        raise FactsFormatError(f"the report has an invalid entry of {name}")
    return tuple(one for one in found if one is not None)


def _image(value: Json) -> ImageChange | None:
    match value:
        case {"before": str(before), "after": str(after), "objects": [str(), *_] as objects}:
            return ImageChange(before, after, _texts(objects))
    return None


def _chart(value: Json) -> ChartChange | None:
    match value:
        case {
            "name": str(name),
            "before": str(before),
            "after": str(after),
            "appBefore": str(app_before),
            "appAfter": str(app_after),
            "releases": [str(), *_] as releases,
        }:
            return ChartChange(name, before, after, app_before, app_after, _texts(releases))
    return None


def _definition(value: Json) -> DefinitionChange | None:
    match value:
        case {
            "name": str(name),
            "versionsAdded": list(versions_added),
            "versionsRemoved": list(versions_removed),
            "fieldsAdded": list(fields_added),
            "fieldsRemoved": list(fields_removed),
        }:
            return DefinitionChange(
                name, *map(_texts, (versions_added, versions_removed, fields_added, fields_removed))
            )
    return None


def _cluster(value: Json) -> ClusterChange | None:
    match value:
        case {"name": str(name), "units": int(units), "objects": list()} if 0 <= units <= _MOST_OBJECTS:
            return ClusterChange(name, units, _every(value, "objects", partial(_count, "impact")))
    return None


def _count(name: str, value: Json) -> tuple[str, int] | None:
    match value:
        case {"objects": int(number)} if 0 <= number <= _MOST_OBJECTS and isinstance(value.get(name), str):
            return value[name], number
    return None


def _texts(values: Sequence[Json]) -> tuple[str, ...]:
    if not all(isinstance(value, str) for value in values):
        raise FactsFormatError("the report has a name that is not a string")
    return tuple(values)
