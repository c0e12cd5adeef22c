"""Rejections of an object because of other objects of its set, and the state that they leave."""

from typing import Final

from kubectl_applylint.core.outcome import FieldError, Outcome, PredictionError, Verdict
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, State, Unknown
from kubectl_applylint.core.values import JsonObject

NOT_REACHED: Final = "NotReached"
"""The reason of a rejection after the applier stopped at another object."""
DEFINE_FIRST: Final = (
    "apply the CustomResourceDefinition by itself, wait for it with kubectl wait --for condition=established, and then"
    " apply everything again"
)
NAMESPACE_FIRST: Final = (
    "apply everything again once the Namespace exists, or rename its file so that it comes first (00-namespace.yaml)"
)


def known_object(known: Knowledge) -> JsonObject | None:
    """Return the object if it is known to exist, else ``None``."""
    return known.object if isinstance(known, Present) else None


def is_lost(outcome: Outcome) -> bool:
    """Return whether an object was deleted to be recreated, and its creation failed."""
    is_deleted = any(write.method == "DELETE" for write in outcome.requests)
    return outcome.refused and outcome.result is None and is_deleted


def rejected_outcome(
    outcome: Outcome, state: State, *causes: FieldError, status: int | None, remedy: str = ""
) -> Outcome:
    """Return the outcome of an object that is rejected because of other objects."""
    return replace(
        outcome,
        verdict=Verdict.REJECTED,
        requests=outcome.requests if status else (),
        result=known_object(state.live),
        intended=outcome.after,
        errors=causes,
        status=status,
        remedy=remedy,
    )


def no_kind(ref: ObjectRef) -> FieldError:
    """Return kubectl's error for an object whose kind the server does not serve."""
    message = f'no matches for kind "{ref.kind}" in version "{ref.api_version}": ensure CRDs are installed first'
    return FieldError("", "NoKindMatch", message)


def no_namespace(namespace: str) -> FieldError:
    """Return the server's error for an object in a namespace that does not exist."""
    return FieldError("", "NotFound", f'namespaces "{namespace}" not found')


def not_reached(ref: ObjectRef, applier: str) -> FieldError:
    """Return the error of an object that is not written because ``applier`` stopped at another one."""
    return FieldError("", NOT_REACHED, f"not reached: {applier} stops at {ref}")


def state_left_by(outcome: Outcome | PredictionError, before: Knowledge) -> Knowledge:
    """Return the state of an object after an apply of it that found ``before``."""
    if isinstance(outcome, PredictionError):
        return Unknown(f"the result of an apply cannot be predicted: {outcome}")
    if outcome.result is not None:
        return Present(outcome.result)
    return Absent() if not outcome.refused or is_lost(outcome) else before
