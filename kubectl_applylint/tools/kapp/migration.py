"""Migration from ``kubectl apply`` or Helm to a kapp app: the commands and the first deploy."""

import shlex
from collections.abc import Iterator
from typing import Final

from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Present, annotations_of, labels_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.apply_mode import ApplyMode
from kubectl_applylint.ownership.commands import namespace_words
from kubectl_applylint.ownership.object_state import state_of
from kubectl_applylint.ownership.step import Step, StepKind, StepPlan, object_after
from kubectl_applylint.ownership.tool_migration import (
    Origin,
    forget_release,
    outcome_of,
    release_of,
    steps_or_contradiction,
    with_effect,
)
from kubectl_applylint.tools.kapp import program
from kubectl_applylint.tools.kapp.app import APP_LABEL, UNKNOWN_LABEL, KappApp
from kubectl_applylint.tools.kapp.defaults import GROUP
from kubectl_applylint.tools.kapp.deploy import KappDeploy

KAPP: Final = ApplyMode(Applier.KAPP, DEFAULT_MANAGERS[Applier.KAPP], is_by_kubectl=False)
UNSCOPED: Final = f"{GROUP}/disable-default-label-scoping-rules"
"""The annotation that keeps the label of an app out of selectors."""
_PLACEHOLDER: Final = "APP"
_REPLACES: Final = (
    "replaces the object with the manifest: what was written by hand, and labels and annotations of others, are removed"
)
_IMMUTABLE: Final = (
    f'add the annotation {UNSCOPED}: "" to the manifest: kapp adds its label to the selector, which cannot be changed'
)
_INVALID: Final = 422


def to_kapp(subject: Subject, live: JsonObject | None, origin: Origin | None) -> StepPlan:
    """Return the steps to bring an object into an app, each predicted on the result of the one before.

    The app is assumed to contain only this manifest, unchanged.
    """
    steps = steps_or_contradiction(live, origin, _steps(subject, live))
    records, namespace = f"{_PLACEHOLDER} {_PLACEHOLDER}.apps.k14s.io", namespace_words(subject.ref.namespace)
    return StepPlan(
        subject=subject,
        mode=KAPP,
        before=state_of(subject, live),
        after=state_of(subject, object_after(steps, live)),
        steps=steps,
        back=(
            f"kubectl delete configmap {records}{namespace} --ignore-not-found",
            f"kubectl delete configmap -l {GROUP}/app-change-app={_PLACEHOLDER}{namespace}",
        ),
    )


def _steps(subject: Subject, live: JsonObject | None) -> Iterator[Step]:
    """Yield a needed edit of the manifest, the deploy, and the removal from a Helm release."""
    call, outcome = Step(StepKind.RUN, _command(subject), _REPLACES), _deploy_outcome(subject, live)
    if outcome.status == _INVALID and UNSCOPED not in annotations_of(subject.manifest):
        edited = _with_annotation(subject)
        again = _deploy_outcome(edited, live)
        if not again.refused:
            yield Step(StepKind.EDIT, "", _IMMUTABLE, place=subject.document.locate(fields("metadata")))
            subject, outcome = edited, again
    step = with_effect(call, subject, KAPP, outcome, live)
    yield step
    if not step.is_blocked:
        yield from forget_release(release_of(live))


def _command(subject: Subject) -> str:
    """Return the kapp command line."""
    document, app = subject.document, f"kapp deploy -a {_PLACEHOLDER}{namespace_words(subject.ref.namespace)}"
    if document.rendering:
        # kapp cannot ask what it reads from, so it asks nothing.
        return f"{document.rendering.command} | {app} --yes -f -"
    return f"{app} -f {shlex.quote(document.file)}"


def _deploy_outcome(subject: Subject, live: JsonObject | None) -> Outcome:
    """Return the outcome of deploying the manifest, in a new app unless the object has an app label."""
    label = labels_of(live or {}).get(APP_LABEL)
    app = KappApp(_PLACEHOLDER, subject.ref.namespace, label if isinstance(label, str) else UNKNOWN_LABEL)
    there = {} if live is None else {subject.ref.identity: Present(live)}
    policy, written = program.start_deploy(KappDeploy(app), [subject.document], ClusterModel(there))
    sent = replace(subject, document=written[0]) if written else subject
    return outcome_of(program.predicting(policy, subject.schema), sent, live)


def _with_annotation(subject: Subject) -> Subject:
    """Return the subject with the annotation that keeps labels out of selectors."""
    metadata = mapping(subject.manifest.get("metadata"))
    annotations = {**annotations_of(subject.manifest), UNSCOPED: ""}
    item = {**subject.manifest, "metadata": {**metadata, "annotations": annotations}}
    return replace(subject, document=replace(subject.document, object=item))


MIGRATIONS: Final = {Applier.KAPP: to_kapp}
