"""Changed templates of Applications whose parameters are not known, which may render other objects."""

import posixpath
from collections.abc import Iterator
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import dig
from kubectl_applylint.run.discover.differing_files import differing_files
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.sides.side import UNEXAMINED_ADVICE
from kubectl_applylint.tools.argocd.application_sources import has_unknown_parameters, sources_of
from kubectl_applylint.units.model import Unit

_MANIFESTS: Final = (".yaml", ".yml", ".json")
_MOST_NAMED: Final = 3


def ineffective_templates(found: Revisions, unit: Unit | None) -> Iterator[Problem]:
    """Yield a problem if templates of a later unit changed without an effect, and its values are not all known.

    Values of an ApplicationSet with a generator that is not evaluated have template actions in place of parameters.
    """
    if unit is None or unit.applied.tool != Applier.ARGOCD or not _has_unknown_values(unit):
        return
    _, side = found.sides_of((None, unit))
    files = sorted(path for path in differing_files(side, unit, found.differ) if _is_template(path))
    if files:
        names = first_names([*map(side.label, files)], _MOST_NAMED)
        reason = f"{names} changed, which has no effect with the parameters that are known"
        message = f"{unit.root} may change: {reason}"
        yield Problem(
            unit.applied.reason.place, message, UNEXAMINED_ADVICE, reason=reason, is_hole=True, subject=unit.root
        )


def _has_unknown_values(unit: Unit) -> bool:
    sources = sources_of(unit.applied.tool_object or {})
    return any(has_unknown_parameters(dig(one.options, "helm")) for one in sources)


def _is_template(path: str) -> bool:
    """Return whether a file may be a template of a chart with objects of its own."""
    name = posixpath.basename(path)
    return "/templates/" in f"/{path}" and name.endswith(_MANIFESTS) and not name.startswith(("_", "."))
