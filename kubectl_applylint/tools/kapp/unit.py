"""Units that kapp deploys as apps, with the recorded app from a cluster or an earlier revision."""

import json
from collections.abc import Iterable, Iterator, Sequence
from shlex import quote
from typing import Final, TypeAlias

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Knowledge, ObjectRef, Present, Unknown, annotations_of, labels_of
from kubectl_applylint.core.values import JsonObject, objects_at, text_at, texts_at
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.lint.model import Holder
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unit_program import ReadingPair, UnitProgram
from kubectl_applylint.sources.cluster.read_results import Objects
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.kapp.app import APP_LABEL, APP_SUFFIX, UNKNOWN_LABEL, KappApp
from kubectl_applylint.tools.kapp.deploy import KappDeploy, KappFlags
from kubectl_applylint.tools.kapp.program import start_deploy
from kubectl_applylint.tools.kapp.rules import is_config
from kubectl_applylint.tools.kapp.write import EXISTS, NOOP
from kubectl_applylint.units.model import Form, Unit

_NEVER: Final[frozenset[tuple[str, str]]] = frozenset()
"""The kinds of an app that was never deployed."""
_Deploy: TypeAlias = tuple[KappDeploy, tuple[Problem, ...]]


def _unit_of(_: Applier, asked: AskedApplier, unit: Unit, namespace: str) -> KappApp | None:
    """Return the app of a unit, named after its directory by default."""
    is_own = asked.is_supposed or unit.applied.tool in ("kubectl", Applier.KAPP)
    return KappApp(asked.name.removesuffix(APP_SUFFIX) or unit.release, namespace, UNKNOWN_LABEL) if is_own else None


def _with_earlier_revision(
    _: Applier, units: tuple[object, KappApp], both: ReadingPair, source: LiveSource, is_new: bool
) -> ReadingPair:
    """Return both readings with their deploys; the earlier one counts as deployed."""
    app = units[1]
    same = source.base.configs() if source.base else ()
    past, now = (replace(each, configs=(*each.configs, *same)) for each in both)
    before = with_configs(_repeated_deploy(app), (), past)[0]
    after, problems = with_configs(_repeated_deploy(app), _config_changes(before, now), now)
    policy, here = start_deploy(before, past.here, ClusterModel())
    return replace(past, policy=policy, here=here), replace(now, policy=after, problems=(*now.problems, *problems))


def _config_changes(before: KappDeploy, now: Reading) -> Iterator[Problem]:
    """Yield a problem if the Configs changed, since they also affect unchanged objects."""
    configs = [one for one in now.configs if is_config(one.value)]
    if [_without_ytt(one.value) for one in configs] != [*before.configs]:
        where = f"{configs[0].file}:{configs[0].line}" if configs else "kapp"
        yield Problem(where, "Configs of kapp changed: objects that did not change are not predicted", _WHOLE)


_WHOLE: Final = "compare with the cluster or a snapshot, which has the whole app: --against live"


def _repeated_deploy(app: KappApp) -> KappDeploy:
    # Unchanged manifests are not read, so an empty reading does not mean an empty app.
    """Return a deploy that accepts an empty set."""
    return KappDeploy(app, KappFlags(allows_empty=True))


def _with_cluster_state(_: Applier, app: KappApp, source: LiveSource, now: Reading) -> Reading:
    policy, problems = with_configs(*deploy_from_cluster(app, source, now), now)
    return replace(now, policy=policy, problems=(*now.problems, *problems))


def deploy_from_cluster(app: KappApp, source: LiveSource, found: Reading) -> _Deploy:
    """Return the deploy of an app from its ConfigMap in a cluster or snapshot; ``found`` has its objects.

    An app that the cluster does not have is deployed for the first time. If the ConfigMap cannot be read, the app label
    is that of the live objects of the set, and deletions are not known.
    """
    wanted = [ObjectRef("v1", "ConfigMap", app.namespace, f"{app.name}{suffix}") for suffix in (APP_SUFFIX, "")]
    states = source.states(wanted, []).states
    for ref in wanted:
        live = states[ref]
        if isinstance(live, Present):
            return _deploy_from_config_map(app, ref, live.object)
    unknown = [live.reason for live in states.values() if isinstance(live, Unknown)]
    if source.age_seconds is None and not unknown:
        return KappDeploy(replace(app, kinds=_NEVER)), ()
    why = f"the {source.origin} does not have it" if source.age_seconds is not None else unknown[0]
    label = _only_label(source.states([document.ref for document in found.here], []).states.values())
    problem = Problem(f"{wanted[-1]} in {app.namespace}", f"what kapp deletes is not known for certain: {why}")
    return KappDeploy(replace(app, label=label)), (problem,)


