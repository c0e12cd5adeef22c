"""One ``kapp deploy``: the objects it compares, its action for each, their order, and its start errors.

Mirrors ``pkg/kapp/cmd/app/deploy.go`` and ``pkg/kapp/diff/change_set.go`` of kapp 0.64.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.appliers.attempt import is_being_deleted
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Identity, ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject, equal
from kubectl_applylint.tools.kapp.app import (
    APP_LABEL,
    IS_APP_LABEL,
    KappApp,
    KappWrite,
    as_compared,
    is_written_by_kapp,
    unique_key,
)
from kubectl_applylint.tools.kapp.defaults import GROUP
from kubectl_applylint.tools.kapp.matchers import KappError
from kubectl_applylint.tools.kapp.memory import change, last_applied
from kubectl_applylint.tools.kapp.order import KappChangeStep, dependencies, round_numbers
from kubectl_applylint.tools.kapp.paths import annotations_of, labels_of
from kubectl_applylint.tools.kapp.rules import KappRules, description, is_config, read_rules
from kubectl_applylint.tools.kapp.versions import Versions, is_version, versions
from kubectl_applylint.tools.kapp.write import EXISTS, NOOP

_EMPTY: Final = " ".join(
    (
        "Trying to apply empty set of resources will result in deletion of resources on cluster.",
        "Refusing",
        "to continue unless --dangerous-allow-empty-list-of-resources is specified.",
    )
)
BEFORE_KINDS: Final = ("Validation errors:", "Uniqueness errors:", "Expected kapp config", "Validating config:")
"""The beginnings of errors that kapp reports before it looks up the kinds of objects."""
_UNDELETED: Final = frozenset({"default", "kube-node-lease", "kube-public", "kube-system"})
"""The Namespaces that kapp orphans instead of deleting them."""


@dataclass(frozen=True, slots=True)
class KappFlags:
    """The flags of ``kapp deploy`` that decide what is written."""

    is_patch: bool = False
    allows_empty: bool = False
    overrides_ownership: bool = False
    scopes_labels: bool = True
    by_memory: bool = True
    exits_early: bool = True
    strategy: str = ""


@dataclass(frozen=True, slots=True)
class KappStep:
    """The position of an object in a deploy: its round, and the objects before it."""

    wave: int
    waits: frozenset[Identity]


@dataclass(frozen=True, slots=True)
class KappDeploy:
    """A deploy of an app. The fields from ``rules`` on are set after the objects and the cluster are read."""

    app: KappApp
    flags: KappFlags = KappFlags()
    configs: tuple[JsonObject, ...] = field(default=(), repr=False)
    """Configs that are not among the deployed objects."""
    rules: KappRules = KappRules()
    refusal: str = ""
    """Why kapp does not start, or ``""``."""
    added: frozenset[Identity] = frozenset()
    """The objects that are new versions."""
    deleted: tuple[ObjectRef, ...] = ()
    steps: Mapping[Identity, KappStep] = field(default_factory=dict, repr=False)

    @property
    def applier(self) -> Applier:
        """The applier."""
        return Applier.KAPP

    def write(self, ref: ObjectRef) -> KappWrite:
        """Return how an object is written."""
        is_new = ref.identity in self.added
        return KappWrite(self.app, self.rules, self.flags.strategy, self.flags.by_memory, is_new)

    def targets(self, objects: Iterable[JsonObject], applied: Collection[ObjectRef]) -> Iterator[ObjectRef]:
        """Yield the live objects that are deleted if nothing fails."""
        there = {ref_of(item).identity for item in objects}
        return (ref for ref in self.deleted if ref.identity in there)

    def stop(self, ref: ObjectRef, failed: Iterable[ObjectRef], missing: Collection[Identity] = ()) -> ObjectRef | None:
        """Return the failed object that keeps kapp from reaching another one, or ``None``.

        Failures in ``missing`` do not end a deploy.
        """
        own = self.steps.get(ref.identity)
        if own is None:
            return None
        for other in failed:
            step = self.steps.get(other.identity)
            ends = self.flags.exits_early and other.identity not in missing
            if other.identity in own.waits or (ends and step is not None and step.wave < own.wave):
                return other
        return None


@dataclass(frozen=True, slots=True)
class KappPlan:
    """A deploy with its manifests in write order, each with its index in the input."""

    policy: KappDeploy
    manifests: tuple[tuple[int, JsonObject], ...] = field(repr=False)


def deploy_plan(policy: KappDeploy, manifests: Sequence[JsonObject], objects: Sequence[JsonObject]) -> KappPlan:
    """Return the plan for manifests with namespaces, given the live ``objects``.

    Raises ``KappError`` and ``PathError`` with kapp's message.
    """
    rules = read_rules((*policy.configs, *manifests))
    policy = replace(policy, rules=rules)
    chosen = tuple(_unique(manifests))
    labelled = [policy.app.with_app_labels(item, rules, is_scoped=policy.flags.scopes_labels) for _, item in chosen]
    existing = tuple(_existing(policy, labelled, objects))
    _check(policy, labelled, existing)
    made = versions(labelled, existing, rules, lambda old, new: _is_same(policy, old, new))
    writes = [(chosen[source][0], item) for source, item in zip(made.sources, made.objects, strict=True)]
    added = frozenset(ref_of(made.objects[place]).identity for place in made.added)
    dropped = (*made.dropped, *_leftovers(policy, made, existing))
    return _order_plan(replace(policy, added=added), writes, {unique_key(item): item for item in existing}, dropped)


def _unique(manifests: Sequence[JsonObject]) -> Iterator[tuple[int, JsonObject]]:
    """Yield manifests without identical duplicates, with their indexes; raise ``KappError`` for differing ones."""
    seen: dict[str, JsonObject] = {}
    twice = []
    for place, item in enumerate(manifests):
        if is_config(item):
            continue
        before = seen.setdefault(unique_key(item), item)
        if before is item:
            yield place, item
        elif not equal(before, item):
            twice.append(f"- Found resource '{description(item)}' multiple times with different content")
    if twice:
        raise KappError("\n".join(("Uniqueness errors:", *twice)))


def _existing(
    policy: KappDeploy, labelled: Sequence[JsonObject], objects: Sequence[JsonObject]
) -> Iterator[JsonObject]:
    """Yield the live objects that kapp reads: those of the app in its kinds, and those in the manifests."""
    named = {unique_key(item) for item in labelled}
    kinds = (policy.app.kinds or frozenset()) | {_kind(item) for item in labelled}
    looks_everywhere = policy.app.kinds is None or not kinds
    for item in objects:
        is_own = policy.app.owns(item) and (looks_everywhere or _kind(item) in kinds)
        if unique_key(item) in named or (is_own and not policy.flags.is_patch):
            yield item


def _kind(item: JsonObject) -> tuple[str, str]:
    """Return group and kind of an object."""
    ref = ref_of(item)
    return ref.group, ref.kind


def _check(policy: KappDeploy, labelled: Sequence[JsonObject], existing: Sequence[JsonObject]) -> None:
    """Raise ``KappError`` if existing objects or an empty set keep kapp from starting."""
    free = {unique_key(item) for item in labelled if annotations_of(item).keys() & {EXISTS, NOOP}}
    others = [
        f"- Resource '{description(item)}' is already associated with a different label '{APP_LABEL}={owner}'"
        for item in existing
        if (owner := labels_of(item).get(APP_LABEL)) not in (None, policy.app.label) and unique_key(item) not in free
    ]
    if others and not policy.flags.overrides_ownership:
        raise KappError("\n".join(("Ownership errors:", *others)))
    records = [item for item in existing if IS_APP_LABEL in labels_of(item)]
    records += filter(policy.app.is_recorded_first_in, labelled)
    if records:
        words = (f"- Resource '{description(item)}' has a disallowed label '{IS_APP_LABEL}'" for item in records)
        raise KappError("\n".join(("Disallowed labels errors:", *words)))
    if not labelled and not policy.flags.is_patch and not policy.flags.allows_empty:
        raise KappError(_EMPTY)


def _is_same(policy: KappDeploy, live: JsonObject, item: JsonObject) -> bool:
    """Return whether kapp sees no difference between a live object and a manifest."""
    return change(live, item, policy.app, policy.rules, by_memory=policy.flags.by_memory).is_empty


def _leftovers(policy: KappDeploy, made: Versions, existing: Sequence[JsonObject]) -> Iterator[JsonObject]:
    """Yield the live objects of the app that left the set, except those with copied labels."""
    kept = {unique_key(item) for item in made.objects}
    for item in existing:
        if unique_key(item) not in kept and not is_version(item) and _is_own(policy, item):
            yield item


def _is_own(policy: KappDeploy, item: JsonObject) -> bool:
    """Return whether kapp considers an object its own: by its identity annotation or its history."""
    if not policy.app.owns(item) or is_written_by_kapp(item):
        return True
    return policy.flags.by_memory and last_applied(as_compared(item, policy.app), policy.rules) is not None


def _order_plan(
    policy: KappDeploy,
    writes: Sequence[tuple[int, JsonObject]],
    live: Mapping[str, JsonObject],
    dropped: Sequence[JsonObject],
) -> KappPlan:
    active = [entry for entry in writes if not _is_idle(policy, entry[1], live.get(unique_key(entry[1])))]
    steps = (
        *(KappChangeStep(item) for _, item in active),
        *(KappChangeStep(item, is_deletion=True) for item in dropped),
    )
    waits = dependencies(steps, policy.rules)
    rounds, names = round_numbers(waits), [ref_of(step.item).identity for step in steps]
    found = {
        name: KappStep(wave, frozenset(names[other] for other in others))
        for name, wave, others in zip(names, rounds, waits, strict=True)
    }
    first = KappStep(0, frozenset())
    ordered = sorted(writes, key=lambda entry: found.get(ref_of(entry[1]).identity, first).wave)
    deleted = tuple(ref_of(item) for item in dropped if not (_is_orphaned(item) or is_being_deleted(item)))
    return KappPlan(replace(policy, steps=found, deleted=deleted), tuple(ordered))


def _is_idle(policy: KappDeploy, item: JsonObject, live: JsonObject | None) -> bool:
    """Return whether kapp does nothing about an object of the set."""
    marks = annotations_of(item)
    if NOOP in marks:
        return True
    if live is None or ref_of(item).identity in policy.added:
        return False
    return EXISTS in marks or _is_same(policy, live, item)


def _is_orphaned(item: JsonObject) -> bool:
    """Return whether kapp orphans an object instead of deleting it."""
    ref = ref_of(item)
    is_inoperable = (ref.group, ref.kind) == ("", "Namespace") and ref.name in _UNDELETED
    return is_inoperable or bool(annotations_of(item).get(f"{GROUP}/delete-strategy"))
