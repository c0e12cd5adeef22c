"""Simulates the commands of a fix on one object, up to the last apply."""

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any, TypeAlias

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.outcome import Write
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Absent, Knowledge, Present, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.set_apply import SetApply, apply_other
from kubectl_applylint.lint.applicability import with_cases
from kubectl_applylint.lint.fixes.commands import Apply, Command, Delete, MergePatch, NoChange, Removal
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.lint.subjects import scenarios
from kubectl_applylint.server.ownership import context_of
from kubectl_applylint.server.write import JSON_BODY, MERGE_PATCH, Server, Stored, answer

PredictWith: TypeAlias = Callable[[Flags], Predict]
"""Returns the function that predicts an apply with these flags."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The state between two commands: the object at ``position`` of an apply, and the whole apply."""

    subject: Subject
    whole: SetApply
    position: int
    predict_with: PredictWith


def simulate(simulation: Simulation, commands: Sequence[Command]) -> Simulation | None:
    """Return the state in which the last command meets the object, with the flags of that command.

    ``None`` if that is unknown, if a command is rejected, or if nothing differs from before.
    """
    writing = [one for one in commands if not isinstance(one, NoChange)]
    now: Simulation | None = simulation
    for number, one in enumerate(writing, start=1):
        now = now and _after(now, one, is_last=number == len(writing))
    if now is None or (
        now.subject.state.live == simulation.subject.state.live and now.subject.flags == simulation.subject.flags
    ):
        return None
    return now


def _after(simulation: Simulation, done: Command, *, is_last: bool) -> Simulation | None:
    """Return the state after a command, or before the last apply; ``None`` if unknown or rejected."""
    live = simulation.subject.state.live
    match done:
        case Delete():
            return _with_live(simulation, Absent())
        case MergePatch() as patch:
            return _after_write(simulation, Write("PATCH", MERGE_PATCH, patch.body, (("fieldManager", patch.manager),)))
        case Removal(pointers) if isinstance(live, Present):
            left = _without(live.object, pointers)
            put = left and Write("PUT", JSON_BODY, left, (("fieldManager", "kubectl-patch"),))
            return _after_write(simulation, put) if put else None
        case Apply() as apply if _applies_object(apply, simulation.subject):
            flags = replace(
                simulation.subject.flags,
                server_side=apply.server_side,
                force_conflicts=apply.force_conflicts,
                field_manager=apply.field_manager,
            )
            flagged = simulation if flags == simulation.subject.flags else _with_flags(simulation, flags)
            return flagged if is_last else _after_apply(flagged)
        case _:
            return None


def _applies_object(apply: Apply, subject: Subject) -> bool:
    """Return whether an apply reads the file of the object, which kubectl applies."""
    flags, file = subject.flags, subject.document.file
    is_piped = subject.document.rendering is not None and apply.files == ("-",)
    is_named = is_piped or any(name == file or file.startswith(f"{name.rstrip('/')}/") for name in apply.files)
    return flags.sync is None and (is_named or bool(apply.kustomization))


def _after_write(simulation: Simulation, write: Write) -> Simulation | None:
    """Return the state after a write to a known live object, ``None`` if it is rejected."""
    subject = simulation.subject
    if subject.state.simulated or not isinstance(subject.state.live, Present):
        return None
    context = context_of(subject.kind, subject.schema, subject.ref.api_version)
    server = Server(subject.kind, subject.schema.version, context=context, cluster_view=subject.state.cluster_view())
    answered = answer(write, subject.state.live.object, server)
    return _with_live(simulation, Present(answered.object)) if isinstance(answered, Stored) else None


def _without(live: JsonObject, pointers: Sequence[Sequence[str]]) -> JsonObject | None:
    """Return an object without the values at the pointers, ``None`` if one of them does not exist."""
    try:
        return reduce(_remove_pointer, pointers, live)
    except (LookupError, TypeError, ValueError):
        return None


def _remove_pointer(value: Any, pointer: Sequence[str]) -> Any:
    """Return a value without the one at a pointer; raise the error of a missing key or index."""
    step, *inner = pointer
    if isinstance(value, list):
        at = int(step)
        below = [_remove_pointer(value[at], inner)] if inner else []
        return [*value[:at], *below, *value[at + 1 :]]
    changed = _remove_pointer(value[step], inner) if inner else value[step]
    return {key: changed if key == step else item for key, item in value.items() if inner or key != step}


def _with_live(simulation: Simulation, live: Knowledge) -> Simulation:
    """Return the state with another live object."""
    subject, whole = simulation.subject, simulation.whole
    cluster = whole.cluster.with_states({subject.ref.identity: live})
    state = replace(subject.state, live=live, simulated=False)
    base = Absent() if isinstance(live, Absent) and isinstance(subject.base, Present) else subject.base
    found = replace(subject, state=state, base=base, alternatives=())
    return _with_prediction(
        replace(simulation, subject=found, whole=apply_other(whole, whole.documents.every, cluster))
    )


def _with_flags(simulation: Simulation, flags: Flags) -> Simulation:
    """Return the state with other flags."""
    whole = replace(simulation.whole, predict=simulation.predict_with(flags))
    rebuilt = apply_other(whole, whole.documents.every, whole.cluster)
    return _with_prediction(replace(simulation, subject=replace(simulation.subject, flags=flags), whole=rebuilt))


def _with_prediction(simulation: Simulation) -> Simulation:
    """Return the state with the prediction of its apply in all open cases."""
    subject, whole = simulation.subject, simulation.whole
    # A live object that is only assumed is not in the state of the whole set.
    is_known = not isinstance(whole.state(subject.ref).live, Unknown)
    applied = partial(whole.outcome, simulation.position) if is_known else None
    predict = scenarios(subject.manifest, subject.state, whole.predict, applied)
    found = replace(subject, predict=predict, alternatives=())
    return replace(
        simulation, subject=with_cases(found, subject.earlier, whole.predict) if subject.alternatives else found
    )


def _after_apply(simulation: Simulation) -> Simulation | None:
    """Return the state after an apply of a known object, ``None`` if it is rejected."""
    outcome = simulation.whole.outcome(simulation.position)
    is_seen = not simulation.subject.state.simulated
    return (
        _with_live(simulation, Present(outcome.result)) if is_seen and not outcome.refused and outcome.result else None
    )
