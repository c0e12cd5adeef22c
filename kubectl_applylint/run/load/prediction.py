"""Builds the functions that predict an apply with given flags, with the confidence of each outcome."""

from collections.abc import Callable, Iterator
from functools import partial

from kubectl_applylint.appliers.flags import Flags, Policy
from kubectl_applylint.appliers.request import Applier, ApplyRequest, Validation
from kubectl_applylint.core.outcome import Confidence, Outcome
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Absent, State, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine import transition
from kubectl_applylint.engine.bundled_definitions import sparing_bundled_definitions
from kubectl_applylint.engine.encrypted_values import assuming_encrypted_values
from kubectl_applylint.engine.placeholder_outcomes import sparing_placeholders
from kubectl_applylint.engine.predictions import Predict, cached_prediction
from kubectl_applylint.engine.program import program_of
from kubectl_applylint.engine.recent_outcomes import RecentOutcomes
from kubectl_applylint.engine.set_policies import program_policy
from kubectl_applylint.run.compare.live_source import SECONDS_A_DAY, age
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.tools.metacontroller.children import IN_PLACE, Sync


def predictor(
    schema: Schema, flags: Flags, policy: Policy | None = None, recent: RecentOutcomes | None = None
) -> Predict:
    """Return the cached function that predicts an apply with these flags, or by the program of the policy.

    ``recent`` has outcomes of other units and runs; it is used for applies by kubectl without a prune policy.
    """
    build = partial(_predictor, flags=flags, policy=policy)
    predict = _sparing_bundled_definitions(build, schema)
    if recent and policy is None:
        predict = recent.predict_by(predict, schema, (kubectl_settings(flags), flags.is_unit))
    return _cached_with_confidence(predict)


def _predictor(schema: Schema, flags: Flags, policy: Policy | None) -> Predict:
    own = program_policy(policy)
    predict = program_of(own.applier).predicting(own, schema) if own else _by_kubectl(schema, kubectl_settings(flags))
    # A unit of a repository may have placeholders, which are replaced before it is applied.
    return assuming_encrypted_values(sparing_placeholders(predict, schema)) if flags.is_unit else predict


def _sparing_bundled_definitions(build: Callable[[Schema], Predict], schema: Schema) -> Predict:
    """Return the prediction that ``build`` returns for a schema, which rejects nothing because of a bundled one."""
    predict = build(schema)
    return sparing_bundled_definitions(predict, build(schema.without_bundled()), schema) if schema.bundled else predict


def check_predictor(schema: Schema, policy: Policy | None) -> Predict | None:
    """Return the function that predicts the check of an object before the apply, or a stopped sync; ``None`` without.

    Flux and Argo CD check all objects before they apply the first one; a stopped sync is one of Metacontroller.
    """
    if isinstance(policy, Sync):
        stopped = kubectl_settings(Flags(sync=replace(policy, is_stopped=True)))
        return _cached_with_confidence(_by_kubectl(schema, stopped))
    own = program_policy(policy)
    check = program_of(own.applier).checking if own else None
    if own is None or check is None:
        return None
    return _cached_with_confidence(_sparing_bundled_definitions(partial(check, own), schema))


def _cached_with_confidence(attempt: Predict) -> Predict:
    """Return a prediction function that caches its outcomes and lowers the confidence for old or unseen states."""

    def predict(manifest: JsonObject, state: State) -> Outcome:
        outcome = attempt(manifest, state)
        confidence = _lower_confidence(outcome.confidence, state)
        return outcome if confidence is outcome.confidence else replace(outcome, confidence=confidence)

    return cached_prediction(predict)


@dataclass(frozen=True, slots=True)
class KubectlSettings:
    """The settings that a prediction of kubectl or Metacontroller depends on, besides manifest, state and schema."""

    applier: Applier
    field_manager: str | None
    force_conflicts: bool
    sync: Sync
    overwrite: bool
    force: bool
    validation: Validation
    subresource: str
    tracks_owners: bool
    """Whether owners of fields are predicted for a known live object."""
    tracks_first_owners: bool
    """The same for an unknown one."""


def kubectl_settings(flags: Flags) -> KubectlSettings:
    """Return the settings of flags that a prediction depends on; units of other flags may share them."""
    return KubectlSettings(
        applier=flags.applier,
        field_manager=flags.field_manager or None,
        force_conflicts=flags.force_conflicts,
        sync=flags.sync or IN_PLACE,
        overwrite=flags.overwrite,
        force=flags.force,
        validation=flags.validation,
        subresource=flags.subresource,
        tracks_owners=flags.tracks_owners(Absent()),
        tracks_first_owners=flags.tracks_owners(Unknown("")),
    )


def _by_kubectl(schema: Schema, settings: KubectlSettings) -> Predict:
    def predict(manifest: JsonObject, state: State) -> Outcome:
        request = ApplyRequest(
            manifest=manifest,
            state=state,
            schema=schema,
            applier=settings.applier,
            field_manager=settings.field_manager,
            force_conflicts=settings.force_conflicts,
            sync=settings.sync,
            overwrite=settings.overwrite,
            force=settings.force,
            validation=settings.validation,
            subresource=settings.subresource,
            cluster_view=state.cluster_view(),
            tracks_owners=(settings.tracks_first_owners if isinstance(state.live, Unknown) else settings.tracks_owners),
        )
        return engine.predict(request)

    return predict


def earlier_predictor(schema: Schema, flags: Flags, policy: Policy | None = None) -> Predict:
    """Return the function that predicts the earlier applies: of whole objects, even if a subresource is applied now."""
    return predictor(schema, replace(flags, subresource=""), policy)


def _lower_confidence(confidence: Confidence, state: State) -> Confidence:
    """Return the confidence of a prediction, lowered if the state is old or was not read from a cluster."""
    return confidence.with_doubts(*_doubts(state))


def _doubts(state: State) -> Iterator[str]:
    if state.simulated:
        yield transition.unseen_reason(state.origin)
    if (state.age_seconds or 0) >= SECONDS_A_DAY:
        yield f"the {state.origin} is {age(state.age_seconds or 0)}"
