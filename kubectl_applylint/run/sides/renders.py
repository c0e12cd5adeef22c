"""Renders the kustomizations and charts of one side of a comparison: each root once, several at a time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import Context, copy_context
from functools import partial
from itertools import count
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Identity, ObjectRef
from kubectl_applylint.core.values import Json, JsonObject, equal
from kubectl_applylint.run.progress import report_unit
from kubectl_applylint.run.sides.side import API_VERSIONS, VERSION, Side
from kubectl_applylint.sources.render.kustomize_fields import names_charts
from kubectl_applylint.sources.render.managed_by_label import with_any_version
from kubectl_applylint.sources.system.processes import cores
from kubectl_applylint.sources.system.subprocesses import end_all
from kubectl_applylint.sources.system.workers import ask_all
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.encrypted import with_unknown_values
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.model import Form, Unit

_UNRESTRICTED: Final = "LoadRestrictionsNone"
"""The setting of Argo CD with which kustomize loads files outside of a kustomization."""
_HELM_OPTION: Final = "--enable-helm"
"""The setting of Argo CD with which kustomize renders charts."""
_GENERATORS: Final = b"generators"
_OTHERS: Final = 3
"""The number of other renderings to compare a value with: the same side once more, and the earlier one twice."""
_MOST_NAMES: Final = 3
"""The number of objects that a remark names."""


def is_rendered(unit: Unit) -> bool:
    """Return whether the objects of a unit are rendered by a program."""
    return unit.form in (Form.KUSTOMIZATION, Form.CHART, Form.RELEASE, Form.RESOURCE_SET)


def without_random_values(
    found: tuple[Side, Side], pair: tuple[Unit | None, Unit | None], was: Input, now: Input
) -> Input:
    """Return the later objects of a unit, with the earlier values in place of random ones of its charts.

    They are detected by a second rendering of both sides: passwords, certificates, and checksums of them. A remark
    names the objects that have such values.
    """
    (before, after), (earlier, later) = found, pair
    if not (earlier and later and was.is_random and now.is_random) or earlier.form is not later.form:
        return now
    objects = _by_identity(was)
    if all(equal(one.object, objects.get(one.ref.identity, one.object)) for one in now.documents):
        return now
    again = (after.render_again(later), before.render_again(earlier))
    now_again, was_again = (_by_identity(with_unknown_values(one)) for one in again)
    others = (now_again, objects, was_again)
    documents = tuple(_without_random(one, others) for one in now.documents)
    random = [old.ref for old, new in zip(now.documents, documents, strict=True) if not equal(old.object, new.object)]
    remarks = [(now.documents[0].file, _random_remark(later, random))] if random else []
    return replace(now, documents=documents, remarks=(*now.remarks, *remarks))


def _by_identity(found: Input) -> Mapping[Identity, JsonObject]:
    return {one.ref.identity: one.object for one in found.documents}


def _random_remark(unit: Unit, refs: Sequence[ObjectRef]) -> str:
    names = ", ".join(map(str, refs[:_MOST_NAMES])) + ", …" * (len(refs) > _MOST_NAMES)
    return (
        f"{unit.shown}: its chart makes values at random, which differ each time it is rendered ({names}). They are "
        "compared as if they stayed; an upgrade replaces those that the chart does not look up in the cluster"
    )


def _without_random(document: Document, others: Iterable[Mapping[Identity, JsonObject]]) -> Document:
    same = [each[document.ref.identity] for each in others if document.ref.identity in each]
    return replace(document, object=steady(document.object, *same)) if len(same) == _OTHERS else document


def steady(now: Json, again: Json, was: Json, was_again: Json) -> Json:
    """Return a rendered value with those parts of the earlier one that differ whenever either is rendered again."""
    if equal(now, was_again) or equal(was, again):
        # If one side is random, so is the other: the time of day has changed between two renderings.
        return was
    if equal(now, again):
        return now
    match now, again, was, was_again:
        case dict(), dict(), dict(), dict():
            others = (again, was, was_again)
            return {
                key: steady(value, *(one[key] for one in others)) if all(key in one for one in others) else value
                for key, value in now.items()
            }
        case list(), list(), list(), list() if len(now) == len(again) == len(was) == len(was_again):
            return [steady(*values) for values in zip(now, again, was, was_again, strict=True)]
        case _:
            return now if equal(was, was_again) else was


def chart_change(was: Unit | None, now: Unit | None) -> str:
    """Return the charts of a release before and after a change, empty for other units and for the same chart."""
    if not (now and now.form is Form.RELEASE):
        return ""
    from kubectl_applylint.run.sides.release_builds import chart_change as change  # noqa: PLC0415  40 ms, see sides.py

    return change(was, now)


def with_render_options(
    units: Iterable[Unit], namespace: str, version: str, api_versions: Sequence[str] = ()
) -> tuple[Unit, ...]:
    """Return units with the options for all: the namespace, the Kubernetes version and APIs to render charts for."""
    added = partial(_with_render_options, namespace=namespace, version=version, api_versions=api_versions)
    return tuple(added(unit) if unit.form in (Form.CHART, Form.RELEASE) else unit for unit in units)


def _with_render_options(unit: Unit, *, namespace: str, version: str, api_versions: Sequence[str]) -> Unit:
    applied = replace(unit.applied, namespace=namespace or unit.applied.namespace)
    options = () if VERSION in dict(applied.options) or not version else ((VERSION, version),)
    served = ((API_VERSIONS, tuple(api_versions)),) if api_versions else ()
    return replace(unit, applied=replace(applied, options=(*applied.options, *options, *served)))


def prepare(wanted: Iterable[tuple[Side, Unit | None]]) -> None:
    """Render the kustomizations and charts among some units, several at a time; each side caches the results.

    The number of programs at a time is one more than the cores, as one result is parsed while others are rendered.
    """
    jobs = [(side, unit) for side, unit in wanted if unit and is_rendered(unit)]
    done = count(1)

    def render(side: Side, unit: Unit) -> None:
        render_unit(side, unit)
        report_unit("rendered unit", next(done), len(jobs), unit.shown)

    ask_all(partial(_in_context, copy_context(), render), jobs, at_once=cores() + 1, end=end_all)


def _in_context(context: Context, render: Callable[[Side, Unit], None], job: tuple[Side, Unit]) -> None:
    """Render one unit in the caller's context variables, which a thread does not inherit."""
    context.copy().run(render, *job)


