"""Units that kapp deploys as apps, from what it has recorded: in a cluster, or as the earlier revision deploys them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.appliers.flags import Policy
from kubectl_applylint.appliers.kapp.app import APP_LABEL, APP_SUFFIX, UNDRAWN, KappApp
from kubectl_applylint.appliers.kapp.deploy import KappDeploy, KappFlags
from kubectl_applylint.appliers.kapp.rules import is_config
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Knowledge, ObjectRef, Present, Unknown, labels_of
from kubectl_applylint.core.values import JsonObject, objects_at, text_at, texts_at
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.kapp_deploy import begun
from kubectl_applylint.run.live_source import LiveSource
from kubectl_applylint.run.reading import Reading
from kubectl_applylint.sources.manifests import Input
from kubectl_applylint.sources.seen import Objects

NOTHING: Final = ClusterModel()
"""The cluster that the first deploy of an app meets."""
_NEVER: Final[frozenset[tuple[str, str]]] = frozenset()
"""The kinds of an app that was not deployed yet."""
_Deploy: TypeAlias = tuple[KappDeploy, tuple[Problem, ...]]


def as_app(found: Reading, app: KappApp) -> Reading:
    """Return what was read as kapp deploys it; what it makes of it, the cluster decides."""
    # Manifests that the change leaves as they are were not read: that none is left does not make the set empty.
    return replace(found, policy=KappDeploy(app, KappFlags(allows_empty=True)))


def recorded(app: KappApp, source: LiveSource, found: Reading) -> _Deploy:
    """Return the deploy of an app as its ConfigMap in a cluster or a snapshot describes it; ``found`` is its set.

    An app that a cluster does not have is deployed for the first time. Where the ConfigMap cannot be seen, the app is
    taken for the one of which the objects of the set have the label, and what is deleted is not known.
    """
    wanted = [ObjectRef("v1", "ConfigMap", app.namespace, f"{app.name}{suffix}") for suffix in (APP_SUFFIX, "")]
    states = source.states(wanted, []).states
    for ref in wanted:
        live = states[ref]
        if isinstance(live, Present):
            return _described(app, ref, live.object)
    unknown = [live.reason for live in states.values() if isinstance(live, Unknown)]
    if source.age_seconds is None and not unknown:
        return KappDeploy(replace(app, kinds=_NEVER)), ()
    why = f"the {source.origin} does not have it" if source.age_seconds is not None else unknown[0]
    label = _only_label(source.states([document.ref for document in found.here], []).states.values())
    told = Problem(f"{wanted[-1]} in {app.namespace}", f"what kapp deletes is not known for certain: {why}")
    return KappDeploy(replace(app, label=label)), (told,)


def _described(app: KappApp, ref: ObjectRef, config_map: JsonObject) -> _Deploy:
    """Return the deploy of an app with its ConfigMap; kapp does not begin where that cannot be read."""
    try:
        spec = json.loads(text_at(config_map, "data", "spec"))
    except (ValueError, RecursionError):
        spec = None
    label = text_at(spec, "labelValue") if isinstance(spec, dict) else ""
    if not isinstance(spec, dict) or not label or text_at(spec, "labelKey") != APP_LABEL:
        where = f"App '{app.name}' (namespace: {app.namespace}) backed by ConfigMap '{ref.name}'"
        advice = "restore it, or name the deployed revision: --against REVISION"
        told = Problem(f"{ref} in {ref.namespace}", "its data.spec does not describe an app of kapp", advice)
        return KappDeploy(app, refusal=f"{where} did not contain parseable app metadata"), (told,)
    kinds = frozenset((text_at(each, "Group"), text_at(each, "Kind")) for each in objects_at(spec, "usedGKs"))
    namespaces = frozenset(texts_at(spec, "lastChange", "namespaces"))
    known = kinds if isinstance(spec.get("usedGKs"), list) else None
    return KappDeploy(replace(app, label=label, kinds=known, namespaces=namespaces)), ()


def _only_label(states: Iterable[Knowledge]) -> str:
    """Return the label of the app that live objects have; that of no app where they have none, or several."""
    every = {labels_of(live.object).get(APP_LABEL) for live in states if isinstance(live, Present)}
    labels = [label for label in every if isinstance(label, str)]
    return labels[0] if len(labels) == 1 else UNDRAWN


def configured(policy: KappDeploy, problems: Sequence[Problem], found: Reading) -> _Deploy:
    """Return a deploy with the Configs beside its set; rebase rules of ytt are left out, and are problems."""
    configs = [one for one in found.configs if is_config(one.value)]
    by_ytt = [
        Problem(f"{one.file}:{one.line}", "rebase rules of ytt are not predicted")
        for one in configs
        if any(map(_is_by_ytt, objects_at(one.value, "rebaseRules")))
    ]
    return replace(policy, configs=tuple(_without_ytt(one.value) for one in configs)), (*problems, *by_ytt)


def _without_ytt(config: JsonObject) -> JsonObject:
    rules = [rule for rule in objects_at(config, "rebaseRules") if not _is_by_ytt(rule)]
    return {**config, "rebaseRules": rules} if "rebaseRules" in config else config


def _is_by_ytt(rule: JsonObject) -> bool:
    return bool(rule.get("ytt"))


def not_read(given: Input, policy: Policy | None) -> Input:
    """Return what was read without what a deploy goes by: its Configs are not left out."""
    if not isinstance(policy, KappDeploy) or not policy.configs:
        return given
    return replace(given, skipped=tuple(one for one in given.skipped if not is_config(one.value)))


def owned(app: KappApp, source: LiveSource, refs: Sequence[ObjectRef]) -> Objects:
    """Return the live objects with the label of an app, of its kinds and of those of its set, which is ``refs``."""
    if app.label == UNDRAWN:
        return Objects((), ())
    kinds = None if app.kinds is None else {*app.kinds, *((ref.group, ref.kind) for ref in refs)}
    words = [f"{kind}.{group}".rstrip(".") for group, kind in sorted(kinds or ())]
    return source.labelled(words, f"{APP_LABEL}={app.label}", {*app.namespaces, *(ref.namespace for ref in refs)})


def first_deploy(policy: Policy | None, source: LiveSource) -> Iterator[str]:
    """Yield that an app is deployed for the first time, where a cluster does not have it: its name may be wrong."""
    if isinstance(policy, KappDeploy) and policy.app.label == UNDRAWN and policy.app.kinds == _NEVER:
        app = policy.app
        where = f"app {app.name} in {app.namespace}: not in the {source.origin}"
        yield f"{where}, predicted as its first deploy by kapp; --app NAME names another app"


def deployed(found: Reading, cluster: ClusterModel) -> Reading:
    """Return what was read as kapp writes it to a cluster: labelled, named and in its order."""
    if not isinstance(found.policy, KappDeploy):
        return found
    policy, here = begun(found.policy, found.here, cluster)
    return replace(found, here=here, policy=policy)


def with_named(cluster: ClusterModel, found: Reading, source: LiveSource) -> ClusterModel:
    """Return a cluster with what it knows of the names that kapp gives to new versions of objects."""
    refs = [document.ref for document in found.here if document.ref.identity not in cluster.known]
    if not isinstance(found.policy, KappDeploy) or source.base or not refs:
        return cluster
    asked = source.states(refs, found.schema.custom.keys())
    return cluster.changed({ref.identity: live for ref, live in asked.states.items()})
