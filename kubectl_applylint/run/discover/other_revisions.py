"""Changed units that apply another revision of the repository than the examined one: their files come from git.

A GitRepository of Flux with another branch, tag or commit names one, or an Application of Argo CD. Units that do not
change are not examined, as no change of the examined files reaches them.
"""

from collections.abc import Sequence

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import text_at
from kubectl_applylint.run.sides.revision_sides import find_word
from kubectl_applylint.run.sides.side import FETCH_ADVICE, GIT_ADVICE, UNEXAMINED_ADVICE, FindSide, Side
from kubectl_applylint.tools.argocd.application_sources import sources_of
from kubectl_applylint.tools.flux.declarations import applied_folder
from kubectl_applylint.units.model import Applied, Form, Unit, object_root
from kubectl_applylint.units.pairs import Pair, application_unit
from kubectl_applylint.units.remotes import OTHER_REVISION, OTHER_SOURCE


def with_revisions(pair: Pair, side_of: FindSide) -> Pair:
    """Return a changed pair; a unit of another revision is examined if git has that, and both are built alike."""
    pair = _with_changed_branches(*pair)
    if not any(unit and unit.applied.revision for unit in pair):
        return pair
    earlier, later = (_as_built(_with_revision(unit, side_of)) for unit in pair)
    return earlier, later


def _with_changed_branches(earlier: Unit | None, later: Unit | None) -> Pair:
    """Return a pair; branches that are taken to be the examined revision are others if only one of the units has them.

    Two branches are two revisions.
    """
    if earlier is None or later is None:
        return earlier, later
    both = (earlier, later)
    was, now = (one.applied.assumed_revisions for one in both)
    is_of_flux = later.applied.declared_by is not None and later.applied.declared_by.kind == "Kustomization"
    is_of_argo_cd = all(one.applied.tool == Applier.ARGOCD and one.applied.tool_object for one in both)
    if was == now or not (is_of_flux or is_of_argo_cd):
        return earlier, later
    return _with_other_branches(earlier, now), _with_other_branches(later, was)


def _with_other_branches(unit: Unit, same: Sequence[str]) -> Unit:
    """Return a unit whose branches are other revisions, but for some that are the same."""
    whole = application_unit(unit) or unit
    others = tuple(one for one in unit.applied.assumed_revisions if one not in same)
    if not others or unit.applied.gap:
        return whole
    if len(sources_of(unit.applied.tool_object or {})) > 1:
        return replace(whole, applied=replace(whole.applied, other_revisions=(*unit.applied.other_revisions, *others)))
    applied = replace(whole.applied, revision=others[0], gap=f"{OTHER_REVISION}{others[0]}")
    root = object_root(applied.declared_by) if applied.declared_by else whole.root
    return replace(whole, root=root, applied=applied)


def _with_revision(unit: Unit | None, side_of: FindSide) -> Unit | None:
    if unit is None or not unit.applied.revision or unit.applied.declared_by is None:
        return unit
    is_other = unit.applied.gap.startswith(OTHER_REVISION)
    if not is_other or _find_side(unit, side_of) is None:
        return unit
    if unit.applied.tool == Applier.ARGOCD:
        return replace(unit, applied=replace(unit.applied, gap=""))
    folder = applied_folder(text_at(unit.applied.tool_object or {}, "spec", "path"))
    return Unit(folder, Form.KUSTOMIZATION, frozenset(), replace(unit.applied, gap=""))


def _as_built(unit: Unit | None) -> Unit | None:
    return replace(unit, form=Form.KUSTOMIZATION) if unit and unit.form is Form.FOLDER else unit


def side_of_unit(unit: Unit | None, side: Side, side_of: FindSide) -> Side:
    """Return the side with the files of a unit; ``side`` is that of its declaring object."""
    if unit is None or not unit.applied.revision or unit.applied.gap:
        return side
    return _find_side(unit, side_of) or side


def _find_side(unit: Unit, side_of: FindSide) -> Side | None:
    """Return the files of the revision that a unit applies."""
    is_word = unit.applied.tool == Applier.ARGOCD
    return find_word(side_of, unit.applied.revision) if is_word else side_of(unit.applied.revision)


def revision_note(earlier: Unit | None, later: Unit | None) -> str:
    """Return a line about an examined unit that applies another revision than before, empty for other units."""
    if not (earlier and later) or earlier.applied.gap or earlier.applied.revision == later.applied.revision:
        return ""
    before, after = (one.applied.revision or "this revision" for one in (earlier, later))
    changed = f"{later.applied.reason.text}: its source changes from {before} to {after}"
    return f"{changed}; both are compared as git has them here"


def advice_for_gap(applied: Applied) -> str:
    """Return the advice for objects that are not rendered: how to get their source."""
    if applied.revision:
        return GIT_ADVICE
    return FETCH_ADVICE if applied.fetched_source else UNEXAMINED_ADVICE


def unread_problem(unit: Unit) -> Problem | None:
    """Return the problem of a unit before a change that had files which are not known here, ``None`` for others."""
    applied = unit.applied
    is_of_argo_cd = applied.tool == Applier.ARGOCD and bool(applied.gap)
    is_of_flux = applied.tool == Applier.FLUX and applied.gap.startswith((OTHER_REVISION, OTHER_SOURCE))
    if not (is_of_argo_cd or is_of_flux) or applied.is_suspended:
        return None
    advice = FETCH_ADVICE if is_of_flux and not applied.revision else advice_for_gap(applied)
    message = f"{unit.root} is not rendered as it was before: {applied.gap}"
    return Problem(applied.reason.place, message, advice, reason=applied.gap)
