"""The way from client-side apply to server-side apply or back, for people and for programs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kubectl_applylint.core.outcome import Change, Outcome, plain
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.ownership.field_ownership import FieldOwnership, ObjectOwnership, manager_json
from kubectl_applylint.ownership.migration import Migration, Move, Side, Stage, checks, ordered
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.masking import mask_change, mask_outcome
from kubectl_applylint.report.owners import object_title
from kubectl_applylint.report.pages import json_page, name_json, text_page
from kubectl_applylint.report.words import count, paint, show, wrap

_MOST_NAMED = 8
_TWICE = (
    "after that two managers own the fields, kubectl (Apply) and kubectl-client-side-apply (Update): client-side apply"
    " does not remove the entry of a server-side apply"
)


def migration_text(plans: Sequence[Migration], problems: Sequence[Problem], context: Context) -> str:
    """Return a block for every object, then the commands for all of them, the check and the way back."""
    blocks = ["\n".join(_block(plan, context)) for plan in plans]
    return text_page([*blocks, *(["\n".join(_commands(plans, context))] if plans else [])], problems, context)


def migration_json(plans: Sequence[Migration], problems: Sequence[Problem]) -> str:
    """Return the same as JSON."""
    return json_page("migrate", [_json(plan) for plan in plans], problems, commands=[*ordered(plans)])


def mask_migration(plan: Migration, known: Iterable[JsonObject]) -> Migration:
    """Return the same without what Secrets hold; ``known`` are the objects whose values messages may repeat."""
    objects = [*known]
    moves = tuple(_mask_move(move, objects) for move in plan.moves)
    return replace(plan, moves=moves, forced=plan.forced and _mask_move(plan.forced, objects))


def _mask_move(move: Move, known: Sequence[JsonObject]) -> Move:
    unasked = tuple(mask_change(move.outcome.ref, change) for change in move.unasked)
    return replace(move, outcome=mask_outcome(move.outcome, known), unasked=unasked)


def _block(plan: Migration, context: Context) -> Iterator[str]:
    title = paint("place", object_title(plan.subject.ref), context)
    yield f"{title}: {plan.stage}{'' if plan.moves else ', nothing to do'}"
    for number, move in enumerate(plan.moves, start=1):
        yield f"  {number}. {one_line(move.command)}"
        yield from _move(move, context)
    if plan.forced is not None:
        yield from _way_out(plan.forced, context)
    yield from named("kept by commands typed by hand when its line goes", plan.leftovers, context)


def _move(move: Move, context: Context) -> Iterator[str]:
    yield from verdict_lines(move.outcome, context)
    if move.owners is None:
        return
    for change in move.unasked:
        yield line(_unasked(change, context), context)
    for taken in move.taken:
        losers = ", ".join(sorted({owner.name for owner in taken.lost}))
        yield line(f"takes {render(taken.path)} from {losers}", context)
    yield from _owners(move, move.owners, context)
    yield from named("nobody's then, and no apply removes it", move.orphans, context)


def verdict_lines(outcome: Outcome, context: Context) -> Iterator[str]:
    """Yield how a command ends, and why it is refused where it is."""
    restarts = ", its pods restart" if outcome.restarts and not outcome.refused else ""
    yield f"     {paint('error' if outcome.refused else 'changed', outcome.verdict.value, context)}{restarts}"
    for cause in () if outcome.conflicts else outcome.causes:
        yield line(f"refused: {cause.field}: {cause.message}" if cause.field else f"refused: {cause.message}", context)
    for conflict in outcome.conflicts:
        yield line(f"conflict: {render(conflict.path)} belongs to {conflict.owner.name} with another value", context)


def _unasked(change: Change, context: Context) -> str:
    before = show(change.before, whole=context.verbose)
    if change.after is MISSING:
        return f"deletes {render(change.path)}: {before}, which the manifest does not have"
    after = show(change.after, whole=context.verbose)
    return f"sets {render(change.path)} from {before} to {after}, which the manifest does not have"


def _owners(move: Move, owners: ObjectOwnership, context: Context) -> Iterator[str]:
    told = [f"{m.title} ({m.operation}) {count(len(owners.of(m)), 'field')}" for m in owners.managers]
    defaults = [f"nobody {count(move.defaults, 'default')} of the server"] if move.defaults else []
    yield line(f"owners then: {', '.join([*told, *defaults])}", context)
    if context.verbose:
        for manager in owners.managers:
            yield from named(manager.title, owners.of(manager), context)


def named(what: str, owned: Sequence[FieldOwnership], context: Context) -> Iterator[str]:
    """Yield one line that names the first of some fields, all of them for who wants to know everything."""
    if owned:
        named = owned if context.verbose else owned[:_MOST_NAMED]
        more = f" and {len(owned) - len(named)} more (-v names them)" if len(named) < len(owned) else ""
        yield line(f"{what}: {', '.join(render(field.path) for field in named)}{more}", context)


def line(text: str, context: Context) -> str:
    """Return a line below a command."""
    return wrap(f"     {one_line(text)}", context, indent="       ")


def _way_out(forced: Move, context: Context) -> Iterator[str]:
    yield line(
        "to leave these fields to their owners take their lines out of the manifest, or write the live values", context
    )
    yield line(f"to take them over by force: {forced.command}", context)
    yield from _move(forced, context)


def _commands(plans: Sequence[Migration], context: Context) -> Iterator[str]:
    commands = ordered(plans)
    if commands:
        blocked = any(plan.is_blocked for plan in plans)
        yield "commands, once what is refused above is settled:" if blocked else "commands, in this order:"
        yield from (f"  {one_line(command)}" for command in commands)
    yield "check, prints nothing when all is done:"
    yield from (f"  {one_line(command)}" for command in checks(plans))
    back = dict.fromkeys(command for plan in plans for command in plan.back)
    if back and commands:
        yield "the way back:"
        yield from (f"  {one_line(command)}" for command in back)
        if any(plan.to is Side.SERVER for plan in plans):
            yield wrap(f"  # {_TWICE}", context, indent="  # ")


def _json(plan: Migration) -> Json:
    return {
        **name_json(plan.subject.ref),
        "to": plan.to.value,
        "stage": Stage(plan.stage).name.lower(),
        "steps": [_move_json(move) for move in plan.moves],
        "forced": plan.forced and _move_json(plan.forced),
        "leftovers": [render(field.path) for field in plan.leftovers],
        "check": list(checks([plan])),
        "back": list(plan.back),
    }


def _move_json(move: Move) -> Json:
    outcome, owners = move.outcome, move.owners
    holders = (
        (
            {**manager_json(manager), "fields": [render(field.path) for field in owners.of(manager)]}
            for manager in owners.managers
        )
        if owners
        else ()
    )
    return {
        "command": move.command,
        "verdict": outcome.verdict.value,
        **refusal_json(outcome),
        "unasked": [*map(change_json, move.unasked)],
        "taken": [{"path": render(t.path), "from": sorted({owner.name for owner in t.lost})} for t in move.taken],
        "owners": [*holders],
        "orphans": [render(field.path) for field in move.orphans],
        "defaultsOfNobody": move.defaults,
    }


def refusal_json(outcome: Outcome) -> dict[str, Json]:
    """Return why a command is refused, as far as it is."""
    return {
        "causes": [{"field": c.field, "reason": c.reason, "message": c.message} for c in outcome.causes],
        "conflicts": [{"path": render(c.path), "manager": c.owner.name} for c in outcome.conflicts],
    }


def change_json(change: Change) -> dict[str, Json]:
    """Return what becomes of one field."""
    return {
        "path": render(change.path),
        **({} if change.before is MISSING else {"before": plain(change.before)}),
        **({} if change.after is MISSING else {"after": plain(change.after)}),
    }
