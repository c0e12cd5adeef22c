"""How an object of a set is refused for what other objects of the set are, or are not yet, and what is left then."""

from dataclasses import replace
from typing import Final

from kubectl_applylint.core.outcome import FieldError, Outcome, PredictionError, Verdict
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, State, Unknown
from kubectl_applylint.core.values import JsonObject

NOT_REACHED: Final = "NotReached"
"""The reason of a refusal where the applier stops at another object."""
DEFINE_FIRST: Final = (
    "apply the CustomResourceDefinition by itself, wait for it with kubectl wait --for condition=established, and then"
    " apply everything again"
)
NAMESPACE_FIRST: Final = (
    "apply everything again once the Namespace exists, or rename its file so that it comes first (00-namespace.yaml)"
)


def known_object(known: Knowledge) -> JsonObject | None:
    """Return the object that is known to be there, ``None`` for anything else."""
    return known.object if isinstance(known, Present) else None


def is_lost(outcome: Outcome) -> bool:
    """Tell whether an object was deleted to be recreated, and its creation failed."""
    is_deleted = any(write.method == "DELETE" for write in outcome.requests)
    return outcome.refused and outcome.result is None and is_deleted


def refused(outcome: Outcome, state: State, *causes: FieldError, status: int | None, remedy: str = "") -> Outcome:
    """Return the outcome of an object that is refused for what is around it."""
    return replace(
        outcome,
        verdict=Verdict.REJECTED,
        requests=outcome.requests if status else (),
        result=known_object(state.live),
        intended=outcome.after,
        causes=causes,
        status=status,
        remedy=remedy,
    )


def no_kind(ref: ObjectRef) -> FieldError:
    """Return what kubectl says of an object whose kind no server has."""
    message = f'no matches for kind "{ref.kind}" in version "{ref.api_version}": ensure CRDs are installed first'
    return FieldError("", "NoKindMatch", message)


def no_namespace(namespace: str) -> FieldError:
    """Return what the server says of an object in a namespace that is not there."""
    return FieldError("", "NotFound", f'namespaces "{namespace}" not found')


def not_reached(ref: ObjectRef, applier: str) -> FieldError:
    """Return why nothing is written to an object because ``applier`` stops at another one."""
    return FieldError("", NOT_REACHED, f"not reached: {applier} stops at {ref}")


def left_by(outcome: Outcome | PredictionError, before: Knowledge) -> Knowledge:
    """Return what is known of an object after an apply of it that found ``before``."""
    if isinstance(outcome, PredictionError):
        return Unknown(f"the result of an apply cannot be predicted: {outcome}")
    if outcome.result is not None:
        return Present(outcome.result)
    return Absent() if not outcome.refused or is_lost(outcome) else before
