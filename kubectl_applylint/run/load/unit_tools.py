"""Chooses the program that applies a unit: Helm for charts, Flux and Argo CD by their objects, else kubectl or kapp."""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.appliers.flags import Flags, NamespaceUse
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.run.compare.live_source import DEFAULT_NAMESPACE
from kubectl_applylint.run.load.unit_program import unit_program
from kubectl_applylint.units.model import Form, Unit

_WITHOUT_TARGET_NAMESPACE: Final = (Form.CHART, Form.RELEASE, Form.RESOURCE_SET)
"""The forms of units of Flux whose objects keep their namespaces."""
_NAMED: Final = (Applier.HELM3, Applier.HELM4, Applier.HELM_CONTROLLER, Applier.KAPP)


def with_unit_applier(
    flags: Flags, unit: Unit, namespace: str = DEFAULT_NAMESPACE, earlier: Unit | None = None
) -> Flags:
    """Return the flags with the program that applies a unit; ``namespace`` is the default.

    ``earlier`` is the unit before a change. An object of another name is taken to have applied it in the same way.
    """
    applier = applier_of(flags, unit, namespace)
    if applier is None:
        return flags if flags.unit_applier is None else replace(flags, unit_applier=None)
    former = applier_of(flags, earlier, namespace) if earlier and _has_same_tool_object(earlier, unit) else None
    applier = replace(applier, earlier=former.unit) if former and former != applier else applier
    is_pruned = applier.applier is Applier.KAPP
    return replace(flags, unit_applier=applier, unit_prunes=flags.unit_prunes or is_pruned)


def _has_same_tool_object(earlier: Unit, later: Unit) -> bool:
    """Return whether the same object of the same tool applies a unit before and after a change."""
    was, now = earlier.applied, later.applied
    if was.tool != now.tool or was.tool_object is None or now.tool_object is None:
        return False
    return ref_of(was.tool_object).identity == ref_of(now.tool_object).identity


def namespace_use(unit: Unit) -> NamespaceUse:
    """Return how objects of a unit with another namespace than its own are treated.

    Skaffold passes the namespace to ``kubectl apply -n``. Flux has kustomize set the ``targetNamespace`` of a
    Kustomization; that of a HelmRelease is the default of the release.
    """
    if unit.form is not Form.CHART and unit.applied.tool in ("kubectl", "skaffold"):
        return NamespaceUse.REQUIRED
    is_kustomization = unit.applied.tool == "flux" and unit.form not in _WITHOUT_TARGET_NAMESPACE
    return NamespaceUse.REPLACED if is_kustomization else NamespaceUse.DEFAULT


def with_removal(flags: Flags, unit: Unit) -> Flags:
    """Return the flags with the program that deletes the objects of a unit when the tool's object is deleted."""
    by = applier_of(flags, unit)
    removed = unit_program(by.applier).removed(by.unit) if by else None
    return flags if by is None or removed is None else replace(flags, unit_applier=UnitApplier(by.applier, removed))


def applier_of(flags: Flags, unit: Unit, namespace: str = DEFAULT_NAMESPACE) -> UnitApplier | None:
    """Return the program other than kubectl that applies a unit, if it is asked for; else ``None``."""
    asked = flags.asked
    applier = (asked.applier or _own_program(unit)) if asked else None
    if asked is None or applier is None:
        return None
    found = unit_program(applier).unit_of(applier, asked, unit, flags.namespace or namespace)
    return None if found is None else UnitApplier(applier, found)


def _own_program(unit: Unit) -> Applier | None:
    """Return the program that applies a unit according to the repository, ``None`` for kubectl and unsupported tools.

    A chart does not determine the version of Helm: that of the configuration is used, else the newest.
    """
    tool = unit.applied.program or unit.applied.tool
    if tool in (Applier.FLUX, Applier.ARGOCD):
        return None if unit.applied.tool_object is None else Applier(tool)
    return {"helm": Applier.HELM4, **{str(each): each for each in _NAMED}}.get(tool)


def require_one_app(flags: Flags, units: Iterable[Unit]) -> None:
    """Raise ``UnreadableError`` if several units would be the requested app: each deploy deletes the others."""
    asked = flags.asked
    if asked is None or asked.applier is not Applier.KAPP or not asked.name:
        return
    named = [unit.shown for unit in units if applier_of(flags, unit)]
    if len(named) > 1:
        message = f"{len(named)} units cannot be the same app of kapp: {', '.join(named)}"
        raise UnreadableError(Problem(f"--app {asked.name}", message, "name the directory of the app alone"))
