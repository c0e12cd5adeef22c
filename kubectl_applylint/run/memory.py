"""What Helm, Flux and kapp remember of the objects that they have applied, where a cluster or a snapshot tells it."""

from collections.abc import Iterator, Sequence

from kubectl_applylint.appliers.flags import Flags, Policy
from kubectl_applylint.appliers.flux.kustomization import Reconciliation
from kubectl_applylint.appliers.helm.upgrade import HelmUpgrade
from kubectl_applylint.appliers.kapp.deploy import KappDeploy
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.run.flux_units import remembering
from kubectl_applylint.run.helm_units import installed
from kubectl_applylint.run.kapp_units import configured, owned, recorded
from kubectl_applylint.run.live_source import LiveSource, beside
from kubectl_applylint.run.reading import Reading
from kubectl_applylint.sources.seen import Objects


def is_remembering(flags: Flags) -> bool:
    """Tell whether a program applies that goes by what it remembers in the cluster."""
    return bool(flags.kustomization or flags.helm or flags.kapp)


def policy_in(
    source: LiveSource, flags: Flags, namespace: str, now: Reading
) -> tuple[Policy | None, tuple[Problem, ...]]:
    """Return what Helm, Flux or kapp goes by, and what of it cannot be read; ``None`` where kubectl applies."""
    if flags.kustomization is not None:
        return remembering(flags.kustomization, source)
    if flags.kapp is not None:
        return configured(*recorded(replace(flags.kapp, namespace=namespace), source, now), now)
    return installed(flags, source, namespace, now.schema) if flags.helm else (None, ())


def remembered(policy: Policy | None) -> Iterator[ObjectRef]:
    """Yield the objects that Helm or Flux remembers, and may delete."""
    if isinstance(policy, HelmUpgrade):
        yield from map(ref_of, policy.originals)
    elif isinstance(policy, Reconciliation):
        yield from policy.inventory


def deletable(source: LiveSource, flags: Flags, policy: Policy | None, refs: Sequence[ObjectRef]) -> Objects:
    """Return the objects beside those that a run applies, which are ``refs``, that it may delete."""
    return owned(policy.app, source, refs) if isinstance(policy, KappDeploy) else beside(source, flags, refs)
