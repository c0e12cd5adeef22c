"""The heading lines with the names of units."""

from collections.abc import Sequence
from typing import Final

from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.words import noun_count, paint, translate, wrap

_ARGOCD: Final = "argocd"
_MOST_UNITS: Final = 5
"""The number of units that are named in one heading."""


def summary_with_units(summary: str, report: Report, context: Context) -> str:
    """Return a summary line with the number of units, or the only unit's name and target."""
    named = [unit for unit in report.units if unit.namespace or unit.target]
    if len(report.units) > 1:
        whole = f"{noun_count(len(report.units), 'unit', context)}: {summary}"
    else:
        whole = f"{unit_line(named[0], context)}: {summary}" if named else summary
    return wrap(whole, context, indent="  ")


def units_line(units: Sequence[UnitReport], context: Context) -> str:
    """Return the heading of units, with their type once if all have the same."""
    shown = units if context.verbose or len(units) <= _MOST_UNITS + 1 else units[:_MOST_UNITS]
    clusters = tuple(dict.fromkeys(unit.cluster for unit in units if unit.cluster))
    clusters = clusters if len(clusters) > 1 else _named_clusters(units[0])
    if len({_unit_words(unit, context, clusters) for unit in units}) == 1:
        roots = ", ".join(dict.fromkeys(paint("place", one_line(unit.root), context) for unit in shown))
        names = f"{roots} ({_unit_words(units[0], context, clusters)})"
    else:
        names = ", ".join(unit_line(unit, context) for unit in shown)
    more = len(units) - len(shown)
    rest = translate(" and {fields} more", context, fields=noun_count(more, "unit", context)) if more else ""
    return wrap(f"{names}{rest}", context, indent="  ")


def page(summary: str, blocks: Sequence[str], tail: Sequence[str]) -> str:
    """Return the summary line, the blocks, and the last lines, separated by blank lines."""
    if not blocks:
        return "\n".join([summary, *tail]) + "\n"
    return "\n\n".join([summary, *blocks, *(["\n".join(tail)] if tail else [])]) + "\n"


def unit_line(unit: UnitReport, context: Context) -> str:
    """Return the heading of a unit: its root, its type, and who applies it where."""
    words = _unit_words(unit, context, _named_clusters(unit))
    return f"{paint('place', one_line(unit.root), context)} ({words})"


def _named_clusters(unit: UnitReport) -> tuple[str, ...]:
    """Return the cluster of an Application: its target often is the cluster of Argo CD, whichever that is."""
    return (unit.cluster,) if unit.cluster and unit.tool == _ARGOCD else ()


def _unit_words(unit: UnitReport, context: Context, clusters: Sequence[str]) -> str:
    parts = [
        translate(unit.form, context),
        *([translate("applied by {tool}", context, tool=unit.applied_by)] if unit.tool != "kubectl" else []),
        *([translate("namespace {name}", context, name=unit.namespace)] if unit.namespace else []),
        *([translate("target {name}", context, name=unit.target)] if unit.target else []),
        *([translate("declared in {names}", context, names=", ".join(clusters))] if clusters else []),
    ]
    return one_line(", ".join(parts))