def _deploy_from_config_map(app: KappApp, ref: ObjectRef, config_map: JsonObject) -> _Deploy:
    """Return the deploy of an app from its ConfigMap; kapp does not start if it is unreadable."""
    try:
        spec = json.loads(text_at(config_map, "data", "spec"))
    except (ValueError, RecursionError):
        spec = None
    label = text_at(spec, "labelValue") if isinstance(spec, dict) else ""
    if not isinstance(spec, dict) or not label or text_at(spec, "labelKey") != APP_LABEL:
        where = f"App '{app.name}' (namespace: {app.namespace}) backed by ConfigMap '{ref.name}'"
        advice = "restore it, or name the deployed revision: --against REVISION"
        problem = Problem(f"{ref} in {ref.namespace}", "its data.spec does not describe an app of kapp", advice)
        return KappDeploy(app, refusal=f"{where} did not contain parseable app metadata"), (problem,)
    kinds = frozenset((text_at(each, "Group"), text_at(each, "Kind")) for each in objects_at(spec, "usedGKs"))
    namespaces = frozenset(texts_at(spec, "lastChange", "namespaces"))
    known = kinds if isinstance(spec.get("usedGKs"), list) else None
    return KappDeploy(replace(app, label=label, kinds=known, namespaces=namespaces)), ()


def _only_label(states: Iterable[Knowledge]) -> str:
    """Return the only app label among live objects, or ``UNKNOWN_LABEL`` for none or several."""
    every = {labels_of(live.object).get(APP_LABEL) for live in states if isinstance(live, Present)}
    labels = [label for label in every if isinstance(label, str)]
    return labels[0] if len(labels) == 1 else UNKNOWN_LABEL


def with_configs(policy: KappDeploy, problems: Iterable[Problem], found: Reading) -> _Deploy:
    """Return a deploy with the Configs next to its objects; ytt rebase rules are removed and reported."""
    configs = [one for one in found.configs if is_config(one.value)]
    by_ytt = [
        Problem(f"{one.file}:{one.line}", "rebase rules of ytt are not predicted")
        for one in configs
        if any(map(_is_by_ytt, objects_at(one.value, "rebaseRules")))
    ]
    return replace(policy, configs=tuple(_without_ytt(one.value) for one in configs)), (*problems, *by_ytt)


def _without_ytt(config: JsonObject) -> JsonObject:
    """Return a Config without its ytt rebase rules."""
    rules = [rule for rule in objects_at(config, "rebaseRules") if not _is_by_ytt(rule)]
    return {**config, "rebaseRules": rules} if "rebaseRules" in config else config


def _is_by_ytt(rule: JsonObject) -> bool:
    """Return whether a rebase rule is written in ytt."""
    return bool(rule.get("ytt"))


def without_configs(given: Input, policy: KappDeploy) -> Input:
    """Return the input without the Configs of the deploy among its skipped documents."""
    if not policy.configs:
        return given
    return replace(given, skipped=tuple(one for one in given.skipped if not is_config(one.value)))


def app_objects(app: KappApp, source: LiveSource, refs: Sequence[ObjectRef]) -> Objects:
    """Return the live objects with the label of an app, in its kinds and those of ``refs``."""
    if app.label == UNKNOWN_LABEL:
        return Objects((), ())
    kinds = None if app.kinds is None else {*app.kinds, *((ref.group, ref.kind) for ref in refs)}
    words = [f"{kind}.{group}".rstrip(".") for group, kind in sorted(kinds or ())]
    return source.labelled(words, f"{APP_LABEL}={app.label}", {*app.namespaces, *(ref.namespace for ref in refs)})


def first_deploy(policy: KappDeploy, source: LiveSource) -> Iterator[str]:
    """Yield a note if the cluster does not have the app, since its name may be wrong."""
    app = policy.app
    if app.label == UNKNOWN_LABEL and app.kinds == _NEVER:
        where = f"app {app.name} in {app.namespace}: not in the {source.origin}"
        yield f"{where}, predicted as its first deploy by kapp; --app NAME names another app"


def with_named(cluster: ClusterModel, found: Reading, source: LiveSource) -> ClusterModel:
    """Return a cluster with the live state of the names of new versions."""
    refs = [document.ref for document in found.here if document.ref.identity not in cluster.known]
    if source.base or not refs:
        return cluster
    asked = source.states(refs, found.schema.without_bundled().custom.keys())
    return cluster.with_states({ref.identity: live for ref, live in asked.states.items()})


def _deploy(app: KappApp, unit: Unit) -> str:
    """Return the command that deploys a unit as an app of kapp."""
    own = f"kapp deploy -a {quote(app.name)}{f' -n {quote(app.namespace)}' * bool(app.namespace)} -f "
    is_rendered = unit.form is Form.KUSTOMIZATION
    return f"kubectl kustomize {quote(unit.shown)} | {own}-" if is_rendered else f"{own}{quote(unit.shown)}"


def _holder(app: KappApp, document: Document) -> Holder | None:
    """Return the app, which rejects objects of other apps, or ``None`` for objects that it does not write."""
    is_free = bool(annotations_of(document.object).keys() & {EXISTS, NOOP})
    return None if is_free else Holder(app.name, app.namespace)


UNIT_PROGRAM: Final[UnitProgram[KappApp, KappDeploy]] = UnitProgram(
    _unit_of,
    _with_earlier_revision,
    _with_cluster_state,
    command=_deploy,
    deletable=lambda source, policy, refs: app_objects(policy.app, source, refs),
    looked_up=with_named,
    not_read=without_configs,
    notes=first_deploy,
    holder=_holder,
)
