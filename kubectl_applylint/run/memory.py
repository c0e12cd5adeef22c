"""What Helm and Flux remember of the objects that they have applied, where a cluster or a snapshot tells it."""

from collections.abc import Iterator

from kubectl_applylint.appliers.flags import Flags, Policy
from kubectl_applylint.appliers.flux.kustomization import Reconciliation
from kubectl_applylint.appliers.helm.upgrade import HelmUpgrade
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.run.flux_units import remembering
from kubectl_applylint.run.helm_units import installed
from kubectl_applylint.run.live_source import LiveSource
from kubectl_applylint.schema.types import Schema


def policy_in(
    source: LiveSource, flags: Flags, namespace: str, schema: Schema
) -> tuple[Policy | None, tuple[Problem, ...]]:
    """Return what Helm or Flux goes by, and what of it cannot be read; ``None`` where kubectl applies."""
    if flags.kustomization is not None:
        return remembering(flags.kustomization, source)
    return installed(flags, source, namespace, schema) if flags.helm else (None, ())


def remembered(policy: Policy | None) -> Iterator[ObjectRef]:
    """Yield the objects that Helm or Flux remembers, and may delete."""
    if isinstance(policy, HelmUpgrade):
        yield from map(ref_of, policy.originals)
    elif isinstance(policy, Reconciliation):
        yield from policy.inventory
