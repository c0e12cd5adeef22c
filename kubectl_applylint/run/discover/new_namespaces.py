"""Units of Argo CD in namespaces that nothing of the repository had made before a change."""

from collections.abc import Callable
from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import text_at
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL
from kubectl_applylint.tools.argocd.made_namespace import made_namespace
from kubectl_applylint.units.model import Unit

_PRESENT: Final = ("default", "kube-node-lease", "kube-public", "kube-system")
"""The namespaces of each cluster."""


def namespace_finder(found: Revisions) -> Callable[[Unit], Unit]:
    """Return a function that returns a unit, with the mark that its sync makes its namespace.

    Of several new Applications in one new namespace, the first makes it.
    """
    before = [unit.applied for unit in found.units[0] if unit.applied.tool == ARGO_TOOL]
    known = {(one.target, one.namespace) for one in before}
    objects = NamedObjects(found.after)

    def with_namespace(unit: Unit) -> Unit:
        applied, item = unit.applied, unit.applied.tool_object or {}
        place, home = (applied.target, applied.namespace), text_at(item, "metadata", "namespace")
        is_present = place in known or applied.namespace in (*_PRESENT, home)
        if is_present or applied.tool != ARGO_TOOL or made_namespace(item) is None:
            return unit
        known.add(place)
        if objects.nearest(("", "Namespace"), "", applied.namespace, file=""):
            return unit
        return replace(unit, applied=replace(applied, makes_namespace=True))

    return with_namespace
