"""Migration from ``kubectl apply`` or Helm 3 to a Helm release: commands and their effect on owners and values.

Helm 4 applies server-side as field manager ``helm``. It would share ownership with kubectl, so removing a line from the
chart would remove nothing. ``kubectl apply --server-side --field-manager=helm`` first moves the ownership to Helm.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from kubectl_applylint.appliers.kubectl_server import migration_patch
from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, SERVER_SIDE, ApplyMode, appliers_of
from kubectl_applylint.ownership.commands import apply_command, here_document, namespace_words
from kubectl_applylint.ownership.effect import effect_of, forced_step
from kubectl_applylint.ownership.object_state import state_of
from kubectl_applylint.ownership.step import Step, StepKind, StepPlan, object_after
from kubectl_applylint.ownership.tool_migration import (
    PLACEHOLDER_CHART,
    PLACEHOLDER_RELEASE,
    Origin,
    forget_last_applied,
    outcome_of,
    release_of,
    shared_with_others,
    steps_or_contradiction,
    with_effect,
)
from kubectl_applylint.tools.helm import program
from kubectl_applylint.tools.helm.flags import HelmFlags, ServerSide
from kubectl_applylint.tools.helm.release import Release, ReleaseRevision
from kubectl_applylint.tools.helm.upgrade import HelmUpgrade, install, upgrade

HELM3: Final = ApplyMode(Applier.HELM3, DEFAULT_MANAGERS[Applier.HELM3], is_by_kubectl=False)
HELM4: Final = ApplyMode(Applier.HELM4, DEFAULT_MANAGERS[Applier.HELM4], is_by_kubectl=False)
_AS_HELM: Final = replace(SERVER_SIDE, manager="helm")
_HANDS_OVER: Final = (
    "hands what kubectl apply owns over to the field manager helm, so that Helm removes what leaves the chart"
)
_ADOPTS: Final = (
    "installs the chart, with the object in it; --take-ownership adopts what exists, and gives it the label and"
    " annotations of the release"
)
_INSTALLS: Final = "installs the chart"
_UPGRADES: Final = {
    True: "applies server-side from now on, and hands what helm owned as a client over to helm (Apply), also where the"
    " upgrade then fails",
    False: "upgrades the release as Helm 3 does",
}
_GIVES_UP: Final = "kubectl gives up its fields: those that the chart has belong to Helm by now, the others are removed"
_BY_FORCE: Final = "sets the values of the chart where others own the fields, and takes them over"


def to_helm(subject: Subject, live: JsonObject | None, origin: Origin | None, *, is_helm4: bool) -> StepPlan:
    """Return the steps to bring an object into a Helm release, each predicted on the result of the one before.

    The chart is assumed to render the manifest unchanged.
    """
    mode = HELM4 if is_helm4 else HELM3
    steps = steps_or_contradiction(live, origin, _steps(subject, live, mode))
    by_force = _forced_step(subject, live, steps)
    final = object_after((*steps, *((by_force,) if by_force else ())), live)
    release = release_of(final) or _release(subject, live)
    return StepPlan(
        subject=subject,
        mode=mode,
        before=state_of(subject, live),
        after=state_of(subject, object_after(steps, live)),
        steps=steps,
        alternative=by_force,
        leftovers=shared_with_others(subject, mode, final),
        check=tuple(_check(release, mode)),
        back=tuple(_back(release, subject, live, mode)),
    )


def _steps(subject: Subject, live: JsonObject | None, mode: ApplyMode) -> Iterator[Step]:
    """Yield the move of ownership, the call of Helm, and the cleanup."""
    is_known = release_of(live) is not None
    if live is not None and not is_known and mode.is_server_side and migration_patch(live, mode.manager):
        effect = effect_of(subject, _AS_HELM, live)
        first = Step(StepKind.RUN, apply_command(_AS_HELM, [subject]), _HANDS_OVER, effect)
        yield first
        if first.is_blocked:
            return
        live = object_after([first], live)
    by_helm = _by_helm(subject, live, mode, HelmFlags(server_side=_server_side(mode), take_ownership=not is_known))
    yield by_helm
    if not by_helm.is_blocked:
        live = object_after([by_helm], live)
        yield from _giving_up(subject, live, mode)
        yield from forget_last_applied(subject.ref, live)


def _server_side(mode: ApplyMode) -> ServerSide:
    """Return the ``--server-side`` setting for a version of Helm."""
    return ServerSide.TRUE if mode is HELM4 else ServerSide.AUTO


def _by_helm(subject: Subject, live: JsonObject | None, mode: ApplyMode, flags: HelmFlags) -> Step:
    """Return the call of Helm: an upgrade if a release has the object, else an install that adopts it."""
    release, is_known = _release(subject, live), release_of(live) is not None
    policy = _upgrade(subject, release, mode, flags) if is_known else _install(subject, live, mode, flags)
    why = _UPGRADES[mode is HELM4] if is_known else _INSTALLS if live is None else _ADOPTS
    predict = program.predicting(policy, subject.schema)
    outcome = outcome_of(predict, subject, live)
    step = Step(StepKind.RUN, _command(release, subject, policy, is_new=live is None), why)
    return with_effect(step, subject, mode, outcome, live)


def _install(subject: Subject, live: JsonObject | None, mode: ApplyMode, flags: HelmFlags) -> HelmUpgrade:
    """Return an install that adopts the live object."""
    policy = install(_release(subject, None), flags, is_helm4=mode is HELM4)
    return replace(policy, adopted=frozenset({subject.ref.identity}) if live is not None else frozenset())


def _upgrade(subject: Subject, release: Release, mode: ApplyMode, flags: HelmFlags) -> HelmUpgrade:
    """Return an upgrade of a release that was last written client-side and has the current object."""
    manifest = subject.manifest
    if ref_of(manifest) != subject.ref:
        manifest = {**manifest, "metadata": {**manifest["metadata"], "namespace": subject.ref.namespace}}
    return upgrade(release, [ReleaseRevision(1, "deployed", (manifest,))], flags, is_helm4=mode is HELM4)


def _release(subject: Subject, live: JsonObject | None) -> Release:
    """Return the release that has the object, or the one that its chart is rendered for."""
    rendering = subject.document.rendering
    name = rendering.release if rendering else ""
    return release_of(live) or Release(name or PLACEHOLDER_RELEASE, subject.ref.namespace)


def _command(release: Release, subject: Subject, policy: HelmUpgrade, *, is_new: bool) -> str:
    """Return the Helm command line."""
    rendering, where = subject.document.rendering, namespace_words(release.namespace)
    chart = (rendering.chart if rendering else "") or PLACEHOLDER_CHART
    if policy.action == "upgrade":
        words = f"helm upgrade {release.name} {chart}{where}"
        return f"{words} --server-side=true{_forcing(policy)}" if policy.is_server_side else words
    owning = "" if is_new else " --take-ownership"
    return f"helm upgrade --install {release.name} {chart}{where}{owning}{_forcing(policy)}"


def _forcing(policy: HelmUpgrade) -> str:
    return " --force-conflicts" if policy.flags.force_conflicts else ""


def _giving_up(subject: Subject, live: JsonObject | None, mode: ApplyMode) -> Iterator[Step]:
    """Yield the empty apply that leaves the fields of ``kubectl apply --server-side`` to Helm alone."""
    if live is None or not mode.is_server_side or SERVER_SIDE.manager not in appliers_of(live):
        return
    bare = {key: subject.manifest[key] for key in ("apiVersion", "kind")}
    names = {"name": subject.ref.name, **({"namespace": subject.ref.namespace} if subject.ref.namespace else {})}
    body = f"apiVersion: {bare['apiVersion']}\nkind: {bare['kind']}\nmetadata:\n" + "\n".join(
        f"  {key}: {value}" for key, value in names.items()
    )
    effect = effect_of(subject, SERVER_SIDE, live, {**bare, "metadata": names})
    yield Step(StepKind.RUN, here_document("kubectl apply --server-side -f -", body), _GIVES_UP, effect)


def _forced_step(subject: Subject, live: JsonObject | None, steps: tuple[Step, ...]) -> Step | None:
    """Return the last step with force if it conflicts."""
    last = steps[-1] if steps else None
    if last is None or last.effect is None or last.effect.outcome.verdict is not Verdict.CONFLICT:
        return None
    before = object_after(steps[:-1], live)
    if last.effect.mode.is_by_kubectl:
        return forced_step(subject, before, last)
    is_known = release_of(before) is not None
    flags = HelmFlags(server_side=ServerSide.TRUE, force_conflicts=True, take_ownership=not is_known)
    return replace(_by_helm(subject, before, HELM4, flags), why=_BY_FORCE)


def _check(release: Release, mode: ApplyMode) -> Iterator[str]:
    """Yield the commands that print nothing if release and objects agree."""
    if mode.is_server_side:
        where = namespace_words(release.namespace)
        yield f"helm get manifest {release.name}{where} | kubectl diff --server-side{where} -f -"


def _back(release: Release, subject: Subject, live: JsonObject | None, mode: ApplyMode) -> Iterator[str]:
    """Yield the commands to return to kubectl: without its Secrets, Helm forgets the release and deletes nothing."""
    if live is not None and release_of(live) is None:
        yield f"kubectl delete secrets -l owner=helm,name={release.name}{namespace_words(release.namespace)}"
        by_kubectl = replace(SERVER_SIDE, force=True) if mode.is_server_side else CLIENT_SIDE
        yield apply_command(by_kubectl, [subject])


MIGRATIONS: Final = {Applier.HELM3: partial(to_helm, is_helm4=False), Applier.HELM4: partial(to_helm, is_helm4=True)}
