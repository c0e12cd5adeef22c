"""What kustomizations and charts make on one side of a comparison: each root is rendered once, several at a time."""

from collections.abc import Iterable
from contextvars import Context, copy_context
from dataclasses import replace
from functools import partial

from kubectl_applylint.run.sides import VERSION, Side
from kubectl_applylint.sources.manifests import Input
from kubectl_applylint.sources.processes import cores
from kubectl_applylint.sources.workers import ask_all
from kubectl_applylint.units.model import Form, Unit


def is_rendered(unit: Unit) -> bool:
    """Tell whether a program makes the objects of a unit of its files."""
    return unit.form in (Form.KUSTOMIZATION, Form.CHART)


def as_asked(units: Iterable[Unit], namespace: str, version: str) -> tuple[Unit, ...]:
    """Return units with what the caller says of all: charts are rendered for this namespace and this Kubernetes."""
    return tuple(_as_asked(unit, namespace, version) if unit.form is Form.CHART else unit for unit in units)


def _as_asked(unit: Unit, namespace: str, version: str) -> Unit:
    applied = replace(unit.applied, namespace=namespace or unit.applied.namespace)
    options = () if VERSION in dict(applied.options) or not version else ((VERSION, version),)
    return replace(unit, applied=replace(applied, options=(*applied.options, *options)))


def prepare(wanted: Iterable[tuple[Side, Unit | None]]) -> None:
    """Render the kustomizations and charts among some units, several at a time; each side keeps what they make.

    A program runs for each, so there is one more than there are cores: one is read while the others run.
    """
    jobs = [(side, unit) for side, unit in wanted if unit and is_rendered(unit)]
    ask_all(partial(_in_context, copy_context()), jobs, at_once=cores() + 1)


def _in_context(context: Context, job: tuple[Side, Unit]) -> None:
    """Render one unit with what the caller has allowed, which a thread does not know by itself."""
    context.copy().run(_render, *job)


def _render(side: Side, unit: Unit) -> None:
    if unit.form is Form.CHART or not side.elsewhere(unit.root):
        rendered(side, unit)


def rendered(side: Side, unit: Unit) -> Input:
    """Return the objects that a kustomization or a chart makes; nothing of a chart that cannot be rendered."""
    if unit.form is Form.KUSTOMIZATION:
        return side.render(unit.root)
    found = side.chart(unit)
    return Input() if isinstance(found, str) else found
