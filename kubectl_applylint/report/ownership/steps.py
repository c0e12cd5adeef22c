"""The steps of ``adopt``, ``migrate`` and ``handover``: as text, as shell script, and as JSON for programs."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import chain, groupby

from kubectl_applylint.core.outcome import Change, Outcome, plain
from kubectl_applylint.core.paths import Path, render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.ownership.commands import HERE_DOCUMENT
from kubectl_applylint.ownership.field_ownership import FieldOwnership, Manager, ObjectOwnership, manager_json
from kubectl_applylint.ownership.migration import checks, ordered_commands
from kubectl_applylint.ownership.step import Cleanup, Effect, Reset, Step, StepKind, StepPlan
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ownership.owners import object_title
from kubectl_applylint.report.ownership.pages import json_page, name_json, text_page
from kubectl_applylint.report.words import count, paint, show, wrap

_MOST_NAMED = 8
_PIPED = "… is the command whose output -f - reads here"
_TWO_OWNERS = (
    "after that two managers own the fields, kubectl (Apply) and kubectl-client-side-apply (Update): client-side apply"
    " does not remove the entry of a server-side apply"
)


class Planner(StrEnum):
    """The command that planned; ``handover`` prints a shell script, ``migrate`` ends with all commands."""

    ADOPT = "adopt"
    MIGRATE = "migrate"
    HANDOVER = "handover"


def steps_text(planner: Planner, plans: Sequence[StepPlan], problems: Sequence[Problem], context: Context) -> str:
    """Return a block for every object: its state, and the steps with what each does."""
    lines = _shell_lines if planner is Planner.HANDOVER else _lines
    blocks = ["\n".join(lines(plan, context)) for plan in plans]
    if planner is Planner.MIGRATE and plans:
        blocks.append("\n".join(_commands(plans, context)))
    return text_page(blocks, problems, context)


def steps_json(planner: Planner, plans: Sequence[StepPlan], problems: Sequence[Problem]) -> str:
    """Return the steps as JSON, as ``schemas/steps-v1.json`` describes it."""
    commands = [*ordered_commands(plans)] if planner is Planner.MIGRATE else []
    return json_page("steps", [_plan_json(plan) for plan in plans], problems, command=planner.value, commands=commands)


def _lines(plan: StepPlan, context: Context) -> Iterator[str]:
    """Yield the plan of one object as numbered steps."""
    nothing = "" if plan.steps else ", nothing to do"
    title = paint("place", object_title(plan.subject.ref), context)
    yield wrap(f"{title}: {plan.before}{nothing}", context, indent="  ")
    for number, step in enumerate(plan.steps, start=1):
        yield from _action_line(f"  {number}. ", step)
        yield from _indented_lines(_step_lines(step, context), context)
    if plan.alternative is not None:
        yield from _action_line("  or ", plan.alternative)
        yield from _indented_lines(_step_lines(_without_known(plan.alternative, plan.steps), context), context)
    yield from _indented_lines(
        _field_line("stays if its line is removed, because others own it, too", plan.leftovers, context), context
    )
    if plan.cleanup is not None:
        yield from _cleanup(plan.cleanup, context)


def _shell_lines(plan: StepPlan, context: Context) -> Iterator[str]:
    """Yield the steps of one object as a shell script: comments with the effects, then the command."""
    for step in plan.steps:
        where = f"{step.place}: " if step.place is not None else ""
        edit = "edit: " if step.kind is StepKind.EDIT else ""
        blocked = "no safe step: " if step.kind is StepKind.BLOCKED else ""
        # A line break in the name of a file would end the comment.
        first, *more = _step_lines(replace(step, why=where + edit + blocked + step.why), context)
        yield from (wrap(f"# {line}", context, indent="# ") for line in (first, *more))
        # Control characters in JSON are escapes already, so what is typed is what is shown.
        if step.command:
            yield step.command


def _indented_lines(lines: Iterable[str], context: Context) -> Iterator[str]:
    """Yield lines below a step, wrapped."""
    return (wrap(f"     {line}", context, indent="       ") for line in lines)


def _action_line(start: str, step: Step) -> Iterator[str]:
    if step.kind is StepKind.EDIT:
        yield one_line(f"{start}edit {step.place}")
    else:
        yield from _command_lines(start, step.command or step.kind.value)


def _command_lines(start: str, command: str) -> Iterator[str]:
    """Yield a command behind ``start``; its here-document begins at the start of lines, as shells need it."""
    first, here, text = command.partition(HERE_DOCUMENT)
    yield start + one_line(first + here.rstrip("\n"))
    # Control characters in JSON are escapes already, so what is typed is what is shown.
    yield from text.splitlines()


def _without_known(alternative: Step, steps: Sequence[Step]) -> Step:
    """Return the alternative without the values that a step sets as well."""
    effect = alternative.effect
    known = {path for step in steps if step.effect and not step.is_blocked for path in _reset_paths(step.effect)}
    if effect is None or not known:
        return alternative
    resets = tuple(reset for reset in effect.resets if reset.change.path not in known)
    taken = tuple(each for each in effect.taken if each.path not in known)
    return replace(alternative, effect=replace(effect, resets=resets, taken=taken))


def _reset_paths(effect: Effect) -> Iterable[Path]:
    return (reset.change.path for reset in effect.resets)


def _step_lines(step: Step, context: Context) -> Iterator[str]:
    """Yield the reason of a step, then its effects."""
    yield one_line(step.why)
    if step.command.startswith("… | "):
        yield _PIPED
    effect = step.effect
    if effect is None:
        return
    if step.kind is not StepKind.DONE:
        yield from _verdict_lines(effect.outcome, context)
    if effect.outcome.refused:
        return
    yield from _value_lines(effect, context)
    if step.kind is not StepKind.DONE:
        yield from _owner_lines(effect, context)
    yield from _staying_lines(effect, context)


def _verdict_lines(outcome: Outcome, context: Context) -> Iterator[str]:
    """Yield the result of a command, and why it is rejected, if it is."""
    restarts = ", its pods restart" if outcome.restarts and not outcome.refused else ""
    yield f"{paint('error' if outcome.refused else 'changed', outcome.verdict.value, context)}{restarts}"
    for cause in () if outcome.conflicts else outcome.errors:
        yield one_line(f"rejected: {cause.field}: {cause.message}" if cause.field else f"rejected: {cause.message}")
    for conflict in outcome.conflicts:
        yield one_line(f"conflict: {conflict.owner.name} owns {render(conflict.path)} with another value")


def _value_lines(effect: Effect, context: Context) -> Iterator[str]:
    """Yield the values that a step changes."""
    for reset in effect.resets:
        yield one_line(_reset(reset, context))
    for change in effect.deletes:
        yield one_line(f"deletes {render(change.path)}: {show(change.before, whole=context.verbose)}")
    known = {*_reset_paths(effect)}
    for taken in (each for each in effect.taken if each.path not in known):
        losers = ", ".join(sorted({owner.name for owner in taken.lost}))
        yield one_line(f"takes {render(taken.path)} from {losers}")


def _reset(reset: Reset, context: Context) -> str:
    change, place = reset.change, reset.place
    before, after = (show(side, whole=context.verbose) for side in (change.before, change.after))
    words = f"sets {render(change.path)} from {before} ({_writer_words(reset.writers)}) to {after}"
    keep = f"; to keep {before}, write it in {place}" if place.is_text else ""
    return f"{words}{keep}{reset.handover and f', or leave the field to its writer: {reset.handover}'}"


def _writer_words(writers: Sequence[Manager]) -> str:
    """Return the names of the writers of a value."""
    names = " and ".join(dict.fromkeys(writer.title for writer in writers))
    return f"written by {names}" if names else "writer unknown"


def _owner_lines(effect: Effect, context: Context) -> Iterator[str]:
    owners = effect.owners
    if owners is None or not (effect.outcome.owner_changes or context.verbose):
        return
    listed = [f"{m.title} ({m.operation}) {count(len(owners.of(m)), 'field')}" for m in owners.managers]
    unowned = len(owners.unowned)
    rest = [f"no owner {count(unowned, 'field')}"] if unowned else []
    yield one_line(f"owners afterwards: {', '.join([*listed, *rest])}")
    for manager in owners.managers if context.verbose else ():
        yield from _field_line(manager.title, owners.of(manager), context)
    yield from _field_line("to no owner, so that no later apply removes it", effect.orphans, context)


def _staying_lines(effect: Effect, context: Context) -> Iterator[str]:
    """Yield the fields that stay although the file does not have them, by manager."""
    orphans = {field.path for field in effect.orphans}
    stays = sorted((field for field in effect.stays if field.path not in orphans), key=lambda field: field.managers)
    for managers, owned in groupby(stays, key=lambda field: field.managers):
        names = " and ".join(dict.fromkeys(manager.title for manager in managers))
        yield from _field_line(f"stays, though not in the file ({names or 'no owner'})", [*owned], context)


def _field_line(what: str, owned: Sequence[FieldOwnership], context: Context) -> Iterator[str]:
    """Yield one line with the names of the first fields, of all with ``-v``; none for no fields."""
    if owned:
        named = owned if context.verbose else owned[:_MOST_NAMED]
        more = f" and {len(owned) - len(named)} more (-v to list)" if len(named) < len(owned) else ""
        yield one_line(f"{what}: {', '.join(render(field.path) for field in named)}{more}")


def _cleanup(cleanup: Cleanup, context: Context) -> Iterator[str]:
    yield f"  to delete it later: {one_line(cleanup.delete)}"
    yield from _indented_lines(map(one_line, cleanup.also_deleted), context)
    if not cleanup.prune:
        return
    yield f"  or remove its manifest from the folder, and prune: {one_line(cleanup.prune)}"
    if cleanup.pruned:
        yield from _indented_lines([one_line(f"also deletes: {', '.join(map(str, cleanup.pruned))}")], context)


def _commands(plans: Sequence[StepPlan], context: Context) -> Iterator[str]:
    """Yield the commands for all objects, the check and the commands to revert."""
    commands = ordered_commands(plans)
    if commands:
        is_blocked = any(plan.is_blocked for plan in plans)
        yield "commands, once what is rejected above is resolved:" if is_blocked else "commands, in this order:"
        yield from chain.from_iterable(_command_lines("  ", command) for command in commands)
    checked = checks(plans)
    if checked:
        yield "check, prints nothing when all is done:"
        yield from (f"  {one_line(command)}" for command in checked)
    back = dict.fromkeys(command for plan in plans for command in plan.back)
    if back and commands:
        yield "to go back:"
        yield from chain.from_iterable(_command_lines("  ", command) for command in back)
        if any(plan.mode.is_server_side and plan.mode.is_by_kubectl for plan in plans):
            yield wrap(f"  # {_TWO_OWNERS}", context, indent="  # ")


def _plan_json(plan: StepPlan) -> Json:
    return {
        **name_json(plan.subject.ref),
        "before": plan.before.key,
        "after": plan.after.key,
        "serverSide": plan.mode.is_server_side,
        "blocked": plan.is_blocked,
        "steps": [_step_json(step) for step in plan.steps],
        "alternative": plan.alternative and _step_json(plan.alternative),
        "leftovers": [render(field.path) for field in plan.leftovers],
        "check": [*plan.check],
        "back": [*plan.back],
        "cleanup": plan.cleanup and _cleanup_json(plan.cleanup),
    }


def _step_json(step: Step) -> Json:
    return {
        "kind": step.kind.value,
        "command": step.command or None,
        "why": step.why,
        "place": step.place and str(step.place),
        "effect": step.effect and _effect_json(step.effect),
    }


def _effect_json(effect: Effect) -> Json:
    outcome, owners = effect.outcome, effect.owners
    return {
        "verdict": outcome.verdict.value,
        "restarts": outcome.restarts,
        "causes": [{"field": c.field, "reason": c.reason, "message": c.message} for c in outcome.errors],
        "conflicts": [{"path": render(c.path), "manager": c.owner.name} for c in outcome.conflicts],
        "resets": [_reset_json(reset) for reset in effect.resets],
        "deletes": [*map(_change_json, effect.deletes)],
        "stays": [
            {"path": render(field.path), "managers": [*map(manager_json, field.managers)]} for field in effect.stays
        ],
        "taken": [{"path": render(t.path), "from": sorted({owner.name for owner in t.lost})} for t in effect.taken],
        "owners": [*_owners_json(owners)] if owners else [],
        "orphans": [render(field.path) for field in effect.orphans],
        "unownedDefaults": effect.defaults,
    }


def _owners_json(owners: ObjectOwnership) -> Iterator[Json]:
    for manager in owners.managers:
        yield {**manager_json(manager), "fields": [render(field.path) for field in owners.of(manager)]}


def _reset_json(reset: Reset) -> Json:
    return {
        **_change_json(reset.change),
        "writers": [*map(manager_json, reset.writers)],
        "place": str(reset.place),
        "handover": reset.handover or None,
    }


def _change_json(change: Change) -> dict[str, Json]:
    return {
        "path": render(change.path),
        **({} if change.before is MISSING else {"before": plain(change.before)}),
        **({} if change.after is MISSING else {"after": plain(change.after)}),
    }


def _cleanup_json(cleanup: Cleanup) -> Json:
    return {
        "command": cleanup.delete,
        "alsoDeleted": [*cleanup.also_deleted],
        "prune": cleanup.prune or None,
        "pruned": [*map(str, cleanup.pruned)],
        "noPrune": cleanup.no_prune or None,
    }
