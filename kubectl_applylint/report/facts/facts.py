"""What a plan changes, in tables: images, chart versions, definitions, clusters, and the objects with noise only."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.facts.charts import ChartChange, ObjectOfUnit, chart_changes
from kubectl_applylint.report.facts.definition_changes import DefinitionChange, definition_changes
from kubectl_applylint.report.facts.images import ImageChange, image_changes
from kubectl_applylint.report.facts.sides import Sides, object_sides
from kubectl_applylint.report.objects.changes import has_noise_only, visible_changes
from kubectl_applylint.report.order import Apply, Impact, impact, impacts, units_worst_first
from kubectl_applylint.report.plan import object_name

_OWN_CLUSTER: Final = "in-cluster"
"""The target of Applications whose Argo CD runs in the cluster that they apply to."""


@dataclass(frozen=True, slots=True)
class ClusterChange:
    """A cluster with the number of its units that change, and of the objects by impact, the worst first."""

    name: str
    units: int
    objects: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a plan; ``noise`` has the objects with noise only, by kind, and ``clusters`` is empty for one."""

    images: tuple[ImageChange, ...] = ()
    charts: tuple[ChartChange, ...] = ()
    definitions: tuple[DefinitionChange, ...] = ()
    clusters: tuple[ClusterChange, ...] = ()
    noise: tuple[tuple[str, int], ...] = ()


NO_FACTS: Final = Facts()


def facts_of(report: Report) -> Facts:
    """Return the facts of the report of a plan."""
    objects = [*_objects(report)]
    changed = [one for one in objects if one.sides[0] is not one.sides[1]]
    noise = Counter(outcome.ref.kind for _, outcome in report.outcomes if is_noise(outcome))
    return Facts(
        images=image_changes((one.name, one.sides) for one in changed),
        charts=chart_changes(objects),
        definitions=definition_changes(one.sides for one in changed),
        clusters=tuple(_clusters(report)),
        noise=tuple(noise.most_common()),
    )


def is_noise(outcome: Outcome) -> bool:
    """Return whether only chart labels, checksums and CA bundles change in an object, and nothing restarts."""
    is_written = impact(outcome) in (Impact.CONFIGURED, Impact.SERVERSIDE_APPLIED)
    return is_written and has_noise_only(outcome, visible_changes(outcome))


def _objects(report: Report) -> Iterator[ObjectOfUnit]:
    """Yield the objects of a plan before and after the apply."""
    for unit, applies in units_worst_first(report):
        root = unit.root if unit else ""
        yield from (
            ObjectOfUnit(root, object_name(outcome), _sides(document, outcome)) for document, outcome in applies
        )


def _sides(document: Document, outcome: Outcome) -> Sides:
    """Return an object before and after the apply, which is one value if nothing of it changes."""
    if outcome.verdict in (Verdict.UNCHANGED, Verdict.KEPT):
        return outcome.result, outcome.result
    return object_sides(document, outcome)


def _clusters(report: Report) -> Iterator[ClusterChange]:
    """Yield the clusters in which something changes, if there are several; units of unknown clusters have no name."""
    groups: dict[str, list[list[Apply]]] = {}
    for unit, applies in units_worst_first(report):
        changed = [one for one in applies if impact(one[1]) is not Impact.UNCHANGED]
        if unit and changed:
            groups.setdefault(_cluster_name(unit), []).append(changed)
    for name, units in groups.items() if len(groups.keys() - {""}) > 1 else ():
        yield ClusterChange(name, len(units), _counts(outcome for applies in units for _, outcome in applies))


def _cluster_name(unit: UnitReport) -> str:
    """Return the cluster of a unit: its target, unless that only is the cluster of its own Argo CD."""
    return unit.cluster if unit.cluster and unit.target in ("", _OWN_CLUSTER) else unit.target


def _counts(outcomes: Iterable[Outcome]) -> tuple[tuple[str, int], ...]:
    return tuple((one.value, number) for one, number in impacts(outcomes))
