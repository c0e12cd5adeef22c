"""Makes of flags and of what is known what predicts each apply of a run, and how far to trust that."""

from collections.abc import Iterator
from dataclasses import replace

from kubectl_applylint.appliers.argocd.application import ArgoSync
from kubectl_applylint.appliers.children import IN_PLACE
from kubectl_applylint.appliers.flags import Flags, Policy
from kubectl_applylint.appliers.flux.kustomization import Reconciliation
from kubectl_applylint.appliers.helm.upgrade import HelmUpgrade
from kubectl_applylint.appliers.kapp.deploy import KappDeploy
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import Confidence, Level, Outcome
from kubectl_applylint.core.state import State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import argocd_sync, flux_apply, helm_upgrade, kapp_deploy, transition
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine.predictions import Predict, predicted_once
from kubectl_applylint.run.live_source import SECONDS_A_DAY, age
from kubectl_applylint.schema.types import Schema


def predicting(schema: Schema, flags: Flags, policy: Policy | None = None) -> Predict:
    """Return what predicts an apply with these flags, or what others write if the policy is theirs, each once."""
    match policy:
        case HelmUpgrade():
            return _trusted(helm_upgrade.predicting(policy, schema))
        case Reconciliation():
            return _trusted(flux_apply.predicting(policy, schema))
        case ArgoSync():
            return _trusted(argocd_sync.predicting(policy, schema))
        case KappDeploy():
            return _trusted(kapp_deploy.predicting(policy, schema))
        case _:
            return _trusted(_by_kubectl(schema, flags))


def checking(schema: Schema, policy: Policy | None) -> Predict | None:
    """Return what predicts the checks of Flux or Argo CD; ``None`` where something else applies."""
    match policy:
        case Reconciliation():
            return _trusted(flux_apply.predicting(policy, schema, only_checks=True))
        case ArgoSync():
            return _trusted(argocd_sync.predicting(policy, schema, only_checks=True))
        case _:
            return None


def _trusted(attempt: Predict) -> Predict:
    """Return the prediction, made once for each question, with how far to trust it."""

    def predict(manifest: JsonObject, state: State) -> Outcome:
        outcome = attempt(manifest, state)
        return replace(outcome, confidence=_aged(outcome.confidence, state))

    return predicted_once(predict)


def _by_kubectl(schema: Schema, flags: Flags) -> Predict:
    def predict(manifest: JsonObject, state: State) -> Outcome:
        request = ApplyRequest(
            manifest=manifest,
            state=state,
            schema=schema,
            applier=flags.applier,
            field_manager=flags.field_manager or None,
            force_conflicts=flags.force_conflicts,
            sync=flags.sync or IN_PLACE,
            overwrite=flags.overwrite,
            force=flags.force,
            validation=flags.validation,
            subresource=flags.subresource,
            surroundings=state.cluster_view(),
        )
        return engine.predict(request)

    return predict


def predicting_earlier(schema: Schema, flags: Flags, policy: Policy | None = None) -> Predict:
    """Return what predicts the applies that came before: of the objects themselves, whatever is written to now."""
    return predicting(schema, replace(flags, subresource=""), policy)


def _aged(confidence: Confidence, state: State) -> Confidence:
    """Return how far to trust a prediction from a state that may have changed since, or that nobody has seen."""
    doubts = tuple(_doubts(state))
    if not doubts:
        return confidence
    level = Level.MEDIUM if confidence.level is Level.HIGH else confidence.level
    return replace(confidence, level=level, reasons=(*confidence.reasons, *doubts))


def _doubts(state: State) -> Iterator[str]:
    if state.simulated:
        yield transition.unseen(state.origin)
    if (state.age_seconds or 0) >= SECONDS_A_DAY:
        yield f"the {state.origin} is {age(state.age_seconds or 0)}"
