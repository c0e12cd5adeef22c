"""Existing objects that the run does not apply."""

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.paths import Path, fields, get, parse, render
from kubectl_applylint.core.state import Present, live_object
from kubectl_applylint.lint.checks._graph import referrers_of
from kubectl_applylint.lint.checks._names import generations
from kubectl_applylint.lint.checks._prune import flags_without_kind
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if the fate of the object is among ``params["unapplied"]``, names of ``Unapplied``.

    ``params["as"]`` restricts that: ``alone`` to objects without referrers and successors in the run, ``generation`` to
    those with a successor that has another hash in its name. ``params["marks"]`` are paths; the live object must have
    one. Facts: ``along`` (what is deleted with it), ``next`` (the new one), ``mark`` and ``owner`` (the first existing
    path and its value), ``sparing`` (the flags of a prune without this kind), ``removed_unit`` (the Application or
    Kustomization if it is deleted, and the object with it), ``remaining_unit`` (if it is not). With
    ``params["remaining"]`` it has to remain, with ``params["confirms"]`` Argo CD has to wait for a confirmation.
    """
    unapplied = subject.unapplied
    if unapplied is None or unapplied.name not in params["unapplied"]:
        return
    removed, remaining = _unit_names(subject)
    if (removed and "remaining" in params) or ("confirms" in params and not _awaits_confirmation(subject)):
        return
    newer = next((str(peer.ref) for peer in generations(subject)), "")
    match params.get("as"):
        case "alone" if newer or subject.cluster_diff.successor(subject.ref) or any(referrers_of(subject)):
            return
        case "generation" if not newer:
            return
    marks = [
        (render(path), found) for path in map(parse, params.get("marks", ())) if (found := _live_text(subject, path))
    ]
    if "marks" in params and not marks:
        return
    mark, owner = marks[0] if marks else ("", "")
    along = "; ".join(subject.predict(Scenario.APPLY).warnings)
    facts = {"along": along, "next": newer, "mark": mark, "owner": owner, "sparing": flags_without_kind(subject)}
    yield Hit(fields("metadata", "name"), {**facts, "removed_unit": removed, "remaining_unit": remaining})


def _awaits_confirmation(subject: Subject) -> bool:
    """Return whether Argo CD waits for a confirmation before it deletes the object."""
    applier = subject.flags.unit_applier
    if applier is None or applier.applier is not Applier.ARGOCD:
        return False
    from kubectl_applylint.tools.argocd.application import ArgoSync  # noqa: PLC0415  6 ms

    live = subject.state.live
    return (
        isinstance(live, Present)
        and isinstance(applier.unit, ArgoSync)
        and applier.unit.awaits_confirmation(live.object)
    )


def _unit_names(subject: Subject) -> tuple[str, str]:
    """Return the name of the unit if its declaring object is deleted, and if it is not; both empty if it has none."""
    applier, name, is_removed = subject.flags.unit_applier, "", False
    if applier is not None and applier.applier is Applier.ARGOCD:
        from kubectl_applylint.tools.argocd.application import ArgoSync  # noqa: PLC0415  6 ms

        if isinstance(applier.unit, ArgoSync):
            name, is_removed = applier.unit.application.name, applier.unit.is_removed
    if applier is not None and applier.applier is Applier.FLUX:
        from kubectl_applylint.tools.flux.kustomization import FluxKustomization  # noqa: PLC0415  6 ms

        if isinstance(applier.unit, FluxKustomization):
            name, is_removed = applier.unit.name, applier.unit.is_removed
    return (name, "") if is_removed else ("", name)


def _live_text(subject: Subject, path: Path) -> str:
    """Return the text at a path of the live object, empty without one."""
    found = get(live_object(subject.state.live), path)
    return found if isinstance(found, str) else ""