def render_unit(side: Side, unit: Unit) -> Input:
    """Return the objects of a kustomization or a chart; a failure to render is a problem."""
    found = _render(side, unit)
    if unit.applied.declared_by is None:
        return found
    # The kustomize of the tool that applies the unit is another one.
    return replace(found, documents=tuple(map(with_any_version, found.documents)))


def _render(side: Side, unit: Unit) -> Input:
    if not unit.applied.applies_objects:
        return Input()
    match unit.form:
        case Form.RELEASE | Form.RESOURCE_SET:
            return side.releases(unit)
        case Form.CHART:
            return with_unknown_values(side.chart(unit))
    settings = unit.applied.installation.settings
    if _UNRESTRICTED in settings or (
        settings and _HELM_OPTION not in settings and has_kustomize_charts(side, unit.files)
    ):
        return side.releases(unit)
    is_built = unit.applied.declared_by is not None and unit.applied.tool == "flux"
    return with_unknown_values(side.builds(unit) if is_built else side.render(unit.root))


def has_kustomize_charts(side: Side, paths: Iterable[str]) -> bool:
    """Return whether a kustomization among those files that a side has renders charts, by itself or by generators."""
    files = side.paths & frozenset(paths)
    own = side.contents([*filter(is_kustomization, files)]).values()
    if any(map(names_charts, own)):
        return True
    return any(_GENERATORS in text for text in own) and any(map(names_charts, side.contents(files).values()))
