"""Migration from client-side apply to server-side apply and back: the commands and their effects."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import chain

from kubectl_applylint.core.values import JsonObject, equal
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.merge.server_side import UPDATE
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, SERVER_SIDE, ApplyMode, mode_of
from kubectl_applylint.ownership.commands import apply_command, by_source, diff_command
from kubectl_applylint.ownership.effect import effect_of, forced_step
from kubectl_applylint.ownership.field_ownership import FieldOwnership, ownership_of
from kubectl_applylint.ownership.object_state import ObjectState, state_of
from kubectl_applylint.ownership.step import Step, StepKind, StepPlan, object_after
from kubectl_applylint.server.ownership import without_managed_fields

_TO_SERVER_REASON = "applies server-side: the field manager kubectl (Apply) then owns the fields of the manifest"
_TO_CLIENT_REASON = "applies client-side, which writes the last-applied annotation"
_DELETE_FIRST_REASON = (
    "deletes what was removed from the manifest while its owner is still recorded: client-side apply would not know"
    " about it"
)


class MergeSite(StrEnum):
    """The side that merges."""

    SERVER = "server"
    CLIENT = "client"

    @property
    def mode(self) -> ApplyMode:
        """The mode of ``kubectl apply`` on this side."""
        return SERVER_SIDE if self is MergeSite.SERVER else CLIENT_SIDE


def migration(subject: Subject, live: JsonObject | None, to: MergeSite) -> StepPlan:
    """Return the steps that migrate a subject's object to a side, each predicted on the result of the last one."""
    before = state_of(subject, live)
    steps = tuple(_steps(subject, live, to, before))
    by_force = forced_step(subject, object_after(steps[:-1], live), steps[-1]) if steps else None
    final = object_after((*steps, *((by_force,) if by_force else ())), live)
    return StepPlan(
        subject=subject,
        mode=to.mode,
        before=before,
        after=state_of(subject, object_after(steps, live)),
        steps=steps,
        alternative=by_force,
        leftovers=tuple(_leftovers(subject, final)) if final is not None and to is MergeSite.SERVER else (),
        check=(diff_command(to.mode, [subject]),),
        back=tuple(_reverse_commands(subject, final, to)),
    )


def _steps(subject: Subject, live: JsonObject | None, to: MergeSite, state: ObjectState) -> Iterator[Step]:
    """Yield the steps of a migration."""
    if to is MergeSite.SERVER:
        if state is not ObjectState.SERVER_SIDE:
            yield _apply(subject, live, SERVER_SIDE, _TO_SERVER_REASON)
        return
    if state in (ObjectState.SERVER_SIDE, ObjectState.MIXED) and live is not None:
        first = _apply(subject, live, mode_of(live), _DELETE_FIRST_REASON)
        result = object_after([first], live)
        if not first.is_blocked and _is_changed(result, live):
            yield first
            live = result
    if not state.is_client_side:
        yield _apply(subject, live, CLIENT_SIDE, _TO_CLIENT_REASON)


def _apply(subject: Subject, live: JsonObject | None, mode: ApplyMode, why: str) -> Step:
    return Step(StepKind.RUN, apply_command(mode, [subject]), why, effect_of(subject, mode, live))


def _is_changed(result: JsonObject | None, live: JsonObject) -> bool:
    return result is not None and not equal(_content(result), _content(live))


def _content(stored: JsonObject) -> JsonObject:
    """Return a stored object without versions and managedFields."""
    bare = without_managed_fields(stored)
    made = ("resourceVersion", "generation")
    return {**bare, "metadata": {key: value for key, value in bare["metadata"].items() if key not in made}}


def _leftovers(subject: Subject, final: JsonObject) -> Iterator[FieldOwnership]:
    """Yield the fields of the manifest that imperative commands also own."""
    for field in ownership_of(final, subject.kind).shared:
        if any(m.operation == UPDATE and m.name.startswith("kubectl") for m in field.managers):
            yield field


def _reverse_commands(subject: Subject, final: JsonObject | None, to: MergeSite) -> Iterable[str]:
    if final is None:
        return ()
    other = MergeSite.CLIENT if to is MergeSite.SERVER else MergeSite.SERVER
    return (step.command for step in _steps(subject, final, other, state_of(subject, final)))


def ordered_commands(plans: Sequence[StepPlan]) -> tuple[str, ...]:
    """Return the commands for all objects, one apply for each file and mode, server-side applies first."""
    if not all(plan.mode.is_by_kubectl for plan in plans):
        return tuple(dict.fromkeys(chain.from_iterable(_commands_in_order(plans))))
    applies = [(step.effect.mode, step, plan.subject) for plan in plans for step in plan.steps if step.effect]
    modes = sorted(dict.fromkeys(mode for mode, _, _ in applies), key=lambda mode: not mode.is_server_side)
    by_mode = ([(step, subject) for each, step, subject in applies if each == mode] for mode in modes)
    return tuple(chain.from_iterable(map(_commands_in_mode, modes, by_mode)))


def _commands_in_mode(mode: ApplyMode, applies: Sequence[tuple[Step, Subject]]) -> Iterator[str]:
    """Yield the applies in one mode: one for each file, and each command for rendered objects once."""
    in_files = [subject for _, subject in applies if subject.document.rendering is None]
    yield from (apply_command(mode, subjects) for subjects in by_source(in_files))
    yield from dict.fromkeys(step.command for step, subject in applies if subject.document.rendering)


def _commands_in_order(plans: Sequence[StepPlan]) -> Iterator[Iterable[str]]:
    """Yield the commands before another program applies, its own for all objects, and those after it."""
    split = [(plan.steps, _position(plan)) for plan in plans]
    before = [step for steps, at in split for step in steps[:at]]
    own = [step for steps, at in split for step in steps[at : at + 1]]
    after = [step for steps, at in split for step in steps[at + 1 :]]
    yield from ([step.command for step in steps if step.command] for steps in (before, own, after))


def _position(plan: StepPlan) -> int:
    """Return the index of the step in which the program applies, or the number of steps without one."""
    own = (number for number, step in enumerate(plan.steps) if step.effect and step.effect.mode == plan.mode)
    return next(own, len(plan.steps))


def checks(plans: Sequence[StepPlan]) -> tuple[str, ...]:
    """Return the commands that print nothing after all steps, for kubectl one for each file."""
    if not all(plan.mode.is_by_kubectl for plan in plans):
        return tuple(dict.fromkeys(command for plan in plans for command in plan.check))
    mode = SERVER_SIDE if any(plan.mode.is_server_side for plan in plans) else CLIENT_SIDE
    return tuple(diff_command(mode, subjects) for subjects in by_source([plan.subject for plan in plans]))
