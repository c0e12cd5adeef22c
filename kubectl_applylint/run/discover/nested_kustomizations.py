"""Kustomizations that are a unit in one revision only, and that another one includes in the other revision."""

from collections.abc import Sequence

from kubectl_applylint.core.records import replace
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.render.kustomization import kustomization_in, parts
from kubectl_applylint.units.model import Form, Unit


def nested_kustomization(unit: Unit, side: Side, units: Sequence[Unit]) -> Unit | None:
    """Return a kustomization as it is on the other side if another kustomization includes it there, else ``None``.

    Its objects exist on both sides, though on one side it is not the root of one of the ``units``. Those of a declared
    unit do only if a unit of the same cluster applies them there.
    """
    is_root = unit.form is not Form.KUSTOMIZATION or any(unit.root == one.root for one in units)
    if is_root or not kustomization_in(unit.root, side.folders):
        return None
    files = parts(unit.root, side.folders)
    appliers = (one.applied.cluster for one in units if files <= one.files)
    is_included = not unit.applied.declared_by or unit.applied.cluster in appliers
    return replace(unit, files=files) if is_included else None
