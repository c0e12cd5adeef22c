"""Resolves parents: of an ApplySet of a custom kind, and of the children of Metacontroller."""

from collections.abc import Sequence

from kubectl_applylint.appliers.applyset import NOT_CREATED, ApplySet
from kubectl_applylint.appliers.flags import Flags, Policy
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.schema import tables
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.names import ObjectArgument, is_name_of_kind, names_of, parse_object
from kubectl_applylint.schema.types import Kind


def with_parent(flags: Flags, source: LiveSource) -> Flags:
    """Return the flags of a sync with the live parent, if it can be read."""
    if flags.sync is None or not flags.sync.parent:
        return flags
    found = source.named(parse_object(flags.sync.parent), flags.namespace or source.namespace).objects
    return replace(flags, sync=flags.sync.of_parent(found[0])) if len(found) == 1 else flags


def resolve_parent(
    policy: Policy | None, source: LiveSource, definitions: Sequence[JsonObject]
) -> tuple[Policy | None, tuple[Problem, ...]]:
    """Return the prune policy with the kind of its ApplySet parent, and the problems of finding that kind.

    ``definitions`` are the CustomResourceDefinitions of the run. Nothing is pruned if the kind is unknown.
    """
    if not isinstance(policy, ApplySet) or not policy.is_open:
        return policy, ()
    live = source.named(
        ObjectArgument(policy.resource, policy.parent.name), policy.parent.namespace or source.namespace
    )
    kinds = [(ref.api_version, ref.kind) for ref in map(ref_of, live.objects)]
    found = source.definitions(kinds or [("", policy.resource)])
    problems = (*live.problems, *found.problems)
    kind = _custom_kind(policy.resource, (*found.objects, *definitions)) or _built_in_kind(kinds)
    if kind is not None:
        return policy.of_kind(kind), problems
    if source.origin and source.base is None and not problems:
        return ApplySet(policy.parent, policy.resource, NOT_CREATED), ()
    where, what = f"--applyset={policy.resource}/{policy.parent.name}", "the kind of its parent is unknown"
    advice = "add the file of its CustomResourceDefinition, or compare with a cluster or snapshot that contains it"
    return None, (*problems, Problem(where, what, advice))


def _custom_kind(word: str, definitions: Sequence[JsonObject]) -> Kind | None:
    kinds = load(f"1.{tables.NEWEST}", crds=definitions).custom.values()
    return next((kind for kind in kinds if is_name_of_kind(word, kind.api_version, kind.name, names_of(kind))), None)


def _built_in_kind(kinds: Sequence[tuple[str, str]]) -> Kind | None:
    schema = load(f"1.{tables.NEWEST}")
    return next((kind for gvk in kinds if (kind := schema.kind(*gvk))), None)
